import GNSS
import Geodesy
import Storage

/// The fixes nearest to a point.
struct Nearest {
    let latitude: Double
    let longitude: Double
    /// How many.
    let count: Int

    /// No two places on Earth are farther apart, metres.
    private static let farthest = 20_040_000.0

    /// Looks in ever larger circles, each twice as wide as the one before, until one holds enough.
    func search(_ query: FixQuery, _ reader: TrackReader) throws -> [RecordedFix] {
        var radius = 1.0
        while true {
            var found: [(distance: Double, record: RecordedFix)] = []
            var query = query
            query.bounds = RemovalScope.Circle(
                latitude: latitude, longitude: longitude, radius: radius
            ).map(Area.bounds(around:))
            try reader.forEach(query, "searching within \(Int(radius)) m") { record in
                let distance = LocalDistance.between(
                    latitude, longitude, record.fix.latitude, record.fix.longitude)
                guard distance <= radius,
                    found.count < count || distance < found.last?.distance ?? 0
                else { return }
                // Sorted, the later one first where two are as near.
                var place = found.count
                while place > 0, found[place - 1].distance >= distance { place -= 1 }
                found.insert((distance, record), at: place)
                if found.count > count { found.removeLast() }
            }
            if found.count >= count || radius > Nearest.farthest { return found.map(\.record) }
            radius *= 2
        }
    }
}
