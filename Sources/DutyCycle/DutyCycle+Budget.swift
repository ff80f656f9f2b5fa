import Glibc

/// The budget policy: the adaptive one with a bound that spends a day's on-time.
extension DutyCycle {
    /// Whether the stored track is held within a bound.
    var isBounded: Bool { settings.policy == .adaptive || settings.policy == .budget }

    /// The bound in force, metres.
    var activeBound: Double { settings.policy == .budget ? steered : settings.errorBound }

    private static let bounds = 0.05...5000.0
    /// So much is kept for the end of a cycle, ms.
    private static let reserve: Int64 = 1500

    /// Moves the bound towards the rate that spends what is left.
    ///
    /// - Parameter gap: time since the recorded fix before, ms.
    mutating func steer(after gap: Int64, _ now: Int64) {
        guard allowance != nil, gap > 0 else { return }
        allowance?.note(movement: gap, now)
        guard let rate = allowance?.rate(now) else { return }
        learned.movement = allowance?.usual
        // Seconds that go by while it stays on count one after the other.
        let cost = Double(typicalStart(now) + 1000)
        let spent = gap <= 2000 ? 1 : min(1, cost / Double(gap))
        let weight = gap <= 2000 ? 0.01 : 0.4
        let change = weight * log(max(spent, 1e-6) / max(rate, 1e-6))
        steered *= exp(min(max(change, -1), 1))
        steered = min(max(steered, Self.bounds.lowerBound), Self.bounds.upperBound)
    }

    /// When the allowance will have been spent; `nil` when there is none.
    var allowanceEnds: Int64? {
        guard let allowance, !isHeld else { return nil }
        let end = onSince &+ max(0, allowance.left(onSince)) &- Self.reserve
        return max(end, holdUntil)
    }

    /// Whether nothing is left for another start, or for the one that runs.
    func isSpent(_ now: Int64) -> Bool {
        guard let allowance else { return false }
        let needed = phase == .off ? typicalStart(now) + 2000 : 0
        return allowance.left(now) <= Self.reserve + needed
    }

    /// Sleeps until the day is over.
    mutating func awaitRenewal(_ now: Int64) {
        target = nil
        wakeAt = allowance?.renewal(now)
        wakeReason = "budget"
    }
}
