/// Why a stretch of a track has no fixes.
///
/// The number is written to databases: never renumber one.
public enum GapReason: UInt8, CaseIterable, Sendable {
    /// The receiver was switched off by the duty cycle.
    case asleep = 1
    /// The receiver ran and had no fix.
    case noSky = 2
    /// Fixes came and every one was rejected.
    case rejected = 3
    /// The source delivered nothing: gpsd gone, receiver unplugged or silent.
    case sourceLost = 4
    /// The daemon was not running.
    case notRunning = 5
    /// Recording was paused by a person.
    case paused = 6
    /// The log that was replayed holds nothing for this stretch.
    case noData = 7
    /// The store could not write and the queue overflowed.
    case dropped = 8
    /// Inside a zone where nothing is recorded.
    case privateZone = 9
    /// gpsd ran and had no receiver.
    case noReceiver = 10
    /// gpsd had a receiver and nothing came from it.
    case receiverSilent = 11
    /// The receiver gave one old fix again and again.
    case oldFixRepeated = 12
    /// The receiver's position moved and its time did not.
    case timeStandsStill = 13
    /// Its fixes were removed because a person asked for it.
    case forgotten = 14
    /// The receiver was switched off, and a sensor felt no motion.
    case atRest = 15
    /// Fixes came, and the policy recorded none of them.
    case passedOver = 16

    /// The name used in JSON, SQL and on the screen.
    public var name: String {
        switch self {
        case .asleep: "asleep"
        case .noSky: "no_sky"
        case .rejected: "rejected"
        case .sourceLost: "source_lost"
        case .notRunning: "not_running"
        case .paused: "paused"
        case .noData: "no_data"
        case .dropped: "dropped"
        case .privateZone: "private_zone"
        case .noReceiver: "no_receiver"
        case .receiverSilent: "receiver_silent"
        case .oldFixRepeated: "old_fix_repeated"
        case .timeStandsStill: "time_stands_still"
        case .forgotten: "forgotten"
        case .atRest: "at_rest"
        case .passedOver: "passed_over"
        }
    }
}

/// A hole between two kept fixes, with its reason.
public struct Gap: Equatable, Sendable {
    /// Sequence of the last kept fix before it; `nil` when there is none.
    public var after: Int64?
    /// Time of the last kept fix before it.
    public var begin: UTCTime?
    /// Time of the first kept fix after it; `nil` while it lasts.
    public var end: UTCTime?
    /// Length by the program's clock, milliseconds.
    public var duration: Int64
    /// Why.
    public var reason: GapReason

    /// A gap.
    public init(
        after: Int64?, begin: UTCTime?, end: UTCTime?, duration: Int64, reason: GapReason
    ) {
        self.after = after
        self.begin = begin
        self.end = end
        self.duration = duration
        self.reason = reason
    }
}

/// One receiver on-period: why it began, what it brought, why it ended.
public struct Cycle: Equatable, Sendable {
    /// When the receiver was switched on, milliseconds of CLOCK_BOOTTIME.
    public var began: Int64
    /// When it was switched off; `nil` while it runs.
    public var ended: Int64?
    /// Why it was switched on, as `start`, `interval` or `locate`.
    public var beganBecause: String
    /// Why it was switched off, as `fix`, `timeout` or `stop`; `nil` while it runs.
    public var endedBecause: String?
    /// Milliseconds from switching on to the first kept fix; `nil` when there was none.
    public var timeToFirstFix: Int64?
    /// Fixes delivered, kept or not.
    public var fixes: Int64 = 0
    /// Sound fixes; a policy that takes the best of several records one of them.
    public var kept: Int64 = 0
    /// The best eph of the cycle, metres; `nil` when never reported.
    public var bestEPH: Double?
    /// What switches the receiver, as `hexdata`; `nil` when nothing does.
    public var lever: String?
    /// How much the receiver remembered: `hot`, `warm` or `cold`.
    public var start: String?
    /// The most satellites heard at a time; `nil` when the receiver does not say.
    public var heard: Int?

    /// A cycle that begins.
    public init(began: Int64, because: String) {
        self.began = began
        beganBecause = because
    }
}
