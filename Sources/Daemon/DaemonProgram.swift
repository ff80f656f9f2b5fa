import Configuration
import Platform
import Scheduling

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
            if parsed.has("receiver-on") { return try ReceiverOn.run(options, journal) }
            return try start(options, journal).run()
        } catch {
            let failure = Failure(error)
            for line in failure.message.split(separator: "\n") {
                journal.write(.error, String(line), as: "cannot start")
            }
            return failure.code.rawValue
        }
    }

    private static let freshViewAfter = TimeSpan.seconds(300)

    /// Puts the service together; under a service manager it waits for a database or a socket that cannot be had.
    ///
    /// A card that is read-only or full for a while, or another program that ends, must not cost the recording
    /// for good; and a restart every second would fill the log. A file system that is read-only at the start may
    /// stay so in the view of it that the service was given then: after a while a new start gets a new view.
    private static func start(_ options: DaemonOptions, _ journal: Journal) throws -> Service {
        // Sockets of the service manager's are listening already, and stay when the daemon restarts.
        let passed = try PassedSocket.takeAll().filter(\.isUnixListener)
        let notifier = ServiceNotifier()
        let begin = SystemClock.now
        var trouble = LastingCondition()
        while true {
            do {
                return try Service(options, journal, passed: passed)
            } catch {
                let failure = Failure(error)
                guard notifier.isSupervised, options.replay.isEmpty, failure.mayPass,
                    failure.code != .noPermission || SystemClock.now - begin < freshViewAfter
                else { throw error }
                if trouble.occurred(at: SystemClock.now) != .nothing {
                    journal.write(.error, failure.message, as: "waiting to record")
                }
                notifier.ready("not recording, tried every 5 s: \(failure.message)")
                notifier.alive()
                // SIGTERM ends it here: nothing is open yet.
                SystemClock.pause(Service.retryAfter)
            }
        }
    }
}
