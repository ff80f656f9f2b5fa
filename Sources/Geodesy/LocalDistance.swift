import Glibc

/// The distance of neighbouring points on the WGS 84 ellipsoid, cheap enough for every fix.
///
/// Within about 10 km it multiplies the differences of latitude and longitude with the radii of curvature at the
/// middle (one sine, one root), good to 2e-5 of the distance; farther apart and near the poles, where a track seldom
/// is, it asks the geodesic.
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
            return Geodesic.distance(latitude1, longitude1, latitude2, longitude2)
        }
        let sine = sin(middle * radiansPerDegree)
        let w2 = 1 - e2 * sine * sine
        let w = w2.squareRoot()
        let dn = north * radiansPerDegree * (1 - e2) / w2
        let de = east * radiansPerDegree
        return a / w * (dn * dn + de * de * (1 - sine * sine)).squareRoot()
    }
}
