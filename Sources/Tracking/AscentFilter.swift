/// Sums ascent and descent without the noise of the heights.
///
/// Heights are smoothed with their trend, and only a change of direction larger than a gate counts (a
/// hysteresis); the gate follows how far heights scatter about the trend. Summing every step makes 1000 m of
/// a flat ride.
struct AscentFilter {
    /// Metres climbed.
    private(set) var ascent = 0.0
    /// Metres gone down.
    private(set) var descent = 0.0

    private enum Direction { case level, up, down }

    private var direction = Direction.level
    /// The farthest height in the present direction; when level, both ends of what was seen.
    private var low = 0.0
    private var high = 0.0
    /// Smoothed height, its change a second, and the scatter about both; `nil` at the beginning.
    private var smooth: Double?
    private var trend = 0.0
    private var variance = 0.0
    private var resumes = false

    /// Time constants of the smoothing and of the scatter, s: that of multipath, and several of it.
    private static let smoothing = 30.0
    private static let settling = 120.0
    /// The gate in standard deviations, and its limits, m.
    private static let deviations = 3.5
    private static let gates = 10.0...60

    /// Sums from here on.
    mutating func clearSums() {
        ascent = 0
        descent = 0
    }

    /// Begins anew after a hole; what was summed stays.
    ///
    /// - Parameter isSameTrip: whether the height between counts, as in a tunnel.
    mutating func restart(isSameTrip: Bool) {
        let height = smooth
        smooth = nil
        if !isSameTrip || height == nil { direction = .level }
        resumes = isSameTrip && height != nil
    }

    /// Takes the next height.
    ///
    /// - Parameters:
    ///   - height: metres.
    ///   - seconds: since the height before.
    mutating func add(_ height: Double, after seconds: Double) {
        guard let before = smooth else {
            smooth = height
            trend = 0
            guard resumes else {
                variance = 0
                low = height
                high = height
                return
            }
            resumes = false
            return count(height, gate: gate)
        }
        guard seconds > 0 else { return }
        let seconds = min(seconds, 10)
        let gain = seconds / (Self.smoothing + seconds)
        let expected = before + trend * seconds
        let error = height - expected
        let now = expected + gain * (2 - gain) * error
        smooth = now
        trend += gain * gain * error / seconds
        variance += seconds / (Self.settling + seconds) * (error * error - variance)
        count(now, gate: gate)
    }

    private var gate: Double {
        let scatter = variance.squareRoot() * Self.deviations
        return min(max(scatter, Self.gates.lowerBound), Self.gates.upperBound)
    }

    private mutating func count(_ height: Double, gate: Double) {
        switch direction {
        case .level:
            low = min(low, height)
            high = max(high, height)
            if height - low >= gate {
                turnUp(height)
            } else if high - height >= gate {
                turnDown(height)
            }
        case .up:
            if height > high {
                ascent += height - high
                high = height
            } else if high - height >= gate {
                turnDown(height)
            }
        case .down:
            if height < low {
                descent += low - height
                low = height
            } else if height - low >= gate {
                turnUp(height)
            }
        }
    }

    private mutating func turnUp(_ height: Double) {
        ascent += height - low
        direction = .up
        high = height
    }

    private mutating func turnDown(_ height: Double) {
        descent += high - height
        direction = .down
        low = height
    }
}
