/// A handful of settings under one name, for changing them together.
public struct Preset: Sendable {
    /// Its name.
    public let name: String
    /// What it is for, one sentence.
    public let meaning: String
    /// The settings with their values, as a file spells them.
    public let values: [(name: String, value: String)]

    /// Those there are, from the most power to the least.
    public static let all: [Preset] = [
        Preset(
            name: "precise", meaning: "Every fix, on the disk within ten seconds.",
            values: [
                ("DutyCycle.Policy", "continuous"), ("Store.CommitEvery", "10s"),
                ("Source.DrainEvery", "10s"),
            ]),
        Preset(
            name: "balanced",
            meaning: "A track true to 30 m with the receiver off where it can be.",
            values: [
                ("DutyCycle.Policy", "adaptive"), ("DutyCycle.ErrorBound", "30"),
                ("Store.CommitEvery", "30s"), ("Source.DrainEvery", "30s"),
            ]),
        Preset(
            name: "economy", meaning: "A track true to 200 m for as long as the battery lasts.",
            values: [
                ("DutyCycle.Policy", "adaptive"), ("DutyCycle.ErrorBound", "200"),
                ("Store.CommitEvery", "5min"), ("Source.DrainEvery", "60s"),
            ]),
        Preset(
            name: "parked", meaning: "A sign of life every half hour.",
            values: [
                ("DutyCycle.Policy", "interval"), ("DutyCycle.Interval", "30min"),
                ("DutyCycle.SkipAtRest", "no"), ("Store.CommitEvery", "10s"),
            ]),
        Preset(
            name: "standby", meaning: "The receiver off until somebody asks.",
            values: [("DutyCycle.Policy", "on-demand")]),
    ]

    /// The one of that name.
    public static func named(_ name: String) -> Preset? {
        all.first { $0.name == name }
    }

    /// The settings it changes.
    public var settings: [Setting] {
        values.compactMap { SettingCatalog.setting($0.name) }
    }
}
