import Glibc

/// Arithmetic of angles in degrees that stays exact where degrees are exact.
public enum Angle {
    /// Radians in a degree.
    public static let radian = Double.pi / 180

    /// Brings a longitude into (-180, 180]; NaN for NaN and infinities.
    @inlinable
    public static func wrapLongitude(_ degrees: Double) -> Double {
        if degrees > -180, degrees <= 180 { return degrees }
        guard degrees.isFinite else { return .nan }
        let rest = degrees.remainder(dividingBy: 360)
        return rest == -180 ? 180 : rest
    }

    /// Brings a bearing into 0 ..< 360; NaN for NaN and infinities.
    @inlinable
    public static func wrapBearing(_ degrees: Double) -> Double {
        if degrees >= 0, degrees < 360 { return degrees }
        guard degrees.isFinite else { return .nan }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        guard rest < 0 else { return rest }
        // A tiny negative rest rounds up to 360 itself.
        return rest + 360 < 360 ? rest + 360 : 0
    }

    /// Whether both are finite, the latitude lies in -90 … 90 and the longitude in -180 … 180.
    @inlinable
    public static func isPosition(latitude: Double, longitude: Double) -> Bool {
        // Every comparison with NaN is false.
        abs(latitude) <= 90 && abs(longitude) <= 180
    }

    /// The difference `b - a` in [-180, 180] and what its rounding lost.
    static func difference(_ a: Double, _ b: Double) -> (sum: Double, rest: Double) {
        let (d, t) = sum((-a).remainder(dividingBy: 360), b.remainder(dividingBy: 360))
        let (e, u) = sum(d.remainder(dividingBy: 360), t)
        // At ±180 the sign is that of the exact difference.
        if e == 0 || abs(e) == 180 {
            return (copysign(e, u == 0 ? b - a : -u), u)
        }
        return (e, u)
    }

    /// Sine and cosine of degrees, to an ulp or two; exact at the multiples of 90.
    ///
    /// Both at once and without a call: a map offset takes six of them a round.
    @inline(__always)
    static func sinCos(_ degrees: Double, rest: Double = 0) -> (sin: Double, cos: Double) {
        // Adding and taking away 1.5 × 2^52 rounds to a whole number, which the sum's low bits hold.
        let shifted = degrees * (1.0 / 90) + 6_755_399_441_055_744
        let quadrant = shifted - 6_755_399_441_055_744
        guard abs(quadrant) < 1e6 else { return farSinCos(degrees) }
        let (s, c) = quarterSinCos(((degrees - 90 * quadrant) + rest) * radian)
        // Adding 0 makes -0 a 0.
        switch shifted.bitPattern & 3 {
        case 0: return (s, c)
        case 1: return (c, 0 - s)
        case 2: return (0 - s, -c)
        default: return (-c, s + 0)
        }
    }

    /// The same for angles of more than a hundred thousand turns, and NaN.
    private static func farSinCos(_ degrees: Double) -> (sin: Double, cos: Double) {
        guard degrees.isFinite else { return (.nan, .nan) }
        let rest = degrees.remainder(dividingBy: 360) * radian
        return (sin(rest), cos(rest))
    }

    /// Sine and cosine of an angle in -π/4 … π/4, by Taylor's series as far as a double feels it.
    @inline(__always)
    private static func quarterSinCos(_ t: Double) -> (Double, Double) {
        let z = t * t
        var s = -1.0 / 1_307_674_368_000  // 1/15!
        s = s * z + 1.0 / 6_227_020_800
        s = s * z - 1.0 / 39_916_800
        s = s * z + 1.0 / 362_880
        s = s * z - 1.0 / 5040
        s = s * z + 1.0 / 120
        s = s * z - 1.0 / 6
        var c = 1.0 / 20_922_789_888_000  // 1/16!
        c = c * z - 1.0 / 87_178_291_200
        c = c * z + 1.0 / 479_001_600
        c = c * z - 1.0 / 3_628_800
        c = c * z + 1.0 / 40_320
        c = c * z - 1.0 / 720
        c = c * z + 1.0 / 24
        return (t + t * z * s, 1 - (z / 2 - z * z * c))
    }

    /// `atan2` in degrees, exact at the multiples of 90.
    static func atan2Degrees(_ y: Double, _ x: Double) -> Double {
        if y == 0, x > 0 { return y }
        return atan2(y, x) / radian
    }

    /// Sum and rounding error of two doubles.
    // Knuth, The Art of Computer Programming, volume 2, section 4.2.2, theorem B.
    static func sum(_ u: Double, _ v: Double) -> (sum: Double, rest: Double) {
        let s = u + v
        let up = s - v
        let vpp = s - up
        return (s, (u - up) + (v - vpp))
    }
}
