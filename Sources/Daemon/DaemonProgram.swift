import Configuration
import Platform

/// The daemon as a program: arguments in, exit code out.
public enum DaemonProgram {
    /// Runs until the input ends or a signal stops it.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: the exit code, by sysexits.h.
    public static func run(_ arguments: [String]) -> Int32 {
        let journal = Journal(identifier: "tracklogd")
        do {
            let parsed = try ArgumentTable.daemon.parse(arguments)
            if parsed.has("help") {
                print(ArgumentTable.daemon.help(), terminator: "")
                return ExitCode.ok.rawValue
            }
            if parsed.has("version") {
                print("tracklogd \(Product.version)")
                return ExitCode.ok.rawValue
            }
            let options = try DaemonOptions(parsed)
            for warning in options.settings.warnings {
                journal.write(.warning, "settings", ["problem": "\(warning)"])
            }
            let level = options.settings.settings.log.level
            journal.threshold = Platform.LogLevel(rawValue: UInt8(level.priority)) ?? .info
            if options.checksOnly { return ExitCode.ok.rawValue }
            return try Service(options, journal).run()
        } catch {
            let failure = Failure(error)
            for line in failure.message.split(separator: "\n") {
                journal.write(.error, String(line))
            }
            return failure.code.rawValue
        }
    }
}
