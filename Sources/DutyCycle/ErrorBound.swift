import Glibc

/// How long the receiver may be off while the track stays within a bound.
///
/// A track bridged over a gap g between two fixes with their velocities (a cubic Hermite bridge) misses a motion of
/// white-noise acceleration with intensity q by a variance of q g³ / 192 per axis at its middle; 2.45 standard
/// deviations hold 95 % in two dimensions. q is learnt for each way of travel from what bridges got wrong.
/// Source: Bar-Shalom, Li, Kirubarajan, "Estimation with Applications to Tracking and Navigation", 6.2.2.
struct ErrorBound: Equatable {
    /// A position with its velocity.
    struct Sample: Equatable {
        var at: Int64
        var latitude: Double
        var longitude: Double
        /// m/s east and north.
        var east: Double
        var north: Double
        /// Horizontal error at 95 %, metres.
        var accuracy: Double

        var speed: Double { hypot(east, north) }

        /// Metres east and north from another sample; good within a gap's travel.
        func offset(from other: Sample) -> (east: Double, north: Double) {
            var longitude = longitude - other.longitude
            if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
            let scale = cos(latitude * .pi / 180)
            return (longitude * 111_320 * scale, (latitude - other.latitude) * 111_132)
        }

        func distance(to other: Sample) -> Double {
            let way = offset(from: other)
            return hypot(way.east, way.north)
        }
    }

    /// Recent top speed below which a way of travel is taken, m/s, and its first guess of q, m²/s³.
    static let ways: [(below: Double, intensity: Double)] = [
        (2.5, 0.05), (17, 0.8), (.infinity, 0.3),
    ]
    private static let intensities = 0.003...12.0
    private static let learning = 0.12

    /// q by way of travel, m²/s³.
    private(set) var intensity = ErrorBound.ways.map(\.intensity)
    /// The last recorded fix.
    private(set) var last: Sample?
    /// Whether it was taken at rest.
    private(set) var restsAtLast = false
    /// Whether it stands still, and for how many fixes it has.
    private(set) var isStill = false
    private(set) var stillCount = 0
    private var place: Sample?
    private var top = 1.0
    private var topAt: Int64 = 0
    /// The way of travel, and since when.
    private var lastWay = 0
    private var waySince: Int64 = 0
    private var recent: [Sample] = []
    private var isFirst = true

    /// Takes up what was learnt in an earlier run.
    init(intensity: [Double]) {
        guard intensity.count == Self.ways.count else { return }
        self.intensity = intensity.map(Self.clamp)
    }

    /// Begins an on-period.
    mutating func start() {
        recent.removeAll(keepingCapacity: true)
        isFirst = true
    }

    /// The gap that holds the bound after a fix of that accuracy, seconds.
    func gap(bound: Double, accuracy: Double, atMost longest: Double) -> Double {
        // A floor under what the noise leaves: a bound below the noise cannot be held by more fixes.
        let free = max(bound * bound - accuracy * accuracy, 0.35 * 0.35 * bound * bound)
        // Who walks to a car drives soon: a way of travel is trusted as long as it has lasted.
        let lasted = last.map { Double($0.at &- waySince) / 1000 } ?? 0
        return min(longest, max(45, lasted / 4), cbrt(192 * free / (6 * intensity[way])))
    }

    /// Whether the on-period has brought a recorded fix.
    var hasFix: Bool { !isFirst }

    /// Learns from a fix on the way to one that is good enough.
    mutating func observe(_ fix: Sample) {
        let elapsed = Double(fix.at &- topAt) / 1000
        // Forgets with a time constant of three minutes.
        top = max(fix.speed, fix.speed + (top - fix.speed) * exp(-max(0, elapsed) / 180))
        topAt = fix.at
        if way != lastWay || elapsed > 900 {
            lastWay = way
            waySince = fix.at
        }
        recent.removeAll { fix.at &- $0.at > 16_000 }
        recent.append(fix)
        // On for a while: what would a bridge over these seconds have got wrong in the middle?
        guard recent.count >= 15, fix.at / 1000 % 8 == 0, top > 0.8, let first = recent.first
        else { return }
        let gap = Double(fix.at &- first.at) / 1000
        guard gap >= 8 else { return }
        let middle = recent[recent.count / 2].offset(from: first)
        let way = fix.offset(from: first)
        let east = middle.east - way.east / 2 - gap / 8 * (first.east - fix.east)
        let north = middle.north - way.north / 2 - gap / 8 * (first.north - fix.north)
        learn(192 * max(0, east * east + north * north - 2) / (2 * gap * gap * gap))
    }

    /// Takes a fix that is good enough.
    ///
    /// - Parameter isQuiet: whether a sensor has said for 12 s that nothing moves; `nil` without one.
    /// - Returns: whether it is recorded.
    mutating func take(_ fix: Sample, isQuiet: Bool?) -> Bool {
        let since = last.map { fix.at &- $0.at } ?? .max
        var records = isFirst || since >= (isStill ? 30_000 : 1000)
        if records, let last { learn(from: last, to: fix) }
        let wasStill = isStill
        if place.map({ fix.distance(to: $0) > max(20, 2 * fix.accuracy) }) ?? true {
            place = fix
            isStill = false
            stillCount = 0
        }
        let rested = place.map { fix.at &- $0.at >= 20_000 } ?? false
        if fix.speed < 0.6, isQuiet ?? (fix.speed < 0.5 && (rested || isStill)) {
            // Where it stopped is worth a fix of its own.
            if !wasStill { records = true }
            isStill = true
            stillCount = min(stillCount + 1, 1000)
        } else if fix.speed >= 0.8 {
            if wasStill {
                records = true
                waySince = fix.at
            }
            isStill = false
            stillCount = 0
            place = fix
        }
        if records {
            last = fix
            isFirst = false
            restsAtLast = isStill
        }
        return records
    }

    /// What the two velocities do not explain of the way between two fixes.
    private mutating func learn(from last: Sample, to fix: Sample) {
        let gap = Double(fix.at &- last.at) / 1000
        guard gap >= 8, gap <= 900, !isStill, top > 0.8 else { return }
        let way = fix.offset(from: last)
        let east = way.east - gap / 2 * (fix.east + last.east)
        let north = way.north - gap / 2 * (fix.north + last.north)
        let noise = (fix.accuracy * fix.accuracy + last.accuracy * last.accuracy) / 3
        let unexplained = max(0, east * east + north * north - noise)
        learn(12 * unexplained / (2 * gap * gap * gap))
    }

    private mutating func learn(_ observed: Double) {
        let known = intensity[way]
        // One turn is no new way of driving.
        let capped = min(observed, 8 * known)
        intensity[way] = Self.clamp(known + Self.learning * (capped - known))
    }

    private var way: Int {
        Self.ways.firstIndex { top < $0.below } ?? Self.ways.count - 1
    }

    private static func clamp(_ intensity: Double) -> Double {
        guard intensity.isFinite else { return ways[1].intensity }
        return min(max(intensity, intensities.lowerBound), intensities.upperBound)
    }
}
