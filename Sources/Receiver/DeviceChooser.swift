import GNSS
public import Scheduling

/// Chooses, of several receivers, the one whose fixes make the track.
///
/// Two receivers a few metres apart would make a zigzag of it. Another one takes over when the chosen one is without a
/// fix for a while, and gives back when the better one has had fixes for a while.
public struct DeviceChooser: Sendable {
    /// Whom to prefer, and when to change.
    public struct Settings: Equatable, Sendable {
        /// Paths of receivers, the best one first; others follow by first appearance.
        public var preferred: [String] = []
        /// How long the chosen one may be without a fix.
        public var fallsBackAfter = TimeSpan.seconds(10)
        /// How long a better one must have had fixes.
        public var failsBackAfter = TimeSpan.seconds(30)

        /// No preference.
        public init() {}
    }

    /// The chosen receiver, an index into the names of the source; `nil` before the first fix.
    public private(set) var chosen: UInt8?

    private struct Run {
        var rank: Int
        var first: BootTime
        var last: BootTime
    }

    /// The last fix of the track.
    private var last: (device: UInt8, time: UTCTime?)?
    private let settings: Settings
    private var runs: [UInt8: Run] = [:]

    /// Nobody is chosen yet.
    public init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Takes a fix of a receiver and says whether it belongs to the track.
    mutating func admits(_ fix: Fix, path: String, at now: BootTime) -> Bool {
        guard admits(device: fix.device, path: path, at: now), !isAgain(fix) else { return false }
        last = (fix.device, fix.time)
        return true
    }

    /// Whether another receiver gave a fix of that time or a little later, and it is in the track already.
    private func isAgain(_ fix: Fix) -> Bool {
        guard let last, last.device != fix.device, let then = last.time, let time = fix.time
        else { return false }
        return time <= then && then - time < 60_000
    }

    /// Takes a sign of a receiver that has a fix and says whether it is the chosen one.
    public mutating func admits(device: UInt8, path: String, at now: BootTime) -> Bool {
        let known = runs[device]
        var run = known ?? Run(rank: rank(of: device, path), first: now, last: now)
        if now - run.last > settings.fallsBackAfter { run.first = now }
        run.last = now
        runs[device] = run
        guard let chosen, chosen != device, let current = runs[chosen] else {
            self.chosen = device
            return true
        }
        let isLost = isLost(at: now)
        let isBetter =
            run.rank < current.rank && now - run.first >= settings.failsBackAfter
        guard isLost || isBetter else { return false }
        self.chosen = device
        return true
    }

    /// Whether the chosen one is without a fix for so long that another one may take over.
    func isLost(at now: BootTime) -> Bool {
        guard let chosen, let run = runs[chosen] else { return false }
        return now - run.last > settings.fallsBackAfter
    }

    /// A receiver has gone: the next fix of another one is taken at once.
    public mutating func lost(device: UInt8) {
        runs[device] = nil
        if chosen == device { chosen = nil }
    }

    private func rank(of device: UInt8, _ path: String) -> Int {
        settings.preferred.firstIndex(of: path) ?? settings.preferred.count + Int(device)
    }
}
