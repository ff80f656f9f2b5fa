public import Scheduling

/// Keeps the log of losses short: one line when fixes cease, one when they come again, whatever happens between.
///
/// A source that comes and goes may say so sixty times at once and ten times an hour in the long run; what goes
/// unsaid is counted.
public struct LossLines: Sendable {
    /// Whether fixes are missing.
    public private(set) var isLost = false

    private var isSaid = false
    private var unsaid: Int64 = 0
    private var credit = LossLines.most
    private var creditedAt = BootTime(nanoseconds: 0)

    private static let most = 60.0
    private static let perSecond = 10.0 / 3600

    /// A source that has lost nothing yet.
    public init() {}

    /// Fixes are missing; the number of losses that were not said before this one when it is to be said.
    public mutating func lost(at now: BootTime) -> Int64? {
        guard !isLost else { return nil }
        isLost = true
        let earned = max(0, (now - creditedAt).seconds) * LossLines.perSecond
        credit = min(LossLines.most, credit + earned)
        creditedAt = now
        isSaid = credit >= 1
        guard isSaid else {
            unsaid += 1
            return nil
        }
        credit -= 1
        defer { unsaid = 0 }
        return unsaid
    }

    /// Fixes come; whether that is to be said.
    public mutating func found() -> Bool {
        defer { isLost = false }
        return isLost && isSaid
    }
}
