/// The series of the geodesic problem for WGS 84, to sixth order.
///
/// Source of every coefficient: C. F. F. Karney, Algorithms for geodesics, Journal of Geodesy 87 (2013),
/// 43-55, equations 17 to 25.
enum GeodesicSeries {
    /// Third flattening.
    static let n = WGS84.f / (2 - WGS84.f)
    /// Second eccentricity squared.
    static let ep2 = WGS84.e2 / (1 - WGS84.e2)

    /// Coefficients of sin 2σ … sin 12σ.
    struct Sines {
        var c1 = 0.0
        var c2 = 0.0
        var c3 = 0.0
        var c4 = 0.0
        var c5 = 0.0
        var c6 = 0.0

        /// The sum at σ, by Clenshaw's recurrence.
        func sum(sin s: Double, cos c: Double) -> Double {
            let x = 2 * (c - s) * (c + s)
            let b6 = c6
            let b5 = c5 + x * b6
            let b4 = c4 + x * b5 - b6
            let b3 = c3 + x * b4 - b5
            let b2 = c2 + x * b3 - b4
            let b1 = c1 + x * b2 - b3
            return 2 * s * c * b1
        }
    }

    /// A₁ - 1, equation 17.
    static func a1m1(_ e: Double) -> Double {
        let e2 = e * e
        let t = e2 * (1.0 / 4 + e2 * (1.0 / 64 + e2 / 256))
        return (t + e) / (1 - e)
    }

    /// C₁, equation 18.
    static func c1(_ e: Double) -> Sines {
        let e2 = e * e
        let e3 = e2 * e
        let e4 = e2 * e2
        return Sines(
            c1: e * (-1.0 / 2 + e2 * (3.0 / 16 - e2 / 32)),
            c2: e2 * (-1.0 / 16 + e2 * (1.0 / 32 - e2 * 9 / 2048)),
            c3: e3 * (-1.0 / 48 + e2 * 3 / 256),
            c4: e4 * (-5.0 / 512 + e2 * 3 / 512),
            c5: e4 * e * (-7.0 / 1280),
            c6: e4 * e2 * (-7.0 / 2048))
    }

    /// C₁′, equation 21: C₁ reverted.
    static func c1Reverted(_ e: Double) -> Sines {
        let e2 = e * e
        let e3 = e2 * e
        let e4 = e2 * e2
        return Sines(
            c1: e * (1.0 / 2 + e2 * (-9.0 / 32 + e2 * 205 / 1536)),
            c2: e2 * (5.0 / 16 + e2 * (-37.0 / 96 + e2 * 1335 / 4096)),
            c3: e3 * (29.0 / 96 - e2 * 75 / 128),
            c4: e4 * (539.0 / 1536 - e2 * 2391 / 2560),
            c5: e4 * e * (3467.0 / 7680),
            c6: e4 * e2 * (38081.0 / 61440))
    }

    /// A₂ - 1, equation 42.
    static func a2m1(_ e: Double) -> Double {
        let e2 = e * e
        let t = e2 * (1.0 / 4 + e2 * (9.0 / 64 + e2 * 25 / 256))
        return t * (1 - e) - e
    }

    /// C₂, equation 43.
    static func c2(_ e: Double) -> Sines {
        let e2 = e * e
        let e3 = e2 * e
        let e4 = e2 * e2
        return Sines(
            c1: e * (1.0 / 2 + e2 * (1.0 / 16 + e2 / 32)),
            c2: e2 * (3.0 / 16 + e2 * (1.0 / 32 + e2 * 35 / 2048)),
            c3: e3 * (5.0 / 48 + e2 * 5 / 256),
            c4: e4 * (35.0 / 512 + e2 * 7 / 512),
            c5: e4 * e * (63.0 / 1280),
            c6: e4 * e2 * (77.0 / 2048))
    }

    /// A₃, equation 24.
    static func a3(_ e: Double) -> Double {
        let t1 = 1.0 / 2 - n / 2
        let t2 = 1.0 / 4 + n * (1.0 / 8 - n * 3 / 8)
        let t3 = 1.0 / 16 + n * (3.0 / 16 + n / 16)
        let t4 = 3.0 / 64 + n / 32
        return 1 - e * (t1 + e * (t2 + e * (t3 + e * (t4 + e * 3 / 128))))
    }

    /// C₃, equation 25.
    static func c3(_ e: Double) -> Sines {
        let e2 = e * e
        let e3 = e2 * e
        let e4 = e2 * e2
        let t11 = 1.0 / 4 - n / 4
        let t12 = 1.0 / 8 - n * n / 8
        let t13 = 3.0 / 64 + n * (3.0 / 64 - n / 64)
        let t14 = 5.0 / 128 + n / 64
        let t22 = 1.0 / 16 + n * (-3.0 / 32 + n / 32)
        let t23 = 3.0 / 64 + n * (-1.0 / 32 - n * 3 / 64)
        let t24 = 3.0 / 128 + n / 128
        let t33 = 5.0 / 192 + n * (-3.0 / 64 + n * 5 / 192)
        let t34 = 3.0 / 128 - n * 5 / 192
        let t44 = 7.0 / 512 - n * 7 / 256
        return Sines(
            c1: e * (t11 + e * (t12 + e * (t13 + e * (t14 + e * 3 / 128)))),
            c2: e2 * (t22 + e * (t23 + e * (t24 + e * 5 / 256))),
            c3: e3 * (t33 + e * (t34 + e * 7 / 512)),
            c4: e4 * (t44 + e * 7 / 512),
            c5: e4 * e * 21 / 2560)
    }

    /// ε of a geodesic whose azimuth at the equator has cosine squared `cosSquared`, equation 16.
    static func epsilon(cosSquared: Double) -> Double {
        let k2 = cosSquared * ep2
        return k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
    }

    /// Distance and reduced length between two points of one geodesic, both over the polar radius.
    static func lengths(
        epsilon: Double, sigma: Double, from p: Bound, to q: Bound
    ) -> (distance: Double, reduced: Double) {
        let a1 = a1m1(epsilon)
        let a2 = a2m1(epsilon)
        let series1 = c1(epsilon)
        let series2 = c2(epsilon)
        let b1 = series1.sum(sin: q.sin, cos: q.cos) - series1.sum(sin: p.sin, cos: p.cos)
        let b2 = series2.sum(sin: q.sin, cos: q.cos) - series2.sum(sin: p.sin, cos: p.cos)
        let j = (a1 - a2) * sigma + ((1 + a1) * b1 - (1 + a2) * b2)
        // Equation 38.
        let reduced =
            q.dn * (p.cos * q.sin) - p.dn * (p.sin * q.cos) - p.cos * q.cos * j
        return ((1 + a1) * (sigma + b1), reduced)
    }

    /// One end of a geodesic: sine and cosine of its arc σ, and √(1 + k² sin²σ).
    struct Bound {
        var sin: Double
        var cos: Double
        var dn: Double
    }
}
