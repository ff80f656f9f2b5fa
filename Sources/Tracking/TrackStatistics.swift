public import GNSS
import Geodesy

/// Sums over a track: how far, how long, how fast, how high, and what was kept.
///
/// Fed in recording order. Only kept fixes count towards the track; distance is summed within segments,
/// never across a hole.
public struct TrackStatistics: Sendable {
    /// Fixes in the clean track.
    public private(set) var kept: Int64 = 0
    /// Distance within segments, drift at rest left out, metres.
    public var distance: Double { summed.distance + motion.pending.distance }
    /// Straight lines across the holes between segments, metres; not part of ``distance``.
    public private(set) var gapDistance = 0.0
    /// Time in movement, milliseconds.
    public var movingTime: Int64 { summed.movingTime &+ motion.pending.movingTime }
    /// The highest speed that the fixes before and after confirm, m/s.
    public private(set) var topSpeed: Double?
    /// Earliest and latest time of kept fixes.
    public private(set) var first: UTCTime?
    /// Latest time of kept fixes.
    public private(set) var last: UTCTime?
    /// The box around the kept fixes.
    public private(set) var bounds: Bounds?
    /// Segments that were met.
    public private(set) var segments: Int64 = 0
    /// The last kept fix.
    public private(set) var lastKept: RecordedFix?

    private var rejections = [Int64](repeating: 0, count: 32)
    private var gapCounts = [Int64](repeating: 0, count: GapReason.slots)
    private var gapTimes = [Int64](repeating: 0, count: GapReason.slots)
    private var motion = MotionFilter()
    private var summed = MotionFilter.Progress()
    private var climb = AscentFilter()
    private var heights = HeightSource.none
    private var lastHeightAt: Int64 = 0
    private var speeds = SpeedMedian()

    private enum HeightSource { case none, meanSeaLevel, ellipsoid }

    /// The longest hole that the height is compared across, ms.
    private static let longestTunnel: Int64 = 600_000

    /// Nothing yet.
    public init() {}

    /// From the first to the last kept fix, milliseconds.
    public var duration: Int64 {
        guard let first, let last else { return 0 }
        return last - first
    }

    /// Metres climbed, noise left out; `nil` when no height was given.
    public var ascent: Double? { heights == .none ? nil : climb.ascent }

    /// Metres gone down, noise left out; `nil` when no height was given.
    public var descent: Double? { heights == .none ? nil : climb.descent }

    /// All fixes: kept and rejected.
    public var total: Int64 { rejections.reduce(kept, +) }

    /// Rejected fixes by the one reason each is counted under, in the order of the reasons.
    public var rejected: [(reason: FixFlags, count: Int64)] {
        FixFlags.names.compactMap { flag, _ in
            guard flag.rawValue & FixFlags.rejecting.rawValue != 0 else { return nil }
            let count = rejections[flag.rawValue.trailingZeroBitCount]
            return count > 0 ? (flag, count) : nil
        }
    }

    /// Holes by reason: how many and how long together, milliseconds.
    public var gaps: [(reason: GapReason, count: Int64, duration: Int64)] {
        GapReason.allCases.compactMap {
            let index = Int($0.rawValue)
            return gapCounts[index] > 0 ? ($0, gapCounts[index], gapTimes[index]) : nil
        }
    }

    /// Begins the next period of one track: the sums start anew, and what is added goes on from the last fix, so that
    /// periods sum up to the whole.
    public mutating func beginPeriod() {
        var next = TrackStatistics()
        next.lastKept = lastKept
        next.motion = motion
        next.summed.distance = -motion.pending.distance
        next.summed.movingTime = -motion.pending.movingTime
        next.climb = climb
        next.climb.clearSums()
        next.heights = heights
        next.lastHeightAt = lastHeightAt
        next.speeds = speeds
        self = next
    }

    /// Adds a hole.
    public mutating func add(_ gap: Gap) {
        gapCounts[Int(gap.reason.rawValue)] += 1
        gapTimes[Int(gap.reason.rawValue)] &+= max(0, gap.duration)
    }

