public import GNSS
public import JSON

/// One receiver on-period that has ended: the parameters of the notification `cycle`.
public struct CycleReport: Equatable, Sendable {
    /// Why the receiver was switched on.
    public var beganBecause = ""
    /// Why it was switched off; `nil` when it runs.
    public var endedBecause: String?
    /// How long it ran, seconds; `nil` when it runs.
    public var duration: Double?
    /// Seconds to the first kept fix; `nil` when there was none.
    public var timeToFirstFix: Double?
    /// Fixes delivered.
    public var fixes: Int64 = 0
    /// Sound fixes; a policy that takes the best of several records one of them.
    public var kept: Int64 = 0
    /// The best eph, metres; `nil` when never reported.
    public var bestEPH: Double?
    /// What switches the receiver; `nil` when nothing does.
    public var lever: String?
    /// Class of the start.
    public var start: String?
    /// The most satellites heard at a time; `nil` when never told.
    public var heard: Int64?

    /// Nothing.
    public init() {}

    /// A cycle.
    public init(_ cycle: Cycle) {
        beganBecause = cycle.beganBecause
        endedBecause = cycle.endedBecause
        duration = cycle.ended.map { Double($0 - cycle.began) / 1000 }
        timeToFirstFix = cycle.timeToFirstFix.map { Double($0) / 1000 }
        fixes = cycle.fixes
        kept = cycle.kept
        bestEPH = cycle.bestEPH
        lever = cycle.lever
        start = cycle.start
        heard = cycle.heard.map { Int64($0) }
    }

    /// Reads the parameters of a notification.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(CycleReport.self, from: value, at: "cycle")
    }
}

extension CycleReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("began_because", &beganBecause, "Why the receiver was switched on.")
        visitor.text("ended_because", &endedBecause, "Why it was switched off.")
        visitor.number("duration", &duration, "s", "How long it ran.")
        visitor.number(
            "time_to_first_fix", &timeToFirstFix, "s",
            "Time to the first sound fix, recorded or not; absent when there was none.")
        visitor.integer("fixes", &fixes, nil, "Fixes delivered.")
        visitor.integer(
            "kept", &kept, nil,
            "Sound fixes; a policy that takes the best of several records one of them.")
        visitor.number("best_eph", &bestEPH, "m", "Best estimated error; absent when never told.")
        visitor.text("lever", &lever, "What switches the receiver; absent when nothing does.")
        visitor.text("start", &start, "hot, warm or cold: how much the receiver remembered.")
        visitor.integer(
            "heard", &heard, nil, "Most satellites heard at a time; absent when never told.")
    }
}
