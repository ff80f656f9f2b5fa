import GNSS
import Glibc

/// Leaves out the fixes that a line does not need (Douglas and Peucker, Cartographica 10, 1973).
///
/// The first and last fix of a segment stay, and those of each stop: where somebody stood still, and how long, is what
/// a line does not show.
struct TrackSimplifier {
    /// Fixes that are looked at together; a longer segment is cut here, and the fix at the cut stays.
    static let limit = 20_000
    /// Slower is standing, m/s.
    private static let standing = 0.5
    /// A shorter halt is none, milliseconds.
    private static let shortestStop: Int64 = 30_000

    private let tolerance: Double
    private var records: [RecordedFix] = []
    private var places: [(latitude: Double, longitude: Double)] = []

    init(tolerance: Double) {
        self.tolerance = tolerance
    }

    /// Whether a fix belongs to the same piece of line; otherwise ``take()`` comes first.
    func accepts(_ record: RecordedFix) -> Bool {
        guard let last = records.last else { return true }
        return last.segment == record.segment && records.count < TrackSimplifier.limit
    }

    mutating func add(_ record: RecordedFix, at point: Fix) {
        records.append(record)
        places.append((point.latitude, point.longitude))
    }

    /// Ends the piece of line.
    ///
    /// - Returns: the fixes that stay.
    mutating func take() -> [RecordedFix] {
        defer {
            records.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
        }
        var stays = keptAnyway()
        var first = 0
        for next in stays.indices where stays[next] {
            keep(first, next, &stays)
            first = next
        }
        return zip(records, stays).filter(\.1).map(\.0)
    }

    private func keptAnyway() -> [Bool] {
        var stays = [Bool](repeating: false, count: records.count)
        guard let last = records.indices.last else { return stays }
        stays[0] = true
        stays[last] = true
        var start: Int?
        for index in records.indices {
            if let speed = records[index].fix.speed, speed < TrackSimplifier.standing {
                start = start ?? index
                guard index == last else { continue }
            }
            if let begin = start, let from = records[begin].fix.time {
                let end = index == last ? index : index - 1
                if let to = records[end].fix.time,
                    to.milliseconds &- from.milliseconds >= TrackSimplifier.shortestStop
                {
                    stays[begin] = true
                    stays[end] = true
                }
            }
            start = nil
        }
        return stays
    }

    /// Keeps what lies too far from the straight line between two fixes.
    private func keep(_ first: Int, _ last: Int, _ stays: inout [Bool]) {
        var pending = [(first, last)]
        while let (from, to) = pending.popLast() {
            guard to - from > 1 else { continue }
            var farthest = (index: from, distance: tolerance)
            let plane = SphericalPlane(places[from].latitude, places[from].longitude)
            let end = plane.metres(places[to].latitude, places[to].longitude)
            for index in (from + 1)..<to {
                let place = plane.metres(places[index].latitude, places[index].longitude)
                let distance = SphericalPlane.distance(place, toSegment: end)
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.index != from else { continue }
            stays[farthest.index] = true
            pending.append((from, farthest.index))
            pending.append((farthest.index, to))
        }
    }
}

/// A plane that touches a sphere of the earth's mean radius: good to half a percent over tens of kilometres.
struct SphericalPlane {
    // IUGG's mean radius R1 of the WGS 84 ellipsoid, 6371008.8 m.
    private static let radius = 6_371_008.8
    static let metresPerDegree = radius * .pi / 180

    private let latitude: Double
    private let longitude: Double
    private let shrink: Double

    init(_ latitude: Double, _ longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        shrink = SphericalPlane.cosine(latitude)
    }

    /// Metres east and north of where the plane touches; the short way over the antimeridian.
    func metres(_ latitude: Double, _ longitude: Double) -> (east: Double, north: Double) {
        var step = longitude - self.longitude
        if step > 180 { step -= 360 }
        if step < -180 { step += 360 }
        return (
            step * shrink * SphericalPlane.metresPerDegree,
            (latitude - self.latitude) * SphericalPlane.metresPerDegree
        )
    }

    static func cosine(_ degrees: Double) -> Double {
        cos(degrees * .pi / 180)
    }

    /// The unit vector of a share of a full turn.
    static func direction(_ turn: Double) -> (east: Double, north: Double) {
        (sin(turn * 2 * .pi), cos(turn * 2 * .pi))
    }

    /// Metres between two places, along the sphere (haversine formula).
    static func distance(
        _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
    ) -> Double {
        let half = Double.pi / 360
        let a = sin((latitude2 - latitude1) * half)
        let b = sin((longitude2 - longitude1) * half)
        let h = a * a + cosine(latitude1) * cosine(latitude2) * b * b
        return 2 * radius * asin(min(1, max(0, h).squareRoot()))
    }

    /// Metres from a place to the straight line from the origin to `end`.
    static func distance(
        _ place: (east: Double, north: Double), toSegment end: (east: Double, north: Double)
    ) -> Double {
        let length = end.east * end.east + end.north * end.north
        let along = place.east * end.east + place.north * end.north
        let share = length > 0 ? max(0, min(1, along / length)) : 0
        let east = place.east - share * end.east
        let north = place.north - share * end.north
        return (east * east + north * north).squareRoot()
    }
}
