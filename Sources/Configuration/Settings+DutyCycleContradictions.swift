import DutyCycle
import Scheduling

extension Settings {
    /// What in the duty cycle cannot work or has no effect, with the nearest value that does.
    func noteDutyCycle(
        _ isSet: (String) -> Bool,
        _ note: (_ name: String, _ condition: Bool, _ message: @autoclosure () -> String) -> Void
    ) {
        func text(_ span: TimeSpan) -> String { DurationText.format(span) }
        let cycle = dutyCycle
        let isBounded = [.adaptive, .budget].contains(cycle.policy)
        note(
            "DutyCycle.ErrorBound",
            cycle.policy == .adaptive && cycle.errorBound < cycle.goodAccuracy,
            "is below the receiver's own error, GoodAccuracy=\(DecimalText.format(cycle.goodAccuracy)): it "
                + "costs fixes and gains nothing; the nearest workable is "
                + DecimalText.format(cycle.goodAccuracy))
        note(
            "DutyCycle.MaximumGap", isBounded && cycle.maximumGap <= cycle.keepOnBelow,
            "the receiver never sleeps: the gap is not above KeepOnBelow=\(text(cycle.keepOnBelow)); "
                + "the nearest that saves power is \(text(cycle.keepOnBelow + .seconds(1)))")
        note(
            "DutyCycle.Settle", isBounded && cycle.settle >= cycle.maximumGap,
            "the best fix is waited for longer than the longest gap; "
                + "the nearest workable is \(text(cycle.maximumGap - .seconds(1)))")
        if cycle.policy == .interval, cycle.skipAtRest {
            note(
                "DutyCycle.Heartbeat", cycle.heartbeat < cycle.interval,
                "is shorter than Interval=\(text(cycle.interval)), which holds then; "
                    + "the nearest that has an effect is \(text(cycle.interval))")
        }
        if cycle.policy == .budget, let energy = cycle.energyBudget {
            // One cold start: a minute.
            let least = (cycle.drawOn / 60).rounded(.up)
            note(
                "DutyCycle.EnergyBudget", energy * 60 < cycle.drawOn,
                "does not bring one fix: a start takes up to a minute at "
                    + "\(DecimalText.format(cycle.drawOn)) milliwatts (Milliwatts=); the nearest workable is "
                    + DecimalText.format(least))
        }
        let words = cycle.policy.rawValue
        let only: [(name: String, policies: [DutyCycle.Policy])] = [
            ("ErrorBound", [.adaptive]), ("MaximumGap", [.adaptive, .budget]),
            ("OnBudget", [.budget]), ("EnergyBudget", [.budget]),
            ("SkipAtRest", [.interval]), ("KeepOnBelow", [.interval]),
            ("WakeSystem", [.interval, .adaptive, .budget]),
        ]
        for (key, policies) in only {
            let wanted = policies.map(\.rawValue).joined(separator: " or ")
            note(
                "DutyCycle.\(key)",
                isSet("DutyCycle.\(key)") && !self.policies.contains(where: policies.contains),
                "has no effect with Policy=\(words); set Policy=\(wanted)")
        }
        if let distance = recording.minimumDistance, cycle.policy == .adaptive {
            let bound = DecimalText.format(cycle.errorBound)
            note(
                "Recording.MinimumDistance", distance > cycle.errorBound,
                "leaves out fixes that hold ErrorBound=\(bound); the nearest workable is \(bound)")
        }
        if let time = recording.minimumTime, cycle.policy == .interval {
            note(
                "Recording.MinimumTime", time > cycle.interval,
                "leaves out fixes that the receiver is switched on for: one comes each "
                    + "Interval=\(text(cycle.interval)); the nearest workable is \(text(cycle.interval))"
            )
        }
        if let silence = recording.maximumSilence, cycle.policy == .interval {
            note(
                "Recording.MaximumSilence", silence < cycle.interval,
                "cannot be held: a fix comes each Interval=\(text(cycle.interval)); "
                    + "the nearest workable is \(text(cycle.interval))")
        }
    }
}
