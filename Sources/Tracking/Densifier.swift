public import GNSS
import Geodesy
import Glibc

/// Puts points a second apart between sparse fixes of a track that was recorded with a receiver that slept.
///
/// Only holes that the duty cycle made are filled (``GapReason/asleep``, ``GapReason/atRest``), and sparse fixes within
/// a segment; never a pause, a private zone, a lost source or missing sky. The points are marked
/// ``FixFlags/interpolated``, have no sequence, and make one segment of the ones they join. Where it stood there are
/// none: the last point before and the first after say so. Holes of more than a quarter of an hour in movement, and
/// such whose velocities are not known, are joined and not filled.
public struct Densifier {
    private let rests: [Int64: Gap]
    private let joins: Set<Int64>
    private var last: RecordedFix?
    private var segment: (stored: Int32, run: Int32, given: Int32)?

    /// Time between points, ms.
    private static let step: Int64 = 1000
    /// More movement than this is not filled, ms.
    private static let longest: Int64 = 900_000

    /// A densifier for a track with these holes.
    public init(gaps: [Gap]) {
        var rests: [Int64: Gap] = [:]
        var joins: Set<Int64> = []
        var others: Set<Int64> = []
        for gap in gaps {
            guard let after = gap.after else { continue }
            switch gap.reason {
            case .asleep: joins.insert(after)
            case .atRest:
                joins.insert(after)
                if (rests[after]?.duration ?? 0) < gap.duration { rests[after] = gap }
            default: others.insert(after)
            }
        }
        self.rests = rests
        self.joins = joins.subtracting(others)
    }

    /// Takes the next record and gives it on after the points that lead to it.
    public mutating func add(_ record: RecordedFix, _ body: (RecordedFix) throws -> Void) rethrows {
        guard record.flags.isKept else { return try body(record) }
        var record = record
        let before = last
        last = record
        let isSame = segment.map { $0.stored == record.segment && $0.run == record.run } ?? false
        let isJoined =
            isSame || (before.map { joins.contains($0.sequence) && $0.run == record.run } ?? false)
        let given = isJoined ? segment?.given ?? record.segment : record.segment
        segment = (record.segment, record.run, given)
        record.segment = given
        if isJoined, let before {
            try fill(from: before, to: record, rest: isSame ? nil : rests[before.sequence], body)
        }
        try body(record)
    }

    private func fill(
        from: RecordedFix, to: RecordedFix, rest: Gap?, _ body: (RecordedFix) throws -> Void
    ) rethrows {
        guard let begin = from.fix.time, let end = to.fix.time else { return }
        let length = end - begin
        guard length > 2 * Self.step, length < 1 << 40 else { return }
        let stood = rest.flatMap { gap -> ClosedRange<Int64>? in
            guard let low = gap.begin, let high = gap.end, low < high else { return nil }
            return max(0, low - begin)...max(0, high - begin)
        }
        let still = stood.map { $0.upperBound - $0.lowerBound } ?? 0
        guard length - still <= Self.longest, let a = Self.end(from.fix, at: 0),
            let b = Self.end(to.fix, at: Double(length) / 1000, from: from.fix)
        else { return }
        let bridge = TrackBridge(
            from: a, to: b,
            stood: stood.map {
                Double($0.lowerBound) / 1000...Double($0.upperBound) / 1000
            })
        let scale = Self.scale(from.fix)
        var moment = Self.step
        while moment < length {
            // A rest is told by its ends.
            if let stood, moment > stood.lowerBound, moment < stood.upperBound {
                moment = stood.upperBound
                continue
            }
            let place = bridge.position(at: Double(moment) / 1000)
            let s = Double(moment) / Double(length)
            var fix = Fix(
                time: UTCTime(milliseconds: begin.milliseconds + moment),
                latitude: from.fix.latitude + place.y / scale.north,
                longitude: Self.wrapped(from.fix.longitude + place.x / scale.east),
                mode: min(from.fix.mode, to.fix.mode))
            fix.altitudeMSL = Self.between(from.fix.altitudeMSL, to.fix.altitudeMSL, s)
            fix.altitudeHAE = Self.between(from.fix.altitudeHAE, to.fix.altitudeHAE, s)
            var point = RecordedFix(
                fix: fix, receivedAt: from.receivedAt &+ moment, flags: .interpolated)
            point.segment = to.segment
            point.run = to.run
            try body(point)
            moment += Self.step
        }
    }

    private static func between(_ a: Double?, _ b: Double?, _ s: Double) -> Double? {
        guard let a, let b else { return nil }
        return a + s * (b - a)
    }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }

    /// Metres to a degree at a place: radii of curvature of WGS 84 (NGA.STND.0036, table 3.1).
    private static func scale(_ fix: Fix) -> (east: Double, north: Double) {
        let radians = fix.latitude * .pi / 180
        let sine = sin(radians)
        let w2 = 1 - 6.694_379_990_141_316e-3 * sine * sine
        let normal = 6_378_137 / w2.squareRoot() * .pi / 180
        return (
            max(normal * cos(radians), 1), normal * (1 - 6.694_379_990_141_316e-3) / w2
        )
    }

    /// An end in metres from `origin`; `nil` without a velocity.
    private static func end(_ fix: Fix, at time: Double, from origin: Fix? = nil)
        -> TrackBridge.End?
    {
        let origin = origin ?? fix
        let scale = scale(origin)
        var way = fix.longitude - origin.longitude
        if way > 180 { way -= 360 } else if way < -180 { way += 360 }
        guard let speed = fix.speed, fix.course != nil || speed < 0.6 else { return nil }
        let radians = (fix.course ?? 0) * .pi / 180
        let moving = fix.course == nil ? 0 : speed
        return TrackBridge.End(
            time: time, x: way * scale.east, y: (fix.latitude - origin.latitude) * scale.north,
            east: moving * sin(radians), north: moving * cos(radians))
    }
}
