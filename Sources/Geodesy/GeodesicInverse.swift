import Glibc

extension Geodesic {
    /// The shortest line between two positions in degrees (the inverse problem).
    public static func inverse(
        _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
    ) -> Line {
        guard abs(latitude1) <= 90, abs(latitude2) <= 90, longitude1.isFinite, longitude2.isFinite
        else { return Line(distance: .nan, azimuth1: .nan, azimuth2: .nan) }
        // Reduce to 0 ≤ λ₁₂ ≤ 180, φ₁ ≤ 0 and |φ₂| ≤ |φ₁|; undone at the end.
        let (wide, rest) = Angle.difference(longitude1, longitude2)
        let eastward: Double = wide.sign == .minus ? -1 : 1
        let lon12 = eastward * wide
        let lon12rest = eastward * rest
        let swap: Double = abs(latitude1) < abs(latitude2) ? -1 : 1
        var (lat1, lat2) = swap < 0 ? (latitude2, latitude1) : (latitude1, latitude2)
        let mirror: Double = lat1.sign == .minus ? 1 : -1
        lat1 *= mirror
        lat2 *= mirror
        let solution = Problem(
            lat1: lat1, lat2: lat2, lon12: lon12, rest: lon12rest
        ).solved()
        var (salp1, calp1) = (solution.salp1, solution.calp1)
        var (salp2, calp2) = (solution.salp2, solution.calp2)
        if swap < 0 {
            (salp1, salp2) = (salp2, salp1)
            (calp1, calp2) = (calp2, calp1)
        }
        let flip = swap * mirror
        return Line(
            distance: solution.distance + 0,
            azimuth1: atan2(eastward * salp1, flip * calp1) / Angle.radian,
            azimuth2: atan2(eastward * salp2, flip * calp2) / Angle.radian)
    }

    /// The reduced inverse problem: section 4 of the paper.
    private struct Problem {
        let sbet1: Double
        let cbet1: Double
        let sbet2: Double
        let cbet2: Double
        let dn1: Double
        let dn2: Double
        let lam12: Double
        let slam12: Double
        let clam12: Double
        /// 180° - λ₁₂, in degrees, without the loss of that difference.
        let supplement: Double
        let atPole: Bool

        /// A shortest line of the reduced problem, azimuths as sine and cosine.
        struct Solution {
            var distance: Double
            var salp1: Double
            var calp1: Double
            var salp2: Double
            var calp2: Double
        }

        init(lat1: Double, lat2: Double, lon12: Double, rest: Double) {
            supplement = (180 - lon12) - rest
            lam12 = (lon12 + rest) * Angle.radian
            if lon12 > 90 {
                let (s, c) = Angle.sinCos(supplement)
                (slam12, clam12) = (s, -c)
            } else {
                (slam12, clam12) = Angle.sinCos(lon12, rest: rest)
            }
            let one = Geodesic.reduced(lat1)
            var two = Geodesic.reduced(lat2)
            // Equal or opposite latitudes must stay so, or the short way round is missed.
            if abs(lat1) == abs(lat2) {
                two = (copysign(one.sin, two.sin), one.cos)
            }
            (sbet1, cbet1) = (one.sin, one.cos)
            (sbet2, cbet2) = (two.sin, two.cos)
            dn1 = (1 + GeodesicSeries.ep2 * sbet1 * sbet1).squareRoot()
            dn2 = (1 + GeodesicSeries.ep2 * sbet2 * sbet2).squareRoot()
            atPole = lat1 == -90
        }

        func solved() -> Solution {
            if atPole || slam12 == 0 { return meridional() }
            if sbet1 == 0, supplement >= WGS84.f * 180 {
                return Solution(distance: WGS84.a * lam12, salp1: 1, calp1: 0, salp2: 1, calp2: 0)
            }
            let start = start()
            return start.short ?? refined(start)
        }

        /// The two points lie on one meridian, or one of them is a pole.
        private func meridional() -> Solution {
            let (ssig1, csig1) = (sbet1, clam12 * cbet1)
            let (ssig2, csig2) = (sbet2, cbet2)
            let sig12 = atan2(
                max(0, csig1 * ssig2 - ssig1 * csig2), csig1 * csig2 + ssig1 * ssig2)
            let (distance, _) = GeodesicSeries.lengths(
                epsilon: GeodesicSeries.n, sigma: sig12,
                from: .init(sin: ssig1, cos: csig1, dn: dn1),
                to: .init(sin: ssig2, cos: csig2, dn: dn2))
            return Solution(
                distance: distance * WGS84.b, salp1: slam12, calp1: clam12, salp2: 0, calp2: 1)
        }

        /// A first azimuth, or the whole answer where the line is short.
        private struct Start {
            var salp1: Double
            var calp1: Double
            var short: Solution?
        }

