import Correction
import GNSS
import Geodesy
import Storage

/// Looks for two tracks of the same minutes that differ by just the offset of a map: one of them says WGS 84 and is
/// shifted, or was corrected twice.
struct ShiftExamination {
    let reader: TrackReader

    /// Pairs of segments that are compared, the newest first.
    private static let pairLimit = 200
    /// Fixes of each that are read, and of them that must match, all but a fifth by the same offset.
    private static let sample = 256
    private static let least = 5
    /// Longest time between two fixes that one of the other track is put between, ms.
    private static let longestStep: Int64 = 10_000
    /// Where no region shifts anything: outside of 0 to 56° N, 72 to 138° E.
    private static let shifted = (latitude: 0.0...56, longitude: 72.0...138)

    /// What is wrong; `nil` when nothing is.
    func finding() throws(StoreError) -> Finding? {
        for (earlier, later) in try pairs() {
            guard let (system, isLater) = try offset(earlier, later) else { continue }
            let (bad, good) = isLater ? (later, earlier) : (earlier, later)
            let name = system == .bd09 ? "BD-09" : "GCJ-02"
            return .doubtful(
                "segment \(bad.id)\(try source(of: bad)) is off segment \(good.id)\(try source(of: good)) "
                    + "of the same time by the offset of \(name)",
                remedy:
                    "what gave it is in \(name): set [Correction] System=, or 'tracklog forget' it "
                    + "and import it through 'tracklog convert'")
        }
        return nil
    }

    /// Segments that share some time where maps are shifted, the newest first.
    private func pairs() throws(StoreError) -> [(StoredSegment, StoredSegment)] {
        let segments = try reader.segments().filter { segment in
            guard let bounds = segment.bounds else { return false }
            return Self.shifted.latitude.contains(bounds.south)
                && Self.shifted.longitude.contains(bounds.west)
        }.sorted { ($0.begin?.milliseconds ?? .min) < ($1.begin?.milliseconds ?? .min) }
        var open: [StoredSegment] = []
        var pairs: [(StoredSegment, StoredSegment)] = []
        for segment in segments {
            guard let begin = segment.begin else { continue }
            open.removeAll { ($0.end ?? begin) < begin }
            for other in open { pairs.append((other, segment)) }
            // A pair that is left out here lies so deep in others that these tell.
            if open.count >= 8 { open.removeFirst() }
            open.append(segment)
        }
        return pairs.suffix(Self.pairLimit).reversed()
    }

    /// The system that one of them is in as seen from the other, and whether it is the later one.
    private func offset(
        _ earlier: StoredSegment, _ later: StoredSegment
    ) throws(StoreError) -> (CRS, Bool)? {
        guard let since = later.begin else { return nil }
        let honest = try fixes(of: earlier, since: since)
        let others = try fixes(of: later, since: since)
        var matched = 0
        var votes: [(system: CRS, isLater: Bool, count: Int)] = []
        var index = 0
        for other in others {
            while index + 1 < honest.count, honest[index + 1].time <= other.time { index += 1 }
            guard index + 1 < honest.count,
                let place = Self.between(honest[index], honest[index + 1], at: other.time)
            else { continue }
            matched += 1
            guard let vote = Self.vote(place, (other.latitude, other.longitude)) else { continue }
            if let known = votes.firstIndex(where: { ($0.system, $0.isLater) == vote }) {
                votes[known].count += 1
            } else {
                votes.append((vote.0, vote.1, 1))
            }
        }
        guard matched >= Self.least, let most = votes.max(by: { $0.count < $1.count }),
            most.count * 5 >= matched * 4
        else { return nil }
        return (most.system, most.isLater)
    }

    private typealias Place = (latitude: Double, longitude: Double)
    private typealias Moment = (time: Int64, latitude: Double, longitude: Double)

    private static func vote(_ earlier: Place, _ later: Place) -> (CRS, Bool)? {
        if let honest = Position<WGS84>(latitude: earlier.latitude, longitude: earlier.longitude),
            let system = OffsetSuspicion.system(of: later, against: honest)
        {
            return (system, true)
        }
        if let honest = Position<WGS84>(latitude: later.latitude, longitude: later.longitude),
            let system = OffsetSuspicion.system(of: earlier, against: honest)
        {
            return (system, false)
        }
        return nil
    }

    /// The place between two fixes at a time.
    private static func between(_ first: Moment, _ second: Moment, at time: Int64) -> Place? {
        let step = second.time - first.time
        guard (1...longestStep).contains(step), (first.time...second.time).contains(time) else {
            return nil
        }
        let share = Double(time - first.time) / Double(step)
        return (
            first.latitude + (second.latitude - first.latitude) * share,
            first.longitude + (second.longitude - first.longitude) * share
        )
    }

    private func fixes(of segment: StoredSegment, since: UTCTime) throws(StoreError) -> [Moment] {
        var moments: [Moment] = []
        // One fix before, to put others behind it.
        let since = UTCTime(milliseconds: since.milliseconds - Self.longestStep)
        try reader.fixes(since: since, segment: segment.id) { record in
            guard let time = record.fix.time else { return true }
            moments.append((time.milliseconds, record.fix.latitude, record.fix.longitude))
            return moments.count < Self.sample
        }
        return moments.sorted { $0.time < $1.time }
    }

    /// Where a segment came from, as ` (import gpx, a.gpx)`.
    private func source(of segment: StoredSegment) throws(StoreError) -> String {
        var run: Int32?
        try reader.fixes(segment: segment.id) { record in
            run = record.run
            return false
        }
        guard let name = try reader.runs().first(where: { $0.id == run })?.run.source else {
            return ""
        }
        return " (\(name))"
    }
}
