import Correction
import GNSS
import Geodesy
import Glibc

/// What one call costs, nanoseconds, and the limit it is held to.
struct Cost {
    let name: String
    let nanoseconds: Double
    let limit: Double?
}

/// Measures the steps a fix goes through.
struct Costs {
    private static let count = 2000
    private let inside: [(Double, Double)]
    private let hongKong: [(Double, Double)]
    private let world: [(Double, Double)]

    init() {
        var random = SplitMix(seed: 1)
        func points(_ lat: ClosedRange<Double>, _ lon: ClosedRange<Double>) -> [(Double, Double)] {
            (0..<Costs.count).map { _ in
                (Double.random(in: lat, using: &random), Double.random(in: lon, using: &random))
            }
        }
        inside = points(24...40, 100...118)
        hongKong = points(22.1...22.6, 113.5...114.5)
        world = points(-60...10, -170...170)
    }

    func all() -> [Cost] {
        var costs: [Cost] = []
        func add(
            _ name: String, _ limit: Double?, _ points: [(Double, Double)],
            _ body: (Double, Double) -> Double
        ) {
            costs.append(
                Cost(name: name, nanoseconds: Costs.best(points, body), limit: limit))
        }
        add("the loop itself", nil, inside) { $0 + $1 }
        add("WGS 84 to GCJ-02, formula", nil, inside) {
            let p = GCJ02.fromWGS84(latitude: $0, longitude: $1)
            return p.latitude + p.longitude
        }
        add("GCJ-02 to WGS 84, formula", nil, inside) {
            let p = GCJ02.toWGS84(latitude: $0, longitude: $1)
            return p.latitude + p.longitude
        }
        add("BD-09 to GCJ-02, formula", nil, inside) {
            let p = BD09.toGCJ02(latitude: $0, longitude: $1)
            return p.latitude + p.longitude
        }
        for (name, limit, points) in [
            ("region, inside", 200, inside), ("region, Hong Kong", 200, hongKong),
            ("region, outside the box", 50, world),
        ] as [(String, Double, [(Double, Double)])] {
            add(name, limit, points) {
                Double(OffsetRegion.containing(latitude: $0, longitude: $1)?.rawValue ?? 9)
            }
        }
        add("geoid, compiled-in table", nil, world) {
            Geoid.separation(latitude: $0, longitude: $1) ?? 0
        }
        add("geodesic, inverse", nil, inside) { Geodesic.distance($0, $1, 30, 110) }
        for (name, limit, change) in [
            ("fix through a chain from GCJ-02", 1000, { $0.system = .gcj02 }),
            ("fix through a chain from BD-09", 1000, { $0.system = .bd09 }),
            (
                "fix through a chain with a lever arm", nil,
                { $0.antenna = BodyVector(forward: 1, right: 1, up: 1) }
            ),
        ] as [(String, Double?, (inout CorrectionSettings) -> Void)] {
            var settings = CorrectionSettings()
            settings.geoid = .table
            change(&settings)
            guard var chain = try? CorrectionChain(settings) else { continue }
            var fix = Fix(
                time: UTCTime(milliseconds: 0), latitude: 0, longitude: 0, mode: .threeD)
            fix.altitudeMSL = 40
            fix.geoidSeparation = -9
            fix.heading = 30
            add(name, limit, inside) {
                fix.latitude = $0
                fix.longitude = $1
                return chain.correct(fix, flags: [])?.latitude ?? 0
            }
        }
        costs.append(Cost(name: "line through the converter", nanoseconds: lines(), limit: nil))
        return costs
    }

    /// A line of two numbers from GCJ-02 to WGS 84, read and written.
    private func lines() -> Double {
        var text = TextBuffer()
        for (a, b) in inside {
            text.append(a, decimals: 6)
            text.append(" ")
            text.append(b, decimals: 6)
            text.append("\n")
        }
        var least = Double.infinity
        for _ in 0..<60 {
            var output: [UInt8] = []
            output.reserveCapacity(text.bytes.count * 2)
            var filter = ConvertFilter(ConvertOptions(from: .gcj02, to: .wgs84), format: .lines)
            let start = Costs.now()
            guard (try? filter.feed(text.bytes.span, into: &output)) != nil,
                (try? filter.finish(into: &output)) != nil
            else { return .infinity }
            least = min(least, Double(Costs.now() - start) / Double(inside.count))
        }
        return least
    }

    /// The best of several runs over the points: what the work needs, not what else the machine did.
    private static func best(
        _ points: [(Double, Double)], _ body: (Double, Double) -> Double
    ) -> Double {
        var least = Double.infinity
        for _ in 0..<60 {
            let start = now()
            var sum = 0.0
            for (a, b) in points { sum += body(a, b) }
            let elapsed = Double(now() - start) / Double(points.count)
            // The sum is used, so that the work cannot be left out.
            if sum != .infinity { least = min(least, elapsed) }
        }
        return least
    }

    static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
