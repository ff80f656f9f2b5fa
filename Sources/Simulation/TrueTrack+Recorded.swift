public import GNSS
import Glibc

extension TrueTrack {
    /// A recorded place at its time.
    public struct Place: Equatable, Sendable {
        /// When.
        public var time: UTCTime
        /// Degrees north.
        public var latitude: Double
        /// Degrees east.
        public var longitude: Double

        /// A place.
        public init(time: UTCTime, latitude: Double, longitude: Double) {
            self.time = time
            self.latitude = latitude
            self.longitude = longitude
        }

        fileprivate var isPossible: Bool {
            abs(latitude) <= 90 && abs(longitude) <= 180
        }
    }

    /// A longer hole ends the track, ms; the part with most places is taken.
    private static let apart: Int64 = 6 * 3_600_000
    /// A longer hole is one without sky, ms.
    private static let unseen: Int64 = 300_000
    /// The longest track, seconds.
    private static let longest = 14 * 86_400

    /// The track that a recording shows: a point a second, jitter smoothed over five.
    ///
    /// - Parameters:
    ///   - places: in any order.
    ///   - fillsDay: whether rest is put before and after it to make a day.
    /// - Returns: `nil` when there are fewer than ten places with different times.
    public init?(name: String, places: [Place], seed: UInt64, fillsDay: Bool) {
        let part = Self.longestPart(places)
        guard part.count >= 10, let first = part.first, let last = part.last else { return nil }
        let begin = first.time.milliseconds
        let seconds = min(Self.longest, Int((last.time.milliseconds - begin) / 1000) + 1)
        guard seconds >= 10 else { return nil }
        var rough = (x: [0.0], y: [0.0])
        for (a, b) in zip(part, part.dropFirst()) {
            var way = b.longitude - a.longitude
            if way > 180 { way -= 360 } else if way < -180 { way += 360 }
            let scale = max(0.01, cos(a.latitude * .pi / 180)) * Self.east
            rough.x.append(rough.x[rough.x.count - 1] + way * scale)
            rough.y.append(
                rough.y[rough.y.count - 1] + (b.latitude - a.latitude) * Self.north)
        }
        var (x, y, hasSky): ([Double], [Double], [Bool]) = ([], [], [])
        var index = 0
        for second in 0..<seconds {
            let time = begin + Int64(second) * 1000
            while index + 2 < part.count, part[index + 1].time.milliseconds <= time { index += 1 }
            let span = part[index + 1].time - part[index].time
            let s = min(1, Double(time - part[index].time.milliseconds) / Double(span))
            x.append(rough.x[index] + s * (rough.x[index + 1] - rough.x[index]))
            y.append(rough.y[index] + s * (rough.y[index + 1] - rough.y[index]))
            hasSky.append(span <= Self.unseen)
        }
        (x, y) = (Self.smooth(x), Self.smooth(y))
        var isMoving = (0..<seconds).map { second in
            let (before, after) = (max(0, second - 1), min(seconds - 1, second + 1))
            return hypot(x[after] - x[before], y[after] - y[before]) > 0.4 * Double(after - before)
        }
        let missing = fillsDay ? max(0, 86_400 - seconds) : 0
        func fill<Value>(_ values: [Value], _ low: Value, _ high: Value) -> [Value] {
            Array(repeating: low, count: missing / 2) + values
                + Array(repeating: high, count: missing - missing / 2)
        }
        x = fill(x, x[0], x[seconds - 1])
        y = fill(y, y[0], y[seconds - 1])
        isMoving = fill(isMoving, false, false)
        self.init(
            name: name, x: x, y: y, hasSky: fill(hasSky, true, true), isMoving: isMoving,
            vibrates: isMoving, seed: seed, origin: (first.latitude, first.longitude))
    }

    private static func longestPart(_ places: [Place]) -> [Place] {
        var sorted: [Place] = []
        for place in places.filter(\.isPossible).sorted(by: { $0.time < $1.time })
        where sorted.last?.time != place.time {
            sorted.append(place)
        }
        var best = 0..<0
        var began = 0
        for index in sorted.indices {
            let isEnd =
                index + 1 == sorted.count || sorted[index + 1].time - sorted[index].time > apart
            guard isEnd else { continue }
            if index + 1 - began > best.count { best = began..<index + 1 }
            began = index + 1
        }
        return Array(sorted[best])
    }

    private static func smooth(_ values: [Double]) -> [Double] {
        values.indices.map { index in
            var sum = 0.0
            for near in index - 2...index + 2 {
                sum += values[min(max(near, 0), values.count - 1)]
            }
            return sum / 5
        }
    }
}
