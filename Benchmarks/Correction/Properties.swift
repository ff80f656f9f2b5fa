import Correction
import Geodesy

/// Rules that hold for every position, tried on many random and adversarial ones.
struct Properties {
    private(set) var failures: [String] = []
    private var random = SplitMix(seed: 20260501)
    private let policy = OffsetPolicy(.all)

    /// Tries `count` positions.
    mutating func run(count: Int) {
        for index in 0..<count {
            let (latitude, longitude) = position(index)
            checkFormula(latitude, longitude)
            guard let wgs = Position<WGS84>(latitude: latitude, longitude: longitude) else {
                continue
            }
            checkRoundTrip(wgs)
            checkInput(latitude, longitude)
            if failures.count > 10 { return }
        }
    }

    /// Half of the positions in and around the regions, a quarter anywhere, a quarter where others broke.
    private mutating func position(_ index: Int) -> (Double, Double) {
        func uniform(_ range: ClosedRange<Double>) -> Double {
            Double.random(in: range, using: &random)
        }
        switch index % 4 {
        case 0, 1: return (uniform(17...54.5), uniform(73...135.5))
        case 2: return (uniform(-90...90), uniform(-180...180))
        default: break
        }
        // The box's edges, the cusp, the poles, the antimeridian and what is no number.
        let latitudes = [
            0.8293, 55.8271, 89, -89, 90, -90, 0, 35, 22.3, .nan, .infinity, 1e300,
        ]
        let longitudes = [
            72.004, 137.8347, 105, 180, -180, 0, 113.55, 114.2, .nan, -.infinity, -1e300,
        ]
        let near = [0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 5e-3]
        func pick(_ values: [Double]) -> Double {
            let value = values[Int.random(in: 0..<values.count, using: &random)]
            let step = near[Int.random(in: 0..<near.count, using: &random)]
            return Bool.random(using: &random) ? value + step : value - step
        }
        return switch Int.random(in: 0..<3, using: &random) {
        case 0: (pick(latitudes), uniform(70...140))
        case 1: (uniform(0...56), pick(longitudes))
        default: (pick(latitudes), pick(longitudes))
        }
    }

    private mutating func fail(_ rule: String, _ latitude: Double, _ longitude: Double) {
        failures.append("\(rule): \(latitude) \(longitude)")
    }

    /// The raw formula ends for every double; its inverse is one to 1e-9° wherever a region could be.
    private mutating func checkFormula(_ latitude: Double, _ longitude: Double) {
        _ = BD09.fromGCJ02(latitude: latitude, longitude: longitude)
        _ = BD09.toGCJ02(latitude: latitude, longitude: longitude)
        let undone = GCJ02.toWGS84(latitude: latitude, longitude: longitude)
        guard (0...60).contains(latitude), (70...140).contains(longitude) else { return }
        let again = GCJ02.fromWGS84(latitude: undone.latitude, longitude: undone.longitude)
        let tolerance = abs(undone.longitude - 105) < 1e-9 ? 1e-9 : 1e-11
        if !(abs(again.latitude - latitude) <= tolerance)
            || !(abs(again.longitude - longitude) <= tolerance)
        {
            fail("the inverse leaves a residual", latitude, longitude)
        }
    }

    /// There and back is the identity where a policy shifts, and bit for bit so where it does not.
    private mutating func checkRoundTrip(_ wgs: Position<WGS84>) {
        let (latitude, longitude) = (wgs.latitude, wgs.longitude)
        let gcj = wgs.gcj02(policy)
        let bd = wgs.bd09(policy)
        guard policy.shifts(latitude: latitude, longitude: longitude) else {
            if gcj.latitude != latitude || gcj.longitude != longitude || bd.latitude != latitude
                || bd.longitude != longitude
            {
                fail("a position outside is changed", latitude, longitude)
            }
            return
        }
        let tolerance = abs(longitude - 105) < 1e-9 ? 1e-9 : 1e-11
        for back in [gcj.wgs84(policy), bd.wgs84(policy)]
        where !(abs(back.position.latitude - latitude) <= tolerance)
            || !(abs(back.position.longitude - longitude) <= tolerance)
        {
            fail("there and back is elsewhere", latitude, longitude)
        }
        // A metre aside is a metre aside on the map: the shift changes by 0.7 % of a step at most.
        let aside = (latitude + 1e-5, longitude + 1e-5)
        if abs(longitude - 105) > 1e-3, policy.shifts(latitude: aside.0, longitude: aside.1),
            let neighbour = Position<WGS84>(latitude: aside.0, longitude: aside.1)?.gcj02(policy)
        {
            let steps = (neighbour.latitude - gcj.latitude, neighbour.longitude - gcj.longitude)
            if !(abs(steps.0 - 1e-5) <= 2e-7) || !(abs(steps.1 - 1e-5) <= 2e-7) {
                fail("the shift jumps inside a region", latitude, longitude)
            }
        }
    }

    /// No input in a shifted system leads off the earth.
    private mutating func checkInput(_ latitude: Double, _ longitude: Double) {
        for policy in [policy, .mainland, .everywhere] {
            guard let gcj = Position<GCJ02>(latitude: latitude, longitude: longitude),
                let bd = Position<BD09>(latitude: latitude, longitude: longitude)
            else { return }
            for out in [gcj.wgs84(policy).position, bd.wgs84(policy).position]
            where !Angle.isPosition(latitude: out.latitude, longitude: out.longitude) {
                fail("an input leads off the earth", latitude, longitude)
            }
        }
    }
}
