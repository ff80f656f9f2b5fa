import Configuration
import GNSS
import Receiver
import Scheduling

/// What the command line asks of the daemon, checked.
struct DaemonOptions {
    /// The settings in force.
    var settings: LoadedSettings
    /// Where they were read; `nil` is the default place.
    let path: String?
    /// What the command line says instead.
    let overrides: [SettingOverride]
    /// Logs to replay; empty when the source is gpsd.
    let replay: [String]
    /// Times real time; `nil` is as fast as possible.
    let speed: Double?
    let format: LogFormat?
    /// The first day a receiver's date can be right; `nil` believes every date.
    let floor: UTCTime?
    /// Where to answer; `nil` does not.
    let socket: String?
    let checksOnly: Bool

    init(_ parsed: ParsedArguments) throws {
        path = parsed.value("config")
        overrides = try parsed.settingOverrides()
        settings = try SettingsLoader.load(path, overrides: overrides)
        let values = settings.settings
        replay = values.source.replay
        checksOnly = parsed.has("check-config")
        speed = try DaemonOptions.speed(parsed.value("speed"))
        format = parsed.value("format").flatMap(LogFormat.init(rawValue:))
        let isReplay = !replay.isEmpty
        guard isReplay || (speed == nil && format == nil) else {
            throw UsageError("--speed and --format go with --replay FILE")
        }
        // A recorded drive must not slip into the track of this machine.
        if isReplay, !checksOnly, settings.origins["Store.Database"] == nil {
            throw UsageError("--replay needs --database FILE, where the track goes")
        }
        // Live no fix is older than the program; a recorded log may be as old as it says.
        floor = values.source.dateFloor ?? (isReplay ? nil : Product.released)
        let isSocketAsked = settings.origins["Status.Socket"] != nil
        socket = isReplay && !isSocketAsked ? nil : values.status.socket
    }

    private static func speed(_ text: String?) throws -> Double? {
        guard let text, text != "max" else { return nil }
        guard let factor = Double(text), factor > 0, factor <= 1_000_000 else {
            throw UsageError(
                "bad value '\(text)' for --speed: expected a factor above 0, or max")
        }
        return factor
    }
}
