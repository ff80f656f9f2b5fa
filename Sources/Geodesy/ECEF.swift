import Glibc

/// A point in an earth-centred, earth-fixed Cartesian frame, metres.
///
/// x points to latitude 0, longitude 0; z to the north pole.
public struct ECEF: Equatable, Sendable {
    /// Towards 0° N, 0° E.
    public var x: Double
    /// Towards 0° N, 90° E.
    public var y: Double
    /// Towards the north pole.
    public var z: Double

    /// A point of those coordinates, metres.
    @inlinable
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The point of a geodetic position.
    ///
    /// - Parameters:
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - height: metres above `ellipsoid`.
    ///   - ellipsoid: WGS 84 unless said otherwise.
    public init(
        latitude: Double, longitude: Double, height: Double, on ellipsoid: Ellipsoid = .wgs84
    ) {
        let (sinLat, cosLat) = Angle.sinCos(latitude)
        let (sinLon, cosLon) = Angle.sinCos(longitude)
        let n = ellipsoid.a / (1 - ellipsoid.e2 * sinLat * sinLat).squareRoot()
        x = (n + height) * cosLat * cosLon
        y = (n + height) * cosLat * sinLon
        z = (n * (1 - ellipsoid.e2) + height) * sinLat
    }

    /// Latitude and longitude in degrees, longitude in (-180, 180], and height in metres.
    ///
    /// Good to 1e-9 m from 40 km above the centre of the earth to beyond the orbits of satellites.
    public func geodetic(
        on ellipsoid: Ellipsoid = .wgs84
    ) -> (latitude: Double, longitude: Double, height: Double) {
        // Bowring, Survey Review 28 (1985): his reduced-latitude step, three times over.
        let a = ellipsoid.a
        let b = ellipsoid.b
        let e2 = ellipsoid.e2
        let p = (x * x + y * y).squareRoot()
        var (sinBeta, cosBeta) = ECEF.unit(z * a, p * b)
        var (sinLat, cosLat) = (0.0, 1.0)
        for _ in 0..<3 {
            (sinLat, cosLat) = ECEF.unit(
                z + e2 / (1 - e2) * b * sinBeta * sinBeta * sinBeta,
                p - e2 * a * cosBeta * cosBeta * cosBeta)
            (sinBeta, cosBeta) = ECEF.unit((1 - ellipsoid.f) * sinLat, cosLat)
        }
        let w = (1 - e2 * sinLat * sinLat).squareRoot()
        let longitude = atan2(y, x) / Angle.radian
        return (
            atan2(sinLat, cosLat) / Angle.radian,
            longitude == -180 ? 180 : longitude,
            p * cosLat + z * sinLat - a * w
        )
    }

    /// `y` and `x` divided by their hypotenuse.
    private static func unit(_ y: Double, _ x: Double) -> (sin: Double, cos: Double) {
        let r = (x * x + y * y).squareRoot()
        return r > 0 ? (y / r, x / r) : (0, 1)
    }
}
