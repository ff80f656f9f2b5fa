import Glibc

/// The intensity q of the acceleration in one way of travel, from what bridges got wrong.
///
/// Each error is told as the q of which it were two standard deviations. Were they normal, these would be half of q in
/// the mean; they come in bursts (corners, tacks) with calm between, so that none counts for more than three q, and the
/// mean that holds the bound differs with the way of travel. What is known beforehand counts like twelve errors.
struct Intensity: Equatable {
    /// m²/s³.
    private(set) var value: Double
    /// The last errors, oldest first.
    private var recent: [Double]
    /// The mean of the errors that holds the bound, in q.
    private let mean: Double

    /// Far from anything that travels.
    private static let values = 0.0001...12.0
    private static let window = 60
    private static let known = 12
    private static let most = 3.0

    /// Nothing but a guess.
    init(guess: Double, mean: Double) {
        value = guess.isFinite ? min(max(guess, Self.values.lowerBound), Self.values.upperBound) : 1
        self.mean = mean
        // Normal errors of that q, small and large ones in turn.
        recent = (0..<Self.known).map { [value] turn in
            let rank = (Double(turn * 5 % Self.known) + 0.5) / Double(Self.known)
            return -0.5 * value * log(1 - rank)
        }
    }

    /// Learns an error, m²/s³.
    mutating func learn(_ error: Double) {
        guard error.isFinite else { return }
        if recent.count == Self.window { recent.removeFirst() }
        recent.append(error)
        var (low, high) = Self.values.logarithms
        for _ in 0..<20 {
            let middle = (low + high) / 2
            let scale = exp(-middle)
            let sum = recent.reduce(0) { $0 + min($1 * scale, Self.most) }
            if sum > mean * Double(recent.count) { low = middle } else { high = middle }
        }
        value = exp((low + high) / 2)
    }
}

extension ClosedRange<Double> {
    fileprivate var logarithms: (Double, Double) { (log(lowerBound), log(upperBound)) }
}
