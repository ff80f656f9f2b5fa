import DutyCycle

extension Settings {
    /// The policies that may come into force.
    var policies: [DutyCycle.Policy] {
        [dutyCycle.policy] + profiles.map { dutyCycle(under: $0).policy }
    }

    /// What in profiles cannot work: the name of the profile, and why with the nearest that does.
    func profileContradictions() -> [(profile: String, message: String)] {
        var found: [(profile: String, message: String)] = []
        var always: Profile?
        for (index, profile) in profiles.enumerated() {
            func note(_ message: String) { found.append((profile.rule.name, message)) }
            if profiles[..<index].contains(where: { $0.rule.name == profile.rule.name }) {
                note("has the name of an earlier one; give it another")
            }
            if let reason = profile.rule.impossible {
                note("never holds: \(reason)")
            } else if let always, always.rule.priority >= profile.rule.priority {
                note(
                    "is never in force: \(always.rule.name), which always holds, comes first; the "
                        + "nearest workable is priority=\(always.rule.priority + 1)")
            }
            if profile.rule.conditions.isEmpty,
                profile.rule.priority > always?.rule.priority ?? .min
            {
                always = profile
            }
            if dutyCycle(under: profile).policy == .onDemand, profile.rule.needsFixes {
                note(
                    "is left only when a sensor says that it moves or somebody asks: while the "
                        + "receiver is off neither speed nor place is known anew; the nearest "
                        + "workable is Policy=interval with a long Interval=")
            }
            for (name, message) in contradictions(under: profile) { note("\(name)= \(message)") }
        }
        return found
    }

    /// What a profile's own settings do to each other and to the plain ones.
    private func contradictions(under profile: Profile) -> [(String, String)] {
        var settings = self
        settings.profiles = []
        settings.dutyCycle = dutyCycle(under: profile)
        let own = Set(profile.changes.map(\.key))
        func isOwn(_ name: String) -> Bool {
            name.hasPrefix("DutyCycle.") && own.contains(String(name.dropFirst(10)))
        }
        // What the plain settings do alone is told of them.
        return settings.contradictions(isSet: isOwn).compactMap { name, message in
            let key = String(name.dropFirst(10))
            return isOwn(name) || name == "DutyCycle.Interval" && own.contains("Policy")
                ? (key, message) : nil
        }
    }
}

extension ProfileRule {
    /// Whether only a new fix can end it.
    fileprivate var needsFixes: Bool {
        conditions.contains { condition in
            switch condition {
            case .speedBelow, .speedAbove, .inside: true
            default: false
            }
        }
    }

    /// Why its conditions can never be met at once; `nil` when they can.
    fileprivate var impossible: String? {
        var (battery, speed) = ((low: -1.0, high: 101.0), (low: -1.0, high: Double.infinity))
        var power: Bool?
        for condition in conditions {
            switch condition {
            case .batteryBelow(let limit): battery.high = min(battery.high, limit)
            case .batteryAbove(let limit): battery.low = max(battery.low, limit)
            case .speedBelow(let limit): speed.high = min(speed.high, limit)
            case .speedAbove(let limit): speed.low = max(speed.low, limit)
            case .externalPower(let isExternal):
                if let power, power != isExternal { return "power= is given both ways; keep one" }
                power = isExternal
            case .inside, .time: break
            }
        }
        if battery.high <= 0 || battery.low >= 100 || battery.low >= battery.high {
            return "no battery is so full; the nearest workable is battery<"
                + DecimalText.format(min(100, max(1, battery.low + 1)))
        }
        if speed.high <= 0 || speed.low >= speed.high {
            return "no speed is so; the nearest workable is speed<"
                + DecimalText.format(max(0, speed.low) + 1)
        }
        return nil
    }
}
