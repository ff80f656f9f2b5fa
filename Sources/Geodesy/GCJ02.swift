import Glibc

/// The offset of Chinese maps, GCJ-02, as a formula; where it applies is ``OffsetRegion``'s business.
///
/// These functions are the raw formula at any place: the caller asks for the region first. They refuse
/// nothing and trap on nothing; a position they have no value for comes back as it was.
public enum GCJ02 {
    // The public formula of 2013, on the ellipsoid Krasovsky 1940.
    private static let a = 6_378_245.0
    private static let e2 = 0.00669342162296594323

    /// The most rounds the inverse takes.
    public static let maximumRounds = 10

    /// Latitude beyond which the inverse gives the input back; no region is near.
    public static let polarLimit = 89.0

    /// Shifts a WGS 84 position.
    ///
    /// - Parameters:
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - height: metres that AMap's height term is taken from; 0 is the public definition.
    /// - Returns: GCJ-02 degrees, the longitude not wrapped; the input at a pole and where it is not finite.
    @inlinable
    public static func fromWGS84(
        latitude: Double, longitude: Double, height: Double = 0
    ) -> (latitude: Double, longitude: Double) {
        let (north, east) = offset(latitude: latitude, longitude: longitude, height: height)
        return (latitude + north, longitude + east)
    }

    /// Undoes the shift of a GCJ-02 position by iteration.
    ///
    /// - Parameters: as ``fromWGS84(latitude:longitude:height:)``, degrees in GCJ-02.
    /// - Returns: WGS 84 degrees whose shift is the input to 1e-12° (1e-9° at longitude 105, where the
    ///   formula has a cusp); the input beyond ``polarLimit``.
    public static func toWGS84(
        latitude: Double, longitude: Double, height: Double = 0
    ) -> (latitude: Double, longitude: Double) {
        guard abs(latitude) <= polarLimit, longitude.isFinite else { return (latitude, longitude) }
        // w ← g - shift(w). The shift changes by less than 0.7 % of a step, so a round gains two digits.
        // The region plays no part here: testing it inside the loop made others hang at its edge.
        var best = (latitude, longitude)
        var bestResidual = Double.infinity
        var (lat, lon) = (latitude, longitude)
        for _ in 0..<maximumRounds {
            let (north, east) = offset(latitude: lat, longitude: lon, height: height)
            let (nextLat, nextLon) = (latitude - north, longitude - east)
            let residual = max(abs(nextLat - lat), abs(nextLon - lon))
            guard residual < bestResidual else { break }
            best = (lat, lon)
            bestResidual = residual
            if residual <= 1e-13 { break }
            (lat, lon) = (nextLat, nextLon)
        }
        return best
    }

    /// The shift at a WGS 84 position, degrees north and east.
    @usableFromInline
    static func offset(
        latitude: Double, longitude: Double, height: Double
    ) -> (north: Double, east: Double) {
        guard abs(latitude) < 90, longitude.isFinite else { return (0, 0) }
        let x = longitude - 105
        let y = latitude - 35
        let wx = Waves(x)
        let wy = Waves(y)
        let fast = 20 * wx.six + 20 * wx.two
        var north = -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * abs(x).squareRoot()
        north +=
            2.0 / 3 * (fast + 20 * wy.one + 40 * wy.third + 160 * wy.twelfth + 320 * wy.thirtieth)
        var east = 300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * abs(x).squareRoot()
        east +=
            2.0 / 3 * (fast + 20 * wx.one + 40 * wx.third + 150 * wx.twelfth + 300 * wx.thirtieth)
        // AMap's service adds a millimetre per metre of height to both axes.
        north += 0.001 * height
        east += 0.001 * height
        let phi = latitude * Angle.radian
        let sinLat = sin(phi)
        let w = 1 - e2 * sinLat * sinLat
        let rootW = w.squareRoot()
        return (
            north * w * rootW / (a * (1 - e2) * Angle.radian),
            east * rootW / (a * cos(phi) * Angle.radian)
        )
    }

    /// The sines the formula takes of one axis, all from one sine and cosine of πt/60.
    private struct Waves {
        let six: Double  // sin 6πt
        let two: Double  // sin 2πt
        let one: Double  // sin πt
        let third: Double  // sin πt/3
        let twelfth: Double  // sin πt/12
        let thirtieth: Double  // sin πt/30

        init(_ t: Double) {
            let angle = t * (Double.pi / 60)
            let s1 = sin(angle)
            let c1 = cos(angle)
            // Doubling and tripling lose a bit a step; 360 times the angle stays below 1e-13.
            let (s2, c2) = (2 * s1 * c1, 1 - 2 * s1 * s1)
            let (s4, c4) = (2 * s2 * c2, 1 - 2 * s2 * s2)
            let (s5, c5) = (s4 * c1 + c4 * s1, c4 * c1 - s4 * s1)
            let (s10, c10) = (2 * s5 * c5, 1 - 2 * s5 * s5)
            let (s20, c20) = (2 * s10 * c10, 1 - 2 * s10 * s10)
            let (s60, c60) = (s20 * (3 - 4 * s20 * s20), c20 * (4 * c20 * c20 - 3))
            let s120 = 2 * s60 * c60
            thirtieth = s2
            twelfth = s5
            third = s20
            one = s60
            two = s120
            six = s120 * (3 - 4 * s120 * s120)
        }
    }
}

/// Baidu's second offset, BD-09, on top of GCJ-02.
public enum BD09 {
    private static let k = Double.pi * 3000 / 180

    /// The BD-09 position of a GCJ-02 position, degrees; the input where it is not finite.
    public static func fromGCJ02(
        latitude: Double, longitude: Double
    ) -> (latitude: Double, longitude: Double) {
        let (u, v) = turned(latitude: latitude, longitude: longitude)
        guard u.isFinite, v.isFinite else { return (latitude, longitude) }
        return (u + 0.006, v + 0.0065)
    }

    /// The GCJ-02 position of a BD-09 position, degrees, by iteration to 1e-13°.
    public static func toGCJ02(
        latitude: Double, longitude: Double
    ) -> (latitude: Double, longitude: Double) {
        guard latitude.isFinite, longitude.isFinite else { return (latitude, longitude) }
        let (y, x) = (latitude - 0.006, longitude - 0.0065)
        var best = (y, x)
        var bestResidual = Double.infinity
        var (lat, lon) = (y, x)
        for _ in 0..<GCJ02.maximumRounds {
            let (u, v) = turned(latitude: lat, longitude: lon)
            let residual = max(abs(u - y), abs(v - x))
            guard residual < bestResidual else { break }
            best = (lat, lon)
            bestResidual = residual
            if residual <= 1e-13 { break }
            lat -= u - y
            lon -= v - x
        }
        return best
    }

    /// The position in polar form with radius and angle changed, before the constant shift.
    private static func turned(
        latitude y: Double, longitude x: Double
    ) -> (latitude: Double, longitude: Double) {
        let radius = (x * x + y * y).squareRoot()
        let stretched = radius + 0.00002 * sin(y * k)
        // The turn is 3e-6 at most: two terms of its sine and cosine are all that a double holds.
        let turn = 0.000003 * cos(x * k)
        let sinTurn = turn * (1 - turn * turn / 6)
        let cosTurn = 1 - turn * turn / 2
        guard radius > 0 else { return (stretched * sinTurn, stretched * cosTurn) }
        let scale = stretched / radius
        return (scale * (y * cosTurn + x * sinTurn), scale * (x * cosTurn - y * sinTurn))
    }
}
