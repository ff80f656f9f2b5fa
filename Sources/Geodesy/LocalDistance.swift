import Glibc

/// The distance of neighbouring points on the WGS 84 ellipsoid, cheap enough for every fix.
///
/// Within about 10 km it multiplies the differences of latitude and longitude with the radii of curvature at the
/// middle (one sine, one root); farther apart and near the poles it takes the chord through the ellipsoid. Good to
/// 2e-5 of the distance under 100 km and to 0.5 % up to the antipode. For exact lengths there is the geodesic.
public enum LocalDistance {
    // WGS 84: NGA.STND.0036, table 3.1; e² = f (2 - f).
    private static let a = 6_378_137.0
    private static let e2 = 6.694_379_990_141_316e-3
    private static let radiansPerDegree = Double.pi / 180

    /// Metres between two points given in degrees; longitudes in -180 … 180.
    public static func between(
        _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
    ) -> Double {
        var east = longitude2 - longitude1
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        let north = latitude2 - latitude1
        let middle = (latitude1 + latitude2) / 2
        // Beyond these the meridians are not parallel enough: the error would pass 2e-5.
        guard abs(north) < 0.1, abs(east) < 0.15, abs(middle) < 80 else {
            return chord(latitude1, latitude2, east, middle)
        }
        let sine = sin(middle * radiansPerDegree)
        let w2 = 1 - e2 * sine * sine
        let w = w2.squareRoot()
        let dn = north * radiansPerDegree * (1 - e2) / w2
        let de = east * radiansPerDegree
        return a / w * (dn * dn + de * de * (1 - sine * sine)).squareRoot()
    }

    /// The arc over the straight line between two points of the ellipsoid.
    private static func chord(
        _ latitude1: Double, _ latitude2: Double, _ east: Double, _ middle: Double
    ) -> Double {
        let p1 = latitude1 * radiansPerDegree
        let p2 = latitude2 * radiansPerDegree
        let s1 = sin(p1)
        let s2 = sin(p2)
        let n1 = a / (1 - e2 * s1 * s1).squareRoot()
        let n2 = a / (1 - e2 * s2 * s2).squareRoot()
        let r1 = n1 * cos(p1)
        let r2 = n2 * cos(p2)
        // |r1 - r2 e^(i east)|² without cancellation, as haversine does it.
        let half = sin(east * radiansPerDegree / 2)
        let across = (r1 - r2) * (r1 - r2) + 4 * r1 * r2 * half * half
        let z = (1 - e2) * (n1 * s1 - n2 * s2)
        let length = (across + z * z).squareRoot()
        // Gaussian radius of curvature at the middle, which is between those of every direction.
        let sine = sin(middle * radiansPerDegree)
        let radius = a * (1 - e2).squareRoot() / (1 - e2 * sine * sine)
        return 2 * radius * asin(min(1, length / (2 * radius)))
    }
}
