import Glibc
import Geodesy

/// What a schedule recorded of a true track, and how far that is from it.
public struct RecordedTrack: Sendable {
    struct Point {
        var end: TrackBridge.End
        /// When it is known to have stood since the point before.
        var stood: ClosedRange<Double>?
    }

    /// How the track is read back between its points.
    public enum Reading: String, CaseIterable, Sendable {
        /// Straight and even in time.
        case linear
        /// By the velocities, as ``TrackBridge`` does.
        case bridged
        /// The last point until there is a new one: what somebody sees who looks on.
        case live
    }

    /// Distances from the truth over the seconds of trips, metres.
    public struct Deviation: Equatable, Sendable {
        /// The mean.
        public var mean = 0.0
        /// 95 of 100 seconds are nearer.
        public var p95 = 0.0
        /// The largest.
        public var worst = 0.0
    }

    var points: [Point] = []

    /// How many fixes were recorded.
    public var count: Int { points.count }

    /// When, seconds from the beginning.
    public var times: [Double] { points.map(\.end.time) }

    /// How far the track is from the truth; over all seconds when there was no trip.
    public func deviation(from track: TrueTrack, _ reading: Reading) -> Deviation {
        var errors: [Double] = []
        let isDay = !track.isTrip.contains(true)
        guard let first = points.first else { return Deviation() }
        var index = -1
        var bridge: TrackBridge?
        for second in 0..<track.seconds where isDay || track.isTrip[second] {
            let time = Double(second)
            while index + 1 < points.count, points[index + 1].end.time <= time {
                index += 1
                bridge = nil
            }
            var there = (x: first.end.x, y: first.end.y)
            if index >= 0 {
                let here = points[index].end
                there = (here.x, here.y)
                if reading != .live, index + 1 < points.count {
                    let made = bridge ?? self.bridge(index, reading)
                    bridge = made
                    there = made.position(at: time)
                }
            }
            errors.append(hypot(there.x - track.x[second], there.y - track.y[second]))
        }
        guard !errors.isEmpty else { return Deviation() }
        errors.sort()
        let place = 0.95 * Double(errors.count - 1)
        let low = errors[Int(place)]
        let high = errors[min(errors.count - 1, Int(place) + 1)]
        return Deviation(
            mean: errors.reduce(0, +) / Double(errors.count),
            p95: low + (high - low) * (place - place.rounded(.down)),
            worst: errors[errors.count - 1])
    }

    private func bridge(_ index: Int, _ reading: Reading) -> TrackBridge {
        var (from, to) = (points[index].end, points[index + 1].end)
        guard reading == .linear else {
            return TrackBridge(from: from, to: to, stood: points[index + 1].stood)
        }
        (from.east, to.east) = (nil, nil)
        return TrackBridge(from: from, to: to)
    }
}