        private func start() -> Start {
            let sbet12 = sbet2 * cbet1 - cbet2 * sbet1
            let cbet12 = cbet2 * cbet1 + sbet2 * sbet1
            let sbet12a = sbet2 * cbet1 + cbet2 * sbet1
            let isShort = cbet12 >= 0 && sbet12 < 0.5 && cbet2 * lam12 < 0.5
            var (somg12, comg12) = (slam12, clam12)
            var dnm = 1.0
            if isShort {
                // Section 4, equation 48: the spheroid taken as a sphere of the mean latitude.
                var sum2 = (sbet1 + sbet2) * (sbet1 + sbet2)
                sum2 /= sum2 + (cbet1 + cbet2) * (cbet1 + cbet2)
                dnm = (1 + GeodesicSeries.ep2 * sum2).squareRoot()
                let omg12 = lam12 / ((1 - WGS84.f) * dnm)
                (somg12, comg12) = (sin(omg12), cos(omg12))
            }
            var salp1 = cbet2 * somg12
            var calp1 =
                comg12 >= 0
                ? sbet12 + cbet2 * sbet1 * somg12 * somg12 / (1 + comg12)
                : sbet12a - cbet2 * sbet1 * somg12 * somg12 / (1 - comg12)
            let ssig12 = hypot(salp1, calp1)
            let csig12 = sbet1 * sbet2 + cbet1 * cbet2 * comg12
            if isShort, ssig12 < Problem.shortEnough {
                let salp2 = cbet1 * somg12
                let calp2 =
                    sbet12 - cbet1 * sbet2
                    * (comg12 >= 0 ? somg12 * somg12 / (1 + comg12) : 1 - comg12)
                if ssig12 == 0 {
                    return Start(
                        salp1: 0, calp1: 1,
                        short: Solution(distance: 0, salp1: 0, calp1: 1, salp2: 0, calp2: 1))
                }
                let one = unit(salp1, calp1)
                let two = unit(salp2, calp2)
                return Start(
                    salp1: one.0, calp1: one.1,
                    short: Solution(
                        distance: atan2(ssig12, csig12) * WGS84.b * dnm,
                        salp1: one.0, calp1: one.1, salp2: two.0, calp2: two.1))
            }
            // Far from the antipode the sphere is near enough.
            let far = csig12 >= 0 || ssig12 >= 6 * GeodesicSeries.n * Double.pi * cbet1 * cbet1
            if !far { (salp1, calp1) = nearAntipodal(sbet12a) }
            guard salp1 > 0 else { return Start(salp1: 1, calp1: 0) }
            let first = unit(salp1, calp1)
            return Start(salp1: first.0, calp1: first.1)
        }

        /// A first azimuth near the antipode, from the astroid: equations 53 to 59.
        private func nearAntipodal(_ sbet12a: Double) -> (Double, Double) {
            let k2 = sbet1 * sbet1 * GeodesicSeries.ep2
            let eps = k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
            let lonScale = WGS84.f * cbet1 * GeodesicSeries.a3(eps) * Double.pi
            let latScale = lonScale * cbet1
            let x = -supplement * Angle.radian / lonScale
            let y = sbet12a / latScale
            if y > -Problem.tolerance, x > -1 - Problem.loose {
                let salp1 = min(1, -x)
                return (salp1, -(1 - salp1 * salp1).squareRoot())
            }
            let k = Problem.astroid(x, y)
            let omg12a = lonScale * (-x * k / (1 + k))
            let (somg12, comg12) = (sin(omg12a), -cos(omg12a))
            return (
                cbet2 * somg12, sbet12a - cbet2 * sbet1 * somg12 * somg12 / (1 - comg12)
            )
        }

        /// Newton's method on the longitude, kept inside a bracket: section 4.
        private func refined(_ start: Start) -> Solution {
            var (salp1, calp1) = (start.salp1, start.calp1)
            var (salp1a, calp1a) = (Geodesic.tiny, 1.0)
            var (salp1b, calp1b) = (Geodesic.tiny, -1.0)
            var last = false
            for round in 0..<Problem.maximumRounds {
                let step = lambda(salp1: salp1, calp1: calp1)
                let v = step.error
                if last || !(abs(v) >= (round < 20 ? 8 : 1) * Problem.tolerance0) {
                    return step.solution
                }
                if v > 0, calp1 / salp1 > calp1b / salp1b {
                    (salp1b, calp1b) = (salp1, calp1)
                } else if v < 0, calp1 / salp1 < calp1a / salp1a {
                    (salp1a, calp1a) = (salp1, calp1)
                }
                if round < 20, step.slope > 0 {
                    let dalp1 = -v / step.slope
                    if abs(dalp1) < Double.pi {
                        let (sd, cd) = (sin(dalp1), cos(dalp1))
                        let next = salp1 * cd + calp1 * sd
                        if next > 0 {
                            (salp1, calp1) = unit(next, calp1 * cd - salp1 * sd)
                            last = abs(v) <= 16 * Problem.tolerance0
                            continue
                        }
                    }
                }
                (salp1, calp1) = unit((salp1a + salp1b) / 2, (calp1a + calp1b) / 2)
                last =
                    abs(salp1a - salp1) + (calp1a - calp1) < Problem.tolerance0 * Problem.tolerance
                    || abs(salp1 - salp1b) + (calp1 - calp1b)
                        < Problem.tolerance0 * Problem.tolerance
            }
            return lambda(salp1: salp1, calp1: calp1).solution
        }

