public import Scheduling

/// How long to wait before each new attempt to connect.
///
/// A wait is 5 % longer than the one before, which makes it a twentieth of the time the attempts have gone on: whatever
/// comes back after a minute is found within 5 s, after 20 minutes and more within a minute. Doubling, as is usual,
/// would find it half of the outage late. Each wait is shifted by up to 20 % so that many clients of one server spread out.
public struct BackOff: Sendable {
    /// The first wait.
    public static let shortest = TimeSpan.seconds(1)
    /// No wait is longer, but for the shift.
    public static let longest = TimeSpan.seconds(60)

    private var wait = BackOff.shortest.seconds
    private var random: UInt64

    /// Begins with the shortest wait; the same seed gives the same shifts.
    public init(seed: UInt64) {
        random = seed
    }

    /// The next wait.
    public mutating func next() -> TimeSpan {
        let shifted = wait * (0.8 + 0.4 * fraction())
        wait = min(wait * 1.05, BackOff.longest.seconds)
        return .seconds(shifted)
    }

    /// Begins with the shortest wait again: an attempt has succeeded.
    public mutating func reset() {
        wait = BackOff.shortest.seconds
    }

    // 0 ..< 1. Source: Sebastiano Vigna, "splitmix64.c".
    private mutating func fraction() -> Double {
        random &+= 0x9E37_79B9_7F4A_7C15
        var bits = random
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11) / 9_007_199_254_740_992
    }
}
