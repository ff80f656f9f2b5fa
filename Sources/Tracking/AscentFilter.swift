/// Sums ascent and descent without the noise of the heights.
///
/// Only a change of direction that is larger than the gate counts (a hysteresis); summing every step makes
/// 1000 m of a flat ride.
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
    private var isEmpty = true

    /// Begins anew, as after a hole; what was summed stays.
    mutating func restart() {
        isEmpty = true
        direction = .level
    }

    /// Takes the next height, metres, and the change that is not noise.
    mutating func add(_ height: Double, gate: Double) {
        guard !isEmpty else {
            isEmpty = false
            low = height
            high = height
            return
        }
        switch direction {
        case .level:
            low = min(low, height)
            high = max(high, height)
            if height - low >= gate {
                ascent += height - low
                direction = .up
                high = height
            } else if high - height >= gate {
                descent += high - height
                direction = .down
                low = height
            }
        case .up:
            if height > high {
                ascent += height - high
                high = height
            } else if high - height >= gate {
                descent += high - height
                direction = .down
                low = height
            }
        case .down:
            if height < low {
                descent += low - height
                low = height
            } else if height - low >= gate {
                ascent += height - low
                direction = .up
                high = height
            }
        }
    }
}
