/// The offset of Chinese maps, GCJ-02, as a formula; where it applies is ``OffsetRegion``'s business.
///
/// These functions are the raw formula at any place: the caller asks for the region first. They refuse
/// nothing and trap on nothing; a position they have no value for comes back as it was.
public enum GCJ02 {
    // The public formula of 2013, on the ellipsoid Krasovsky 1940.
    static let a = 6_378_245.0
    static let e2 = 0.00669342162296594323
    /// Degrees in a metre to the north and to the east, at the equator.
    static let degreesNorth = 180 / Double.pi / (a * (1 - e2))
    static let degreesEast = 180 / Double.pi / a

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
        // Newton's method on w + shift(w) = g. The region plays no part here: testing it inside the loop
        // makes other implementations hang at its edge.
        var best = (latitude, longitude)
        var bestResidual = Double.infinity
        var (lat, lon) = (latitude, longitude)
        for _ in 0..<maximumRounds {
            let shift = Shift(latitude: lat, longitude: lon, height: height)
            let north = latitude - lat - shift.north
            let east = longitude - lon - shift.east
            let residual = max(abs(north), abs(east))
            guard residual < bestResidual else { break }
            best = (lat, lon)
            bestResidual = residual
            if residual <= 1e-13 { break }
            let (a, b) = (1 + shift.northByLatitude, shift.northByLongitude)
            let (c, d) = (shift.eastByLatitude, 1 + shift.eastByLongitude)
            let determinant = a * d - b * c
            lat += (d * north - b * east) / determinant
            lon += (a * east - c * north) / determinant
            // The shift bends by less than 0.1 per degree here: the next residual is below 1e-12.
            if residual < 2e-6, abs(lat) < 60, abs(lon - 105) > 0.01 { return (lat, lon) }
        }
        return best
    }

    /// The shift at a WGS 84 position, degrees north and east.
    @usableFromInline
    static func offset(
        latitude: Double, longitude: Double, height: Double
    ) -> (north: Double, east: Double) {
        guard abs(latitude) < 90, longitude.isFinite else { return (0, 0) }
        let shift = Shift(latitude: latitude, longitude: longitude, height: height)
        return (shift.north, shift.east)
    }

    /// The shift at a place and how it changes with it, degrees and degrees per degree.
    private struct Shift {
        let north: Double
        let east: Double
        let northByLatitude: Double
        let northByLongitude: Double
        let eastByLatitude: Double
        let eastByLongitude: Double

        @inline(__always)
        init(latitude: Double, longitude: Double, height: Double) {
            let x = longitude - 105
            let y = latitude - 35
            let wx = Waves(x)
            let wy = Waves(y)
            let root = abs(x).squareRoot()
            let fast = 20 * wx.six.sin + 20 * wx.two.sin
            // AMap's service adds a millimetre per metre of height to both axes.
            let metresNorth =
                -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * root + 0.001 * height
                + 2.0 / 3
                * (fast + 20 * wy.one.sin + 40 * wy.third.sin + 160 * wy.twelfth.sin
                    + 320 * wy.thirtieth.sin)
            let metresEast =
                300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * root + 0.001 * height
                + 2.0 / 3
                * (fast + 20 * wx.one.sin + 40 * wx.third.sin + 150 * wx.twelfth.sin
                    + 300 * wx.thirtieth.sin)
            let (sinLat, cosLat) = Angle.sinCos(latitude)
            let w = 1 - e2 * sinLat * sinLat
            let rootW = w.squareRoot()
            let perMetreNorth = w * rootW * degreesNorth
            let perMetreEast = rootW / cosLat * degreesEast
            north = metresNorth * perMetreNorth
            east = metresEast * perMetreEast

            // The root's slope has no bound at 105; a Newton step needs none that is larger.
            let slope = (x < 0 ? -0.5 : 0.5) / max(root, 1e-3)
            let k = 2.0 / 3 * Double.pi
            let fastSlope = k * (120 * wx.six.cos + 40 * wx.two.cos)
            northByLatitude =
                perMetreNorth
                * (3 + 0.4 * y + 0.1 * x + k
                    * (20 * wy.one.cos + 40.0 / 3 * wy.third.cos + 160.0 / 12 * wy.twelfth.cos
                        + 320.0 / 30 * wy.thirtieth.cos))
            northByLongitude = perMetreNorth * (2 + 0.1 * y + 0.2 * slope + fastSlope)
            eastByLatitude =
                perMetreEast * (2 + 0.1 * x) + east * sinLat / cosLat * Angle.radian
            eastByLongitude =
                perMetreEast
                * (1 + 0.2 * x + 0.1 * y + 0.1 * slope + fastSlope + k
                    * (20 * wx.one.cos + 40.0 / 3 * wx.third.cos + 150.0 / 12 * wx.twelfth.cos
                        + 300.0 / 30 * wx.thirtieth.cos))
        }
    }

    /// The waves the formula takes of one axis, all from one sine and cosine of πt/60.
    private struct Waves {
        typealias Wave = (sin: Double, cos: Double)
        let six: Wave  // of 6πt
        let two: Wave  // of 2πt
        let one: Wave  // of πt
        let third: Wave  // of πt/3
        let twelfth: Wave  // of πt/12
        let thirtieth: Wave  // of πt/30

        @inline(__always)
        init(_ t: Double) {
            // Doubling and tripling lose a bit a step; at 360 times the angle less than 1e-13 is lost.
            let first = Angle.sinCos(3 * t)
            thirtieth = Waves.doubled(first)
            let fourth = Waves.doubled(thirtieth)
            twelfth = (
                fourth.sin * first.cos + fourth.cos * first.sin,
                fourth.cos * first.cos - fourth.sin * first.sin
            )
            third = Waves.doubled(Waves.doubled(twelfth))
            one = Waves.tripled(third)
            two = Waves.doubled(one)
            six = Waves.tripled(two)
        }

        @inline(__always)
        private static func doubled(_ w: Wave) -> Wave {
            (2 * w.sin * w.cos, 1 - 2 * w.sin * w.sin)
        }

        @inline(__always)
        private static func tripled(_ w: Wave) -> Wave {
            (w.sin * (3 - 4 * w.sin * w.sin), w.cos * (4 * w.cos * w.cos - 3))
        }
    }
}

