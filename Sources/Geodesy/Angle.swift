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

    /// Sine and cosine of degrees; exact at the multiples of 90.
    static func sinCos(_ degrees: Double, rest: Double = 0) -> (sin: Double, cos: Double) {
        guard degrees.isFinite else { return (.nan, .nan) }
        let quadrant = (degrees / 90).rounded(.toNearestOrEven)
        let angle = ((degrees - 90 * quadrant) + rest) * radian
        let s = sin(angle)
        let c = cos(angle)
        switch Int(quadrant.remainder(dividingBy: 4)) & 3 {
        case 0: return (s, c)
        case 1: return (c, -s + 0)
        case 2: return (-s, -c)
        default: return (-c, s + 0)
        }
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
