import Geodesy
import Glibc

/// How long the receiver may be off while the track stays within a bound.
///
/// A track bridged over a gap g between two fixes with their velocities (a cubic Hermite bridge) misses a motion of
/// white-noise acceleration with intensity q by a variance of q g³ s³ (1 - s)³ / 3 per axis at its part s, so that two
/// standard deviations of its middle hold 95 % of its time. q is learnt for each way of travel from what bridges got
/// wrong (``Intensity``).
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

    /// Recent top speed below which a way of travel is taken, m/s: on foot, slow craft, city, road.
    private static let ways = [2.5, 5, 17, .infinity]
    private static let foot = 0
    private static let city = 2
    private static let road = 3
    /// After a rest nobody knows yet how it goes on; after a halt in traffic the velocity says nothing of the way.
    private static let leaving = ways.count
    private static let halt = ways.count + 1
    /// The first guess of q by way of travel, from a rest and from a halt, m²/s³.
    static let guesses = [0.05, 0.3, 1.2, 0.3, 1, 2]
    /// What ``Intensity`` holds them by.
    private static let means = [0.45, 0.46, 0.58, 0.75, 0.52, 0.46]
    /// A way of travel on the road is trusted for at least this long, seconds.
    private static let leastTrust = 15.0

    /// In streets the error grows faster with the gap than the cubic law says, and errors are learnt over two gaps: a
    /// gap of this many seconds, the usual one, is right; others are drawn towards it.
    private static let block = 40.0
    private static let blockPull = 0.78

    /// By way of travel.
    private var learned = ErrorBound.intensities(ErrorBound.guesses)
    /// The last recorded fix.
    private(set) var last: Sample?
    /// Whether it was taken at rest.
    private(set) var restsAtLast = false
    /// Whether it stands still, and since when it has.
    private(set) var isStill = false
    private(set) var stillSince: Int64 = 0
    private var place: Sample?
    private var top = 1.0
    private var topAt: Int64 = 0
    /// The way of travel, and since when.
    private var lastWay = 0
    private var waySince: Int64 = 0
    /// The recorded fix before the last one.
    private var before: Sample?
    private var isFirst = true
    private var rested: Sample?

    /// q by way of travel, m²/s³.
    var intensity: [Double] { learned.map(\.value) }

    /// Takes up what was learnt in an earlier run.
    init(intensity: [Double]) {
        guard intensity.count == learned.count else { return }
        learned = Self.intensities(intensity)
    }

    /// Begins an on-period.
    mutating func start() {
        isFirst = true
    }

    /// The gap that holds the bound after a fix of that accuracy, seconds.
    func gap(bound: Double, accuracy: Double, atMost longest: Double) -> Double {
        // A floor under what the noise leaves: a bound below the noise cannot be held by more fixes.
        let free = max(bound * bound - 2.5 * accuracy * accuracy, 0.35 * 0.35 * bound * bound)
        func gap(_ manner: Int) -> Double {
            var curved = cbrt(192 * free / (4 * intensity[manner]))
            if manner == Self.city || manner == Self.halt {
                curved = Self.block * pow(curved / Self.block, Self.blockPull)
            }
            // Over a longer gap the bridge is a straight line, whose variance is four times as large.
            return curved <= TrackBridge.longest
                ? curved : max(TrackBridge.longest, curved / cbrt(4))
        }
        // Who walks to a car drives soon, and a drive begins in the city: what is so is trusted as long as it has lasted.
        let lasted = last.map { Double($0.at &- waySince) / 1000 } ?? 0
        let usual = min(longest, gap(last.map(manner) ?? way))
        guard !isLeaving else { return usual }
        return switch way {
        case Self.foot: min(usual, max(1.5 * gap(Self.city), lasted / 4))
        case Self.road: min(usual, max(Self.leastTrust, lasted / 8))
        default: usual
        }
    }

    /// Whether it has left the place of rest, and no fix has told where to.
    private(set) var isLeaving = false

    /// It left the place where it stood: as good as a fix at rest there and then.
    mutating func depart(at time: Int64) {
        guard isStill, let place = last else { return }
        if !isLeaving { rested = place }
        isLeaving = true
        var left = place
        left.at = max(time, place.at)
        (left.east, left.north) = (0, 0)
        last = left
    }

    /// It did not leave.
    mutating func stay() {
        guard isLeaving else { return }
        isLeaving = false
        last = rested
    }

    /// Whether the on-period has brought a recorded fix.
    var hasFix: Bool { !isFirst }

    /// Learns from a fix on the way to one that is good enough.
    mutating func observe(_ fix: Sample) {
        let elapsed = Double(fix.at &- topAt) / 1000
        // Who stands at a light now may have come by car.
        let speed = max(fix.speed, last.map { slowest(from: $0, to: fix) } ?? 0)
        // Forgets with a time constant of three minutes.
        top = max(speed, speed + (top - speed) * exp(-max(0, elapsed) / 180))
        topAt = fix.at
        if way != lastWay || elapsed > 900 {
            lastWay = way
            waySince = fix.at
        }
    }

    /// How fast the way between two fixes was at least, m/s.
    private func slowest(from last: Sample, to fix: Sample) -> Double {
        let gap = Double(fix.at &- last.at) / 1000
        guard gap >= 10, gap <= 900 else { return 0 }
        return max(0, fix.distance(to: last) - fix.accuracy - last.accuracy) / gap
    }

    /// Takes a fix that is good enough.
    ///
    /// - Parameter isQuiet: whether a sensor has said for 12 s that nothing moves; `nil` without one.
    /// - Returns: whether it is recorded.
    mutating func take(_ fix: Sample, isQuiet: Bool?) -> Bool {
        let since = last.map { fix.at &- $0.at } ?? .max
        var records = isFirst || since >= (isStill ? 30_000 : 1000)
        if records, let last { learn(last, fix) }
        let wasStill = isStill
        if place.map({ fix.distance(to: $0) > max(20, 2 * hypot(fix.accuracy, $0.accuracy)) })
            ?? true
        {
            place = fix
            isStill = false
        }
        let rested = place.map { fix.at &- $0.at >= 20_000 } ?? false
        if fix.speed < 0.6, isQuiet ?? (fix.speed < 0.5 && (rested || isStill)) {
            // Where it stopped is worth a fix of its own.
            if !wasStill {
                records = true
                stillSince = fix.at
            }
            isStill = true
        } else if fix.speed >= 0.8 {
            if wasStill {
                records = true
                waySince = fix.at
            }
            isStill = false
            place = fix
        }
        if records {
            before = isLeaving || isStill ? nil : last
            isLeaving = false
            last = fix
            isFirst = false
            restsAtLast = isStill
        }
        return records
    }

    /// Learns from what the bridges to a new fix would have got wrong.
    private mutating func learn(_ last: Sample, _ fix: Sample) {
        guard isLeaving || !isStill && top > 0.8 else { return }
        let gap = Double(fix.at &- last.at) / 1000
        let noise = (fix.accuracy * fix.accuracy + last.accuracy * last.accuracy) / 6
        if gap >= 8, gap <= 900 {
            // What the two velocities do not explain of the way has a variance of q g³ / 12 per axis.
            let step = fix.offset(from: last)
            let east = step.east - gap / 2 * (fix.east + last.east)
            let north = step.north - gap / 2 * (fix.north + last.north)
            // On streets the way bends at few corners, which it shows less well than its error is.
            let share = isLeaving || way == Self.city ? 0.6 : 1
            learn(
                manner(last), east * east + north * north, noise,
                share * gap * gap * gap / 12)
        }
        guard let before else { return }
        // The fix in the middle, had it not been taken: q g³ s³ (1 - s)³ / 3.
        let whole = Double(fix.at &- before.at) / 1000
        let s = Double(last.at &- before.at) / 1000 / max(whole, 1e-3)
        guard whole >= 16, whole <= 3600, s > 0.2, s < 0.8 else { return }
        let (middle, end) = (last.offset(from: before), fix.offset(from: before))
        let bridge = TrackBridge(
            from: .init(time: 0, x: 0, y: 0, east: before.east, north: before.north),
            to: .init(time: whole, x: end.east, y: end.north, east: fix.east, north: fix.north))
        let there = bridge.position(at: s * whole)
        let (east, north) = (middle.east - there.x, middle.north - there.y)
        let shape = s * (1 - s)
        // For a straight bridge q g³ s² (1 - s)² / 3.
        let curve = whole <= TrackBridge.longest ? shape : 1
        learn(
            manner(before), east * east + north * north, 1.5 * noise,
            whole * whole * whole * shape * shape * curve / 3)
    }

    /// Learns an error.
    ///
    /// - Parameters:
    ///   - manner: how it went on.
    ///   - square: of the error, m².
    ///   - noise: what the fixes' own errors add to it, m².
    ///   - variance: what q = 1 m²/s³ makes of it per axis, m².
    private mutating func learn(
        _ manner: Int, _ square: Double, _ noise: Double, _ variance: Double
    ) {
        learned[manner].learn(max(0, square - 2 * noise) / (4 * variance))
    }

    /// The way of travel that goes on after a fix, as far as its q is concerned.
    private func manner(_ fix: Sample) -> Int {
        isLeaving ? Self.leaving : way == Self.city && fix.speed < 1 ? Self.halt : way
    }

    private var way: Int {
        Self.ways.firstIndex { top < $0 } ?? Self.ways.count - 1
    }

    private static func intensities(_ guesses: [Double]) -> [Intensity] {
        zip(guesses, means).map { Intensity(guess: $0, mean: $1) }
    }
}
