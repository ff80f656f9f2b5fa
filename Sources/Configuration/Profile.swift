public import DutyCycle
import Scheduling

/// A named set of duty-cycle settings and when it holds, as one line of the settings says it.
public struct Profile: Equatable, Sendable {
    /// When it holds.
    public var rule: ProfileRule
    /// Keys of the section DutyCycle with their values.
    public var changes: [Change]

    /// One setting of a profile.
    public struct Change: Equatable, Sendable {
        /// The key, as `Policy`.
        public var key: String
        /// The value as text.
        public var value: String
    }

    /// Reads `NAME KEY=VALUE... CONDITION... [priority=N] [on-delay=D] [off-delay=D]`; `nil` when it is none.
    init?(_ text: String) {
        var words = text.split(separator: " ").map(String.init)
        guard let name = words.first, !name.contains(where: { "=<>".contains($0) }) else {
            return nil
        }
        words.removeFirst()
        rule = ProfileRule(name: name)
        changes = []
        for word in words {
            guard let place = word.firstIndex(where: { "=<>".contains($0) }) else { return nil }
            let key = String(word[..<place])
            let value = String(word[word.index(after: place)...])
            guard word[place] == "=" ? take(key, value) : compare(key, word[place], value) else {
                return nil
            }
        }
        guard !changes.isEmpty else { return nil }
    }

    /// The first word of a text that is not a profile because of it, and the right key when one is near.
    static func wrongWord(in text: String) -> (word: String, key: String?)? {
        let words = text.split(separator: " ").dropFirst().map(String.init)
        guard let word = words.first(where: { Profile("name Policy=interval \($0)") == nil }) else {
            return nil
        }
        let key = String(word.prefix { !"=<>".contains($0) })
        let conditions = [
            "priority", "on-delay", "off-delay", "power", "zone", "time", "battery", "speed",
        ]
        let keys = SettingCatalog.all.filter { $0.section == "DutyCycle" }.map(\.key)
        let nearest = Spelling.nearest(to: key, among: keys + conditions)
        return (word, nearest == key ? nil : nearest)
    }

    private mutating func take(_ key: String, _ value: String) -> Bool {
        func delay() -> TimeSpan? {
            DurationText.parse(value).flatMap { $0 <= .seconds(86_400) ? $0 : nil }
        }
        switch key {
        case "priority":
            guard let number = Int(value), abs(number) <= 1000 else { return false }
            rule.priority = number
        case "on-delay":
            guard let span = delay() else { return false }
            rule.onDelay = span
        case "off-delay":
            guard let span = delay() else { return false }
            rule.offDelay = span
        case "power":
            guard ["external", "battery"].contains(value) else { return false }
            rule.conditions.append(.externalPower(value == "external"))
        case "zone":
            guard let zone = SettingCatalog.zone.parse(value) else { return false }
            rule.conditions.append(.inside(zone))
        case "time":
            guard let time = WeekTimeText.parse(value) else { return false }
            rule.conditions.append(.time(time))
        default:
            var scratch = Settings()
            guard key != "Profile",
                let setting = SettingCatalog.all.first(where: { $0.name == "DutyCycle.\(key)" }),
                !value.isEmpty, setting.apply(value, &scratch)
            else { return false }
            changes.append(Change(key: key, value: value))
        }
        return true
    }

    private mutating func compare(_ key: String, _ sign: Character, _ value: String) -> Bool {
        guard let number = DecimalText.parse(value), number >= 0 else { return false }
        switch (key, sign) {
        case ("battery", "<"): rule.conditions.append(.batteryBelow(number))
        case ("battery", ">"): rule.conditions.append(.batteryAbove(number))
        case ("speed", "<"): rule.conditions.append(.speedBelow(number))
        case ("speed", ">"): rule.conditions.append(.speedAbove(number))
        default: return false
        }
        return true
    }

    /// The canonical text; reading gives the same profile.
    var text: String {
        var words = [rule.name] + changes.map { "\($0.key)=\($0.value)" }
        for condition in rule.conditions {
            let word =
                switch condition {
                case .externalPower(let isExternal): "power=\(isExternal ? "external" : "battery")"
                case .batteryBelow(let limit): "battery<\(DecimalText.format(limit))"
                case .batteryAbove(let limit): "battery>\(DecimalText.format(limit))"
                case .speedBelow(let limit): "speed<\(DecimalText.format(limit))"
                case .speedAbove(let limit): "speed>\(DecimalText.format(limit))"
                case .inside(let zone): "zone=\(SettingCatalog.zone.format(zone))"
                case .time(let time): "time=\(WeekTimeText.format(time))"
                }
            words.append(word)
        }
        if rule.priority != 0 { words.append("priority=\(rule.priority)") }
        if rule.onDelay > .seconds(0) {
            words.append("on-delay=\(DurationText.format(rule.onDelay))")
        }
        if rule.offDelay > .seconds(0) {
            words.append("off-delay=\(DurationText.format(rule.offDelay))")
        }
        return words.joined(separator: " ")
    }
}

extension ValueKind where Value == Profile {
    static var profile: ValueKind {
        ValueKind(
            expects:
                "a name, then KEY=VALUE of this section, conditions (power=external or battery, "
                + "battery<30, battery>80, speed<1, speed>10, zone=LAT,LON,RADIUS, "
                + "time=Mon-Fri/22:00-06:00) and priority=, on-delay=, off-delay=",
            parse: { Profile($0) }, format: { $0.text })
    }
}

extension Settings {
    /// The duty cycle's settings while a profile is in force; the plain ones without one.
    public func dutyCycle(under profile: Profile?) -> DutyCycle.Settings {
        var settings = self
        for change in profile?.changes ?? [] {
            let setting = SettingCatalog.all.first { $0.name == "DutyCycle.\(change.key)" }
            _ = setting?.apply(change.value, &settings)
        }
        return settings.dutyCycle
    }
}

/// Days and hours of a week as `Mon-Fri/22:00-06:00`, `Sat,Sun` or `08:00-18:00`.
enum WeekTimeText {
    private static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    static func parse(_ text: String) -> WeekTime? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let last = parts.last else { return nil }
        guard let hours = hours(last) else {
            guard parts.count == 1, let days = days(last) else { return nil }
            return WeekTime(days: days, from: 0, to: 1440)
        }
        guard parts.count == 2 else {
            return WeekTime(days: 0x7F, from: hours.from, to: hours.to)
        }
        return days(parts[0]).map { WeekTime(days: $0, from: hours.from, to: hours.to) }
    }

    static func format(_ time: WeekTime) -> String {
        let days = names.indices.filter { time.days & (1 << $0) != 0 }.map { names[$0] }
        let hours = "\(clock(time.from))-\(clock(time.to))"
        return time.days == 0x7F ? hours : "\(days.joined(separator: ","))/\(hours)"
    }

    private static func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    private static func days(_ text: String) -> UInt8? {
        var days: UInt8 = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { name in
                names.firstIndex { $0.lowercased() == name.lowercased() }
            }
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil
            else { return nil }
            var day = first
            days |= 1 << day
            while day != last {
                day = (day + 1) % 7
                days |= 1 << day
            }
        }
        return days
    }

    private static func hours(_ text: String) -> (from: Int, to: Int)? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(minute)
        guard ends.count == 2, let from = ends[0], let to = ends[1], from < 1440 else { return nil }
        return (from, to)
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1],
            (0...24).contains(hour), (0..<60).contains(minute), hour * 60 + minute <= 1440
        else { return nil }
        return hour * 60 + minute
    }
}