        /// The longitude that an azimuth at the first point leads to, less the wanted one.
        private func lambda(
            salp1: Double, calp1 first: Double
        ) -> (error: Double, slope: Double, solution: Solution) {
            // On the equator, due east or west is no geodesic that could be varied.
            let calp1 = sbet1 == 0 && first == 0 ? -Geodesic.tiny : first
            let salp0 = salp1 * cbet1
            let calp0 = hypot(calp1, salp1 * sbet1)
            let (somg1, comg1) = (salp0 * sbet1, calp1 * cbet1)
            let (ssig1, csig1) = unit(sbet1, comg1)
            let salp2 = cbet2 != cbet1 ? salp0 / cbet2 : salp1
            let across =
                cbet1 < -sbet1
                ? (cbet2 - cbet1) * (cbet1 + cbet2) : (sbet1 - sbet2) * (sbet1 + sbet2)
            let calp2 =
                cbet2 != cbet1 || abs(sbet2) != -sbet1
                ? (calp1 * cbet1 * calp1 * cbet1 + across).squareRoot() / cbet2 : abs(calp1)
            let (somg2, comg2) = (salp0 * sbet2, calp2 * cbet2)
            let (ssig2, csig2) = unit(sbet2, comg2)
            let sig12 = atan2(
                max(0, csig1 * ssig2 - ssig1 * csig2), csig1 * csig2 + ssig1 * ssig2)
            let somg12 = max(0, comg1 * somg2 - somg1 * comg2)
            let comg12 = comg1 * comg2 + somg1 * somg2
            let eta = atan2(
                somg12 * clam12 - comg12 * slam12, comg12 * clam12 + somg12 * slam12)
            let eps = GeodesicSeries.epsilon(cosSquared: calp0 * calp0)
            let c3 = GeodesicSeries.c3(eps)
            let b312 = c3.sum(sin: ssig2, cos: csig2) - c3.sum(sin: ssig1, cos: csig1)
            let shortfall = -WGS84.f * GeodesicSeries.a3(eps) * salp0 * (sig12 + b312)
            let (distance, reduced) = GeodesicSeries.lengths(
                epsilon: eps, sigma: sig12, from: .init(sin: ssig1, cos: csig1, dn: dn1),
                to: .init(sin: ssig2, cos: csig2, dn: dn2))
            let slope =
                calp2 == 0
                ? -2 * (1 - WGS84.f) * dn1 / sbet1
                : reduced * (1 - WGS84.f) / (calp2 * cbet2)
            return (
                eta + shortfall, slope,
                Solution(
                    distance: distance * WGS84.b, salp1: salp1, calp1: calp1, salp2: salp2,
                    calp2: calp2)
            )
        }

        /// The positive root k of k⁴ + 2k³ - (x² + y² - 1)k² - 2y²k - y² = 0, equation 55.
        private static func astroid(_ x: Double, _ y: Double) -> Double {
            let (p, q) = (x * x, y * y)
            let r = (p + q - 1) / 6
            guard q != 0 || r > 0 else { return 0 }
            // Its resolvent cubic, solved as the addenda to the paper do.
            let s = p * q / 4
            let r3 = r * r * r
            let disc = s * (s + 2 * r3)
            var u = r
            if disc >= 0 {
                var t3 = s + r3
                t3 += t3 < 0 ? -disc.squareRoot() : disc.squareRoot()
                let t = cbrt(t3)
                u += t + (t != 0 ? r * r / t : 0)
            } else {
                let angle = atan2((-disc).squareRoot(), -(s + r3))
                u += 2 * r * cos(angle / 3)
            }
            let v = (u * u + q).squareRoot()
            let uv = u < 0 ? q / (v - u) : u + v
            let w = (uv - q) / (2 * v)
            return uv / ((uv + w * w).squareRoot() + w)
        }

        private static let maximumRounds = 83
        private static let tolerance0 = Double.ulpOfOne
        private static let tolerance = 200 * tolerance0
        private static let loose = 1000 * tolerance0.squareRoot()
        /// Arc below which the sphere's answer is exact to rounding.
        private static let shortEnough =
            0.1 * tolerance0.squareRoot() / (WGS84.f * (1 - WGS84.f / 2) / 2).squareRoot()
    }
}
