/// The smallest box around a track, which may lie across the 180th meridian.
public struct Bounds: Equatable, Sendable {
    /// Southern edge, degrees north.
    public private(set) var south: Double
    /// Northern edge, degrees north.
    public private(set) var north: Double
    /// Where the track began and how far it went either way from there, degrees, without a wrap.
    private let origin: Double
    private var here: Double
    private var least = 0.0
    private var most = 0.0

    /// The box around one point.
    init(latitude: Double, longitude: Double) {
        south = latitude
        north = latitude
        origin = longitude
        here = longitude
    }

    /// Western edge, degrees east, -180 … 180; greater than ``east`` when the box lies across 180°.
    public var west: Double {
        most - least >= 360 ? -180 : Bounds.wrap(origin + least)
    }

    /// Eastern edge, degrees east, -180 … 180.
    public var east: Double {
        most - least >= 360 ? 180 : Bounds.wrap(origin + most)
    }

    /// Extends the box to the next point of the track, by the shorter way round.
    mutating func extend(latitude: Double, longitude: Double) {
        south = min(south, latitude)
        north = max(north, latitude)
        let offset = here - origin + Bounds.wrap(longitude - here)
        least = min(least, offset)
        most = max(most, offset)
        here = origin + offset
    }

    private static func wrap(_ degrees: Double) -> Double {
        if degrees >= -180, degrees <= 180 { return degrees }
        let turned = (degrees + 180).truncatingRemainder(dividingBy: 360)
        return turned < 0 ? turned + 180 : turned - 180
    }
}
