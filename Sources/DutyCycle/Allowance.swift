import Glibc

/// On-time that may be spent in a day, and the rate that spends it on the movement the day has.
///
/// A day is 24 hours from the start of the run. What is left is spread over the movement that is still expected:
/// that of the days before, or most of what an hour of today has had, so that a longer day is spread to its end and
/// the allowance is never passed.
struct Allowance: Equatable {
    /// Milliseconds of on-time a day.
    private let daily: Int64
    private var began: Int64?
    /// On-time of this day in cycles that have ended, and since when the one has run that lasts.
    private var used: Int64 = 0
    private var onSince: Int64?
    /// Movement of this day, and that of the days before, ms.
    private var moved: Int64 = 0
    private(set) var usual: Int64

    static let day: Int64 = 86_400_000
    private static let leastMovement: Int64 = 900_000
    /// So much of the movement an hour goes on in the mean.
    private static let persistence = 0.5
    /// The first hours of a day say little about it.
    private static let beginning: Int64 = 7_200_000

    /// A day's on-time, and the movement of a usual day, ms; without knowledge 95 minutes.
    init(daily: Int64, usual: Int64?) {
        self.daily = daily
        self.usual = min(max(usual ?? 5_700_000, Self.leastMovement), Self.day)
    }

    mutating func begin(_ now: Int64) {
        if began == nil { began = now }
    }

    /// When the next day begins.
    func renewal(_ now: Int64) -> Int64 {
        guard let began else { return now &+ Self.day }
        return began &+ ((now &- began) / Self.day + 1) * Self.day
    }

    /// Begins a new day when it is time.
    private mutating func roll(_ now: Int64) {
        guard let began, now &- began >= Self.day else { return }
        self.began = renewal(now) &- Self.day
        used = 0
        if onSince != nil { onSince = self.began }
        if moved > 0 { usual += (moved - usual) / 3 }
        moved = 0
    }

    mutating func switched(isOn: Bool, _ now: Int64) {
        begin(now)
        roll(now)
        if let since = onSince { used = used &+ (now &- since) }
        onSince = isOn ? now : nil
    }

    mutating func note(movement: Int64, _ now: Int64) {
        roll(now)
        moved = min(Self.day, moved + min(max(0, movement), Self.day))
    }

    /// What is left of this day's on-time, ms; the whole when the day is over.
    func left(_ now: Int64) -> Int64 {
        guard let began, now &- began < Self.day else { return daily }
        return daily &- used &- (onSince.map { now &- $0 } ?? 0)
    }

    /// The share of movement that may be on-time from now on.
    ///
    /// An eighth of the allowance comes with the hours: who moves all day has something left in the evening.
    func rate(_ now: Int64) -> Double {
        let rest = renewal(now) &- now
        let later = Int64(Double(daily) / 8 * Double(rest) / Double(Self.day))
        let elapsed = Self.day - rest + Self.beginning
        let alike = Int64(Self.persistence * Double(moved) * Double(rest) / Double(elapsed))
        let expected = min(max(usual - moved, alike, Self.leastMovement), rest)
        return min(2, Double(max(0, left(now) &- later)) / Double(max(1, expected)))
    }
}