    /// Adds the next fix.
    public mutating func add(_ record: RecordedFix) {
        if let reason = record.flags.reason {
            rejections[reason.rawValue.trailingZeroBitCount] += 1
            return
        }
        let isMeasured = !record.flags.contains(.interpolated)
        if isMeasured { kept += 1 }
        let fix = record.fix
        if let time = fix.time {
            first = min(first ?? time, time)
            last = max(last ?? time, time)
        }
        var before = lastKept?.fix
        let earlier = lastKept
        // A segment may go on over several runs.
        if lastKept?.segment != record.segment {
            begin(record, after: lastKept)
            before = nil
        }
        // One that goes on from the period before is met here too.
        segments = max(segments, 1)
        lastKept = record
        if bounds == nil {
            bounds = Bounds(latitude: fix.latitude, longitude: fix.longitude)
        } else {
            bounds?.extend(latitude: fix.latitude, longitude: fix.longitude)
        }
        let milliseconds = Self.milliseconds(record)
        summed.add(motion.follow(fix, at: milliseconds))
        if let before, let earlier, Self.hasNoClock(earlier, record) {
            summed.distance += LocalDistance.between(
                before.latitude, before.longitude, fix.latitude, fix.longitude)
        }
        if heights == .none {
            if fix.altitudeMSL != nil {
                heights = .meanSeaLevel
            } else if fix.altitudeHAE != nil {
                heights = .ellipsoid
            }
        }
        // The height of a receiver at rest changes by noise alone.
        if motion.state == .moving { addHeight(fix, at: milliseconds) }
        if isMeasured, !record.flags.contains(.speedSuspect) { addSpeed(fix, before) }
    }

    private mutating func begin(_ record: RecordedFix, after before: RecordedFix?) {
        segments += 1
        summed.add(motion.pending)
        motion = MotionFilter()
        speeds = SpeedMedian()
        guard let before else { return }
        gapDistance += LocalDistance.between(
            before.fix.latitude, before.fix.longitude, record.fix.latitude, record.fix.longitude)
        let hole = Self.milliseconds(record) &- Self.milliseconds(before)
        climb.restart(isSameTrip: hole >= 0 && hole <= Self.longestTunnel)
    }

    /// Whether nothing tells when one came after the other, as in a line that was drawn: its length is that of the line.
    private static func hasNoClock(_ before: RecordedFix, _ record: RecordedFix) -> Bool {
        record.fix.time == nil && record.fix.timeOfDay == nil && before.fix.time == nil
            && record.receivedAt == before.receivedAt
    }

    private static func milliseconds(_ record: RecordedFix) -> Int64 {
        record.fix.time?.milliseconds ?? record.receivedAt
    }

    /// Heights of two kinds are never mixed: they differ by up to 100 m.
    private mutating func addHeight(_ fix: Fix, at milliseconds: Int64) {
        guard fix.mode == .threeD,
            let height = heights == .meanSeaLevel ? fix.altitudeMSL : fix.altitudeHAE,
            height.magnitude < 1e7
        else { return }
        climb.add(height, after: Double(milliseconds &- lastHeightAt) / 1000)
        lastHeightAt = milliseconds
    }

    private mutating func addSpeed(_ fix: Fix, _ before: Fix?) {
        var speed = fix.speed
        if speed == nil, let before, let begin = before.time, let end = fix.time, end > begin {
            let metres = LocalDistance.between(
                before.latitude, before.longitude, fix.latitude, fix.longitude)
            speed = metres / (Double(end - begin) / 1000)
        }
        guard let speed, let confirmed = speeds.add(speed) else { return }
        topSpeed = max(topSpeed ?? 0, confirmed)
    }
}

/// The median of three speeds in a row: a single wrong one is never the top speed.
private struct SpeedMedian {
    private var previous: (Double, Double)?
    private var latest: Double?

    mutating func add(_ speed: Double) -> Double? {
        defer {
            previous = latest.map { ($0, speed) }
            latest = speed
        }
        guard let previous else { return nil }
        let (a, b) = previous
        return max(min(a, b), min(max(a, b), speed))
    }
}
