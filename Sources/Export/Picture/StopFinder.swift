public import GNSS

/// A stay in one place.
public struct Stop: Equatable, Sendable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// When it began.
    public var begin: UTCTime
    /// When it ended.
    public var end: UTCTime

    /// Milliseconds.
    public var duration: Int64 { end.milliseconds &- begin.milliseconds }
}

/// Finds the stays of a track: fixes that do not leave a small circle for a while, sleep of the receiver included.
struct StopFinder {
    /// Metres from the first fix of a stay; above the wander of a receiver at rest.
    private static let radius = 40.0
    /// Milliseconds.
    private static let shortest: Int64 = 180_000

    private(set) var stops: [Stop] = []
    private var open: Stop?

    mutating func add(_ fix: Fix) {
        guard let time = fix.time else { return }
        if let stop = open, time >= stop.begin,
            SphericalPlane.distance(
                stop.latitude, stop.longitude, fix.latitude, fix.longitude) <= StopFinder.radius
        {
            open?.end = time
            return
        }
        finish()
        open = Stop(latitude: fix.latitude, longitude: fix.longitude, begin: time, end: time)
    }

    mutating func finish() {
        if let stop = open, stop.duration >= StopFinder.shortest { stops.append(stop) }
        open = nil
    }
}
