extension ArgumentTable {
    /// The command line of `tracklogd`.
    public static let daemon = ArgumentTable(
        program: "tracklogd",
        summary: "records where this machine has been",
        options: [
            Option(
                "config", short: "c", value: "FILE",
                "read the settings from FILE and FILE.d/*.conf",
                byDefault: SettingsLoader.defaultPath),
            Option(
                "set", short: "s", value: "SECTION.KEY=VALUE", "set one setting", isRepeatable: true
            ),
            Option(
                "check-config", "check the settings, say what is wrong and exit"),
            Option(
                "receiver-on", "switch the receiver on, as after a crash, and exit"),
            Option(
                "replay", short: "r", value: "FILE",
                "run on a recorded log (- is standard input) and exit at its end",
                isRepeatable: true, setting: "Source.Replay"),
            Option(
                "speed", value: "FACTOR", "replay at FACTOR times real time, or max",
                byDefault: "max"),
            Option(
                "format", value: "KIND", "take the log as this instead of looking at it",
                choices: ["nmea", "gpsd"]),
            Option(
                "gpsd", value: "HOST:PORT", "where gpsd listens", setting: "Source.Gpsd"),
            Option(
                "database", short: "d", value: "FILE", "record into FILE",
                setting: "Store.Database"),
            Option("socket", value: "PATH", "answer on PATH", setting: "Status.Socket"),
            Option(
                "log-level", value: "LEVEL", "say this and what is more important",
                choices: LogSettings.Level.allCases.map(\.rawValue), setting: "Log.Level"),
        ],
        commands: [
            Command(
                "", "",
                examples: [
                    (
                        "tracklogd --replay drive.nmea --database drive.db",
                        "Records a log as fast as possible."
                    ),
                    (
                        "tracklogd --replay drive.nmea --speed 10 --socket ./s",
                        "Replays ten times faster than real time and answers on ./s meanwhile."
                    ),
                ])
        ])
}

extension ParsedArguments {
    /// Values for settings from options and from `--set SECTION.KEY=VALUE`.
    ///
    /// - Throws: ``UsageError`` when a `--set` has no `=`.
    public func settingOverrides() throws(UsageError) -> [SettingOverride] {
        var all = overrides
        for text in values("set") {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw UsageError("bad value '\(text)' for --set: expected SECTION.KEY=VALUE")
            }
            all.append(
                SettingOverride(
                    name: String(text[..<equals]),
                    value: String(text[text.index(after: equals)...]),
                    origin: .option("--set")))
        }
        return all
    }
}