/// Baidu's second offset, BD-09, on top of GCJ-02.
public enum BD09 {
    /// The BD-09 position of a GCJ-02 position, degrees; the input where it is not finite.
    public static func fromGCJ02(
        latitude: Double, longitude: Double
    ) -> (latitude: Double, longitude: Double) {
        let turned = Turned(latitude: latitude, longitude: longitude)
        guard turned.latitude.isFinite, turned.longitude.isFinite else {
            return (latitude, longitude)
        }
        return (turned.latitude + 0.006, turned.longitude + 0.0065)
    }

    /// The GCJ-02 position of a BD-09 position, degrees, by Newton's method to 1e-12°.
    public static func toGCJ02(
        latitude: Double, longitude: Double
    ) -> (latitude: Double, longitude: Double) {
        guard latitude.isFinite, longitude.isFinite else { return (latitude, longitude) }
        let (y, x) = (latitude - 0.006, longitude - 0.0065)
        var best = (y, x)
        var bestResidual = Double.infinity
        var (lat, lon) = (y, x)
        for _ in 0..<GCJ02.maximumRounds {
            let turned = Turned(latitude: lat, longitude: lon)
            let north = y - turned.latitude
            let east = x - turned.longitude
            let residual = max(abs(north), abs(east))
            guard residual < bestResidual else { break }
            best = (lat, lon)
            bestResidual = residual
            if residual <= 1e-13 { break }
            let (a, b) = (turned.latitudeByLatitude, turned.latitudeByLongitude)
            let (c, d) = (turned.longitudeByLatitude, turned.longitudeByLongitude)
            let determinant = a * d - b * c
            lat += (d * north - b * east) / determinant
            lon += (a * east - c * north) / determinant
            // The turn bends by less than 1 per degree: the next residual is below 1e-12.
            if residual < 1e-6 { return (lat, lon) }
        }
        return best
    }

    /// A position in polar form with radius and angle changed, before the constant shift.
    private struct Turned {
        let latitude: Double
        let longitude: Double
        let latitudeByLatitude: Double
        let latitudeByLongitude: Double
        let longitudeByLatitude: Double
        let longitudeByLongitude: Double

        @inline(__always)
        init(latitude y: Double, longitude x: Double) {
            // Baidu's factor, π 3000/180 radians a degree, makes 3000 degrees of one.
            let waveY = Angle.sinCos(y * 3000)
            let waveX = Angle.sinCos(x * 3000)
            let radius = (x * x + y * y).squareRoot()
            let stretch = 0.00002 * waveY.sin
            // The turn is 3e-6 at most: two terms of its sine and cosine are all that a double holds.
            let turn = 0.000003 * waveX.cos
            let sinTurn = turn * (1 - turn * turn / 6)
            let cosTurn = 1 - turn * turn / 2
            let (unitX, unitY) = radius > 0 ? (x / radius, y / radius) : (1, 0)
            latitude = (radius + stretch) * (unitY * cosTurn + unitX * sinTurn)
            longitude = (radius + stretch) * (unitX * cosTurn - unitY * sinTurn)
            let k = Double.pi * 3000 / 180
            let stretchSlope = 0.00002 * k * waveY.cos
            let turnSlope = -0.000003 * k * waveX.sin
            latitudeByLatitude = 1 + unitY * stretchSlope
            latitudeByLongitude = turn + x * turnSlope
            longitudeByLatitude = unitX * stretchSlope - turn
            longitudeByLongitude = 1 - y * turnSlope
        }
    }
}
