import GNSS
import Scheduling

/// Whose fixes of one log make the track, when the log has those of several receivers: chosen as live, by the log's
/// own times.
struct ReceiverChoice {
    private var chooser: DeviceChooser
    private let device: String?
    // Time as it went by in the log, by the clock of whichever receiver is ahead: they need not agree.
    private var now = BootTime(nanoseconds: 0)
    private var last: [UInt8: (time: UTCTime, at: BootTime)] = [:]
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
            var at = now
            if let last = last[fix.device], time >= last.time {
                at = last.at + .milliseconds(time - last.time)
            }
            last[fix.device] = (time, at)
            now = max(now, at)
        }
        // A log without names has one receiver.
        let isWanted = device == nil || path == device || path.isEmpty
        if isWanted, chooser.admits(fix, path: path, at: now) { return true }
        leftOut[fix.device, default: 0] += 1
        return false
    }

    /// A receiver has gone, as gpsd says.
    mutating func lost(_ path: String, of devices: DeviceTable) {
        guard let index = devices.names.firstIndex(of: path) else { return }
        chooser.lost(device: UInt8(index))
    }

    /// How many fixes were left out, and of which receivers.
    func left(_ devices: DeviceTable) -> (fixes: Int64, names: [String]) {
        let names = leftOut.keys.sorted().map { devices.names[Int($0)] }
        return (leftOut.values.reduce(0, +), names)
    }
}
