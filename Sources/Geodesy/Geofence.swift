/// An area on the earth: a circle, or a ring of corners.
///
/// A ring goes the shorter way from corner to corner, as a straight line in degrees; it may cross the
/// antimeridian and it may enclose a pole.
public struct Geofence: Equatable, Sendable {
    /// Why corners or a circle are no area.
    public enum Problem: Error, Equatable, Sendable {
        /// A latitude beyond 90, a longitude beyond 180, or no number.
        case notAPosition
        /// Fewer than three different corners.
        case tooFewCorners
        /// A radius that is not above zero.
        case radius
    }

    private enum Shape: Equatable, Sendable {
        case circle(latitude: Double, longitude: Double, radius: Double)
        case ring([Corner])
    }

    private struct Corner: Equatable, Sendable {
        var latitude: Double
        /// Degrees, not wrapped: neighbours are at most 180 apart.
        var longitude: Double
    }

    private let shape: Shape
    private let south: Double
    private let north: Double

    /// A circle: degrees and metres on the ellipsoid.
    public init(latitude: Double, longitude: Double, radius: Double) throws(Problem) {
        guard Angle.isPosition(latitude: latitude, longitude: longitude) else {
            throw .notAPosition
        }
        guard radius > 0, radius.isFinite else { throw .radius }
        shape = .circle(latitude: latitude, longitude: longitude, radius: radius)
        // A degree of latitude is never under 110.5 km.
        south = latitude - radius / 110_500
        north = latitude + radius / 110_500
    }

    /// A ring of corners in degrees, closed or not.
    public init(ring: [(latitude: Double, longitude: Double)]) throws(Problem) {
        var corners: [Corner] = []
        for point in ring {
            guard Angle.isPosition(latitude: point.latitude, longitude: point.longitude)
            else { throw .notAPosition }
            var longitude = point.longitude
            if let last = corners.last {
                longitude =
                    last.longitude + (longitude - last.longitude).remainder(dividingBy: 360)
                if last.latitude == point.latitude, last.longitude == longitude { continue }
            }
            corners.append(Corner(latitude: point.latitude, longitude: longitude))
        }
        if let first = corners.first, let last = corners.last, corners.count > 1,
            first.latitude == last.latitude,
            (first.longitude - last.longitude).remainder(dividingBy: 360) == 0,
            first.longitude == last.longitude || corners.count > 3
        {
            corners.removeLast()
        }
        guard corners.count >= 3 else { throw .tooFewCorners }
        // The way from the last corner home; a whole turn east or west means a pole is inside.
        let first = corners[0]
        let last = corners[corners.count - 1]
        let home = last.longitude + (first.longitude - last.longitude).remainder(dividingBy: 360)
        if abs(home - first.longitude) > 1 {
            // Past the nearer pole and back, so that even and odd count the cap in, its pole too.
            let mean = corners.reduce(0) { $0 + $1.latitude } / Double(corners.count)
            let pole: Double = mean < 0 ? -91 : 91
            corners += [
                Corner(latitude: first.latitude, longitude: home),
                Corner(latitude: pole, longitude: home),
                Corner(latitude: pole, longitude: first.longitude),
            ]
        }
        shape = .ring(corners)
        south = corners.reduce(90) { min($0, $1.latitude) }
        north = corners.reduce(-90) { max($0, $1.latitude) }
    }

    /// Whether a WGS 84 position in degrees lies inside; false for what is not a position.
    public func contains(latitude: Double, longitude: Double) -> Bool {
        guard latitude >= south, latitude <= north, longitude.isFinite else { return false }
        switch shape {
        case .circle(let centreLatitude, let centreLongitude, let radius):
            return Geodesic.distance(centreLatitude, centreLongitude, latitude, longitude) <= radius
        case .ring(let corners):
            return Geofence.contains(corners, latitude, Angle.wrapLongitude(longitude))
        }
    }

    /// Even-odd over the ring, with the point on the turn of the earth where the ring is.
    private static func contains(
        _ corners: [Corner], _ latitude: Double, _ longitude: Double
    ) -> Bool {
        let west = corners.reduce(Double.infinity) { min($0, $1.longitude) }
        let east = corners.reduce(-Double.infinity) { max($0, $1.longitude) }
        var turned = longitude + ((west - longitude) / 360).rounded(.up) * 360
        while turned <= east {
            var inside = false
            var previous = corners[corners.count - 1]
            for corner in corners {
                // Half open, so that a corner on the point's parallel counts once.
                if (corner.latitude > latitude) != (previous.latitude > latitude) {
                    let part =
                        (latitude - previous.latitude) / (corner.latitude - previous.latitude)
                    let crossing =
                        previous.longitude + part * (corner.longitude - previous.longitude)
                    if turned < crossing { inside.toggle() }
                }
                previous = corner
            }
            if inside { return true }
            turned += 360
        }
        return false
    }
}
