import Glibc

/// Shortest lines on the WGS 84 ellipsoid, to a few nanometres anywhere.
///
/// Written from C. F. F. Karney, Algorithms for geodesics, Journal of Geodesy 87 (2013), 43-55. Every
/// function takes any double: what is not a position gives NaN.
public enum Geodesic {
    /// A shortest line between two points.
    public struct Line: Equatable, Sendable {
        /// Length, metres.
        public var distance: Double
        /// Azimuth at the first point, degrees from true north, -180 … 180.
        public var azimuth1: Double
        /// Azimuth at the second point, onwards, degrees from true north, -180 … 180.
        public var azimuth2: Double
    }

    /// Length of the shortest line between two positions in degrees, metres.
    public static func distance(
        _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
    ) -> Double {
        inverse(latitude1, longitude1, latitude2, longitude2).distance
    }

    /// The position a geodesic reaches (the direct problem).
    ///
    /// - Parameters:
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - azimuth: degrees clockwise from true north.
    ///   - distance: metres; negative goes backwards.
    /// - Returns: degrees, longitude in (-180, 180], and the azimuth there, -180 … 180.
    public static func direct(
        latitude: Double, longitude: Double, azimuth: Double, distance: Double
    ) -> (latitude: Double, longitude: Double, azimuth: Double) {
        guard abs(latitude) <= 90, longitude.isFinite, azimuth.isFinite, distance.isFinite
        else { return (.nan, .nan, .nan) }
        let (salp1, calp1) = Angle.sinCos(azimuth)
        let (sbet1, cbet1) = reduced(latitude)
        let salp0 = salp1 * cbet1
        let calp0 = hypot(calp1, salp1 * sbet1)
        let (ssig1, csig1) = unit(
            sbet1, sbet1 != 0 || calp1 != 0 ? cbet1 * calp1 : 1)
        let (somg1, comg1) = (salp0 * sbet1, sbet1 != 0 || calp1 != 0 ? cbet1 * calp1 : 1)
        let eps = GeodesicSeries.epsilon(cosSquared: calp0 * calp0)
        let a1 = GeodesicSeries.a1m1(eps)
        let series = GeodesicSeries.c1(eps)
        let b11 = series.sum(sin: ssig1, cos: csig1)
        // τ at the end, from τ = σ + B₁(σ), then σ by the reverted series.
        let tau12 = distance / (WGS84.b * (1 + a1))
        let (stau1, ctau1) = rotated(ssig1, csig1, by: b11)
        let (stau2, ctau2) = rotated(stau1, ctau1, by: tau12)
        let b12 = GeodesicSeries.c1Reverted(eps).sum(sin: stau2, cos: ctau2)
        let sig12 = tau12 + b12 + b11
        let (ssig2, csig2) = rotated(ssig1, csig1, by: sig12)
        let sbet2 = calp0 * ssig2
        var cbet2 = hypot(salp0, calp0 * csig2)
        if cbet2 == 0 { cbet2 = tiny }
        let (somg2, comg2) = (salp0 * ssig2, csig2)
        // The turns of σ and of ω are the same in number, so their difference counts none.
        let east = copysign(1, salp0)
        let turns =
            (atan2(ssig2, csig2) - atan2(ssig1, csig1))
            - (atan2(east * somg2, comg2) - atan2(east * somg1, comg1))
        let omega12 = east * (sig12 - turns)
        let c3 = GeodesicSeries.c3(eps)
        let swing =
            sig12 + (c3.sum(sin: ssig2, cos: csig2) - c3.sum(sin: ssig1, cos: csig1))
        let lambda12 = omega12 - WGS84.f * salp0 * GeodesicSeries.a3(eps) * swing
        return (
            atan2(sbet2, (1 - WGS84.f) * cbet2) / Angle.radian,
            Angle.wrapLongitude(
                Angle.wrapLongitude(longitude)
                    + Angle.wrapLongitude(lambda12 / Angle.radian)),
            Angle.atan2Degrees(salp0, calp0 * csig2)
        )
    }

    /// Smallest cosine of a reduced latitude: a pole keeps a longitude.
    static let tiny = 1.5e-154

    /// Sine and cosine of the reduced latitude of a latitude in degrees.
    static func reduced(_ latitude: Double) -> (sin: Double, cos: Double) {
        let (s, c) = Angle.sinCos(latitude)
        let (sbet, cbet) = unit((1 - WGS84.f) * s, c)
        return (sbet, max(tiny, cbet))
    }

    /// `y` and `x` divided by their hypotenuse.
    static func unit(_ y: Double, _ x: Double) -> (Double, Double) {
        let r = hypot(y, x)
        return (y / r, x / r)
    }

    /// Sine and cosine of an angle advanced by `radians`.
    private static func rotated(_ s: Double, _ c: Double, by radians: Double) -> (Double, Double) {
        let (sr, cr) = (sin(radians), cos(radians))
        return (s * cr + c * sr, c * cr - s * sr)
    }
}
