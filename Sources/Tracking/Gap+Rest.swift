public import GNSS

extension Gap {
    /// Shorter pieces are not told apart, ms.
    private static let shortest: Int64 = 5000

    /// The hole with the time apart in which a sensor felt no motion: before it, at rest, after it.
    ///
    /// - Parameter rest: when it stood, by the clock of the fixes.
    /// - Returns: one to three holes one after the other, together as long as this one.
    public func split(at rest: ClosedRange<UTCTime>) -> [Gap] {
        guard reason == .asleep, let begin, let end, begin < end else { return [self] }
        var low = min(max(rest.lowerBound, begin), end)
        var high = max(min(rest.upperBound, end), low)
        if low - begin < Self.shortest { low = begin }
        if end - high < Self.shortest { high = end }
        guard high - low >= Self.shortest else { return [self] }
        let parts = [(begin, low, GapReason.asleep), (low, high, .atRest), (high, end, .asleep)]
        // By the program's clock it may be longer than by the receiver's: the rest takes that.
        let excess = duration &- (end - begin)
        return parts.filter { $0.0 < $0.1 }.map { from, to, reason in
            Gap(
                after: after, begin: from, end: to,
                duration: to - from &+ (reason == .atRest ? excess : 0), reason: reason)
        }
    }
}
