/// A seeded source of pseudo-random numbers, the same on every machine.
///
/// SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014, figure 3.
struct Chance {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Even between 0 and 1.
    mutating func unit() -> Double {
        Double(bits() >> 11) / 9_007_199_254_740_992
    }

    /// Even within a range.
    mutating func within(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Even among whole numbers.
    mutating func among(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(bits() % UInt64(range.count))
    }

    /// Nearly normal, mean 0, standard deviation 1.
    ///
    /// A sum of twelve even numbers, because it needs no library function that may round its last
    /// bit differently elsewhere.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += unit() }
        return sum
    }

    /// Whether something that happens once in `mean` seconds happens within the next `step` seconds.
    mutating func happens(every mean: Double, within step: Double) -> Bool {
        unit() * mean < step
    }
}
