import Configuration
import DutyCycle
import Platform
import Receiver
import Scheduling

/// `tracklogd --receiver-on`: undoes what a daemon that is gone may have left, and waits until the receiver speaks.
///
/// The unit runs it after every end of the daemon, a crash included.
enum ReceiverOn {
    /// A receiver on a slow line that gpsd has to open first; below `TimeoutStopSec=`.
    private static let limit = TimeSpan.seconds(8)

    static func run(_ options: DaemonOptions, _ journal: Journal) throws -> Int32 {
        let receiver = options.settings.settings.receiver
        guard receiver.power.touchesReceiver else { return ExitCode.ok.rawValue }
        let loop = try EventLoop()
        let source = try GPSDSource(settings: ServiceSettings.gpsd(options), loop: loop)
        let power = ServiceSettings.receiverSwitch(receiver, source, on: loop)
        var trouble: String?
        power.onTrouble = { trouble = $0 }
        // The program of a person, or the bus, says when it is done; a sleeping receiver shows by speaking.
        power.start()
        power.end(within: limit) { loop.exit(0) }
        _ = try loop.run()
        if receiver.power == .hexdata, power.isWaking {
            trouble = trouble ?? "it says nothing; source \(source.status.state.name)"
        }
        if let trouble {
            journal.write(.error, "receiver not switched on", ["reason": trouble])
            return ExitCode.unavailable.rawValue
        }
        journal.write(.info, "receiver on", ["lever": receiver.power.rawValue])
        return ExitCode.ok.rawValue
    }
}
