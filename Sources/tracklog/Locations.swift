import Configuration

/// Where the daemon's things are: as the command line says, else as its settings say.
enum Locations {
    static let options = [
        Option(
            "database", short: "d", value: "FILE", "read this database",
            byDefault: "that of the settings"),
        Option("socket", value: "PATH", "ask the daemon there", byDefault: "that of the settings"),
    ]

    static func database(_ arguments: ParsedArguments) throws -> String {
        try arguments.value("database") ?? settings(arguments).store.database
    }

    static func socket(_ arguments: ParsedArguments) throws -> String {
        try arguments.value("socket") ?? settings(arguments).status.socket
    }

    /// Settings that are wrong or unreadable and were not asked for are no reason not to look at a track.
    static func settings(_ arguments: ParsedArguments) throws -> Settings {
        let path = arguments.value("config")
        do {
            return try SettingsLoader.load(path).settings
        } catch {
            if path != nil { throw error }
            return Settings()
        }
    }
}
