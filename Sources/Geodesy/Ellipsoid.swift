/// An ellipsoid of revolution, by its equatorial radius and flattening.
public struct Ellipsoid: Equatable, Sendable {
    /// Equatorial radius, metres.
    public let a: Double
    /// Flattening, dimensionless.
    public let f: Double

    /// An ellipsoid of that radius (metres) and flattening.
    @inlinable
    public init(a: Double, f: Double) {
        self.a = a
        self.f = f
    }

    /// Polar radius, metres.
    @inlinable
    public var b: Double { a * (1 - f) }

    /// First eccentricity squared.
    @inlinable
    public var e2: Double { f * (2 - f) }

    /// WGS 84.
    public static let wgs84 = Ellipsoid(a: WGS84.a, f: WGS84.f)
    // Moritz, Geodetic Reference System 1980, Bulletin géodésique 54 (1980).
    /// GRS 80, of ITRF and the plate-fixed datums.
    public static let grs80 = Ellipsoid(a: 6_378_137, f: 1 / 298.257222101)
    // EPSG ellipsoid 7001.
    /// Airy 1830, of OSGB36.
    public static let airy = Ellipsoid(a: 6_377_563.396, f: 1 / 299.3249646)
    // EPSG ellipsoid 7004.
    /// Bessel 1841, of the Tokyo datum.
    public static let bessel = Ellipsoid(a: 6_377_397.155, f: 1 / 299.1528128)
}

/// The World Geodetic System 1984, the frame of every stored position.
public enum WGS84 {
    // WGS 84: NGA.STND.0036 (2014), table 3.1.
    /// Equatorial radius, metres.
    public static let a = 6_378_137.0
    /// Flattening, dimensionless.
    public static let f = 1 / 298.257223563
    /// First eccentricity squared.
    public static let e2 = f * (2 - f)
    /// Polar radius, metres.
    public static let b = a * (1 - f)
    // Moritz 1980: R1.
    /// Mean radius (2a + b) / 3, metres.
    public static let meanRadius = 6_371_008.7714
}
