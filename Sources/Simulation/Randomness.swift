import Glibc

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast and the same on every machine.
struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// 0 ..< 1.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func uniform(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * uniform()
    }

    /// A normal deviate (Box, Muller 1958).
    mutating func normal() -> Double {
        (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }

    mutating func sign() -> Double { uniform() < 0.5 ? -1 : 1 }
}

/// What chance holds for each second, the same for every policy that meets it.
struct Chance {
    /// One independent stream each.
    enum Stream: UInt64 {
        case white, velocity, estimate, luck, start, faint
    }

    private let seed: UInt64

    init(_ seed: UInt64) {
        self.seed = SplitMix.mix(seed &+ 0x51_7CC1)
    }

    /// 0 ..< 1, of one second.
    func uniform(_ stream: Stream, _ second: Int) -> Double {
        Double(bits(stream, second, 0) >> 11) * 0x1p-53
    }

    /// Two independent normal deviates of one second.
    func normals(_ stream: Stream, _ second: Int) -> (Double, Double) {
        let radius = (-2 * log(1 - uniform(stream, second))).squareRoot()
        let angle = 2 * .pi * Double(bits(stream, second, 1) >> 11) * 0x1p-53
        return (radius * cos(angle), radius * sin(angle))
    }

    private func bits(_ stream: Stream, _ second: Int, _ part: UInt64) -> UInt64 {
        let place = UInt64(truncatingIfNeeded: second) &* 16 &+ stream.rawValue &* 2 &+ part
        return SplitMix.mix(seed ^ SplitMix.mix(place &+ 0x9E37_79B9_7F4A_7C15))
    }
}
