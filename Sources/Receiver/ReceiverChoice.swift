import GNSS
import Scheduling

/// Whose fixes of one log make the track, when the log has those of several receivers: chosen as live, by the log's
/// own times.
struct ReceiverChoice {
    private var chooser: DeviceChooser
    private let device: String?
    // Time as it went by in the log.
    private var now = BootTime(nanoseconds: 0)
    private var lastTime: UTCTime?
    /// Fixes left out, by receiver.
    private var leftOut: [UInt8: Int64] = [:]

    /// `nil` when the fixes of all receivers are wanted.
    init?(_ settings: ReplaySource.Settings) {
        guard let choice = settings.choice else { return nil }
        chooser = DeviceChooser(settings: choice)
        device = settings.device
    }

    mutating func admits(_ fix: Fix, of devices: DeviceTable) -> Bool {
        let path = devices.names[Int(fix.device)]
        if let time = fix.time {
            if let lastTime, time > lastTime { now = now + .milliseconds(time - lastTime) }
            lastTime = time
        }
        // A log without names has one receiver.
        let isWanted = device == nil || path == device || path.isEmpty
        if isWanted, chooser.admits(fix, path: path, at: now) { return true }
        leftOut[fix.device, default: 0] += 1
        return false
    }

    /// How many fixes were left out, and of which receivers.
    func left(_ devices: DeviceTable) -> (fixes: Int64, names: [String]) {
        let names = leftOut.keys.sorted().map { devices.names[Int($0)] }
        return (leftOut.values.reduce(0, +), names)
    }
}
