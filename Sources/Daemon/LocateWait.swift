import GNSS
import Scheduling

/// Chooses the best fix of a while for somebody who wants one now.
struct LocateWait {
    /// An estimated error this small ends the wait, metres at 95 %.
    let goal: Double
    /// How long the best is waited for after the first; `nil` waits as long as may be.
    let settle: TimeSpan?
    /// When it ends in any case.
    private(set) var due: BootTime
    /// The best so far.
    private(set) var best: RecordedFix?
    /// Kept fixes seen.
    private(set) var candidates: Int64 = 0
    private var bestError = Double.infinity

    init(goal: Double, settle: TimeSpan?, due: BootTime) {
        self.goal = goal
        self.settle = settle
        self.due = due
    }

    /// Whether the best fix is as good as was asked.
    var isGood: Bool { bestError <= goal }

    /// Takes the next kept fix; whether the wait is over.
    mutating func take(_ record: RecordedFix, at now: BootTime) -> Bool {
        candidates += 1
        // As the duty cycle does: 99.99 stands for a DOP that was not computed.
        let error =
            record.fix.errors.eph ?? record.fix.dop.hdop.flatMap { $0 < 99 ? $0 * 5 : nil }
            ?? .infinity
        // Of equals the newer one.
        if error <= bestError { (best, bestError) = (record, error) }
        if candidates == 1, let settle { due = min(due, now + settle) }
        return isGood
    }
}
