import Configuration
import Correction
import GNSS
import Glibc
import Import
import Quality
import Scheduling
import Storage
import Tracking

/// The way of an imported point into the database: known ones passed over, judged, put into the track, stored.
struct ImportRecorder {
    /// What became of the points.
    struct Tally {
        var points: Int64 = 0
        var kept: Int64 = 0
        /// Stored as rejected, by the position of the reason's bit.
        var rejected: [FixFlags: Int64] = [:]
        /// In the database already.
        var known: Int64 = 0
        var segments = 0

        /// Stored as rejected, all reasons.
        var totalRejected: Int64 { rejected.values.reduce(0, +) }
    }

    private(set) var tally = Tally()

    private let store: TrackStore
    private let path: String
    private let quality: QualityGate.Settings
    private let tracking: Tracker.Settings
    private var gate: QualityGate
    private var tracker: Tracker
    private var chain: CorrectionChain
    private var clock = ReplayClock()
    private var last: Tracker.End?
    private var lastKey: Key?
    private var nextSequence: Int64
    /// Where the line of the file begins that points are taken from.
    private var lineBegan: Int64
    /// What of this file is not committed yet: where each place was recorded.
    private var fresh: [Key: Int64] = [:]
    /// The first kept fix after a cut begins a segment, whatever its time.
    private var isCut = false
    private var batch: [ImportedPoint] = []
    /// What later points may still say otherwise of.
    private var waiting: [(fix: Fix, flags: FixFlags, at: BootTime, id: FixID?)] = []

    /// Points that are looked up together.
    private static let batchSize = 8192

    /// A recorder into a store whose run has begun.
    init(_ store: TrackStore, _ settings: Settings, _ chain: CorrectionChain) {
        self.store = store
        path = store.path
        var quality = settings.quality
        quality.latestTime = ImportRecorder.latest
        self.quality = quality
        var tracking = Tracker.Settings()
        tracking.gapAfter = settings.tracking.gapAfter
        self.tracking = tracking
        gate = QualityGate(quality)
        tracker = Tracker(tracking)
        self.chain = chain
        nextSequence = store.durableSequence + 1
        lineBegan = nextSequence
    }

    /// The host's clock.
    static var now: UTCTime {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UTCTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// No recorded fix is from later: the present, with a day for a clock set to another zone's time.
    static var latest: UTCTime {
        let now = max(ImportRecorder.now, Product.released)
        return UTCTime(milliseconds: now.milliseconds + 86_400_000)
    }

    /// Takes the next point of the file.
    mutating func take(_ point: ImportedPoint) throws {
        batch.append(point)
        if batch.count >= ImportRecorder.batchSize { try settle() }
    }

    /// Passes over a point that an earlier import of the same file has settled.
    mutating func pass() {
        tally.points += 1
        tally.known += 1
    }

    /// Takes note that the receiver reported and had no position.
    mutating func takeNoFix() throws {
        try settle()
        tracker.noFix(at: clock.now)
    }

    /// Takes note that everything recorded so far was committed.
    mutating func wasCommitted() {
        fresh.removeAll(keepingCapacity: true)
    }

    /// Records what waits.
    mutating func settle() throws {
        guard !batch.isEmpty else { return }
        let points = batch
        batch.removeAll(keepingCapacity: true)
        let known = try knownPlaces(points)
        let names = try TrackReader(path: path).knownNames()
        var given: Set<FixID> = []
        for point in points {
            tally.points += 1
            if point.beginsSegment { cut(before: point) }
            tracker.settings.gapAfter = gapAfter(point)
            // What the file's own line says twice is judged, as is what an export says twice.
            let before = point.flags == nil ? lineBegan : 1
            var isKnown =
                Key(point.fix).flatMap { known[$0] ?? fresh[$0] }.map { $0 < before } ?? false
            if !isKnown, let id = point.id {
                isKnown = try !given.insert(id).inserted || names.contains(id)
            }
            if isKnown {
                tally.known += 1
                continue
            }
            judge(point)
        }
        recordWaiting()
    }

    /// A segment of this program's own export is what it was; another's is joined over pauses, not over nights.
    private func gapAfter(_ point: ImportedPoint) -> TimeSpan {
        guard point.isInSegment else { return tracking.gapAfter }
        return point.id == nil ? max(tracking.gapAfter, .seconds(6 * 3600)) : .never
    }

    private mutating func cut(before point: ImportedPoint) {
        recordWaiting()
        lineBegan = nextSequence
        // A line that begins where and when the last one ended goes on with it, as one behind its labelled start.
        if let lastKey, lastKey == Key(point.fix) { return }
        isCut = true
        // Lines of a file are in no order: what came before says nothing of the times to come.
        gate = QualityGate(quality)
        // Without a time it takes whatever comes for later.
        tracker = Tracker(
            tracking,
            after: last.map { .init(sequence: $0.sequence, time: nil, segment: $0.segment) })
    }

    private mutating func judge(_ point: ImportedPoint) {
        var fix = point.fix
        let at = clock.arrival(of: fix)
        if point.flags == nil, fix.time == nil, fix.timeOfDay == nil {
            // Without a time there is no speed to be too high, nor anything else to follow from.
            recordWaiting()
            var alone = QualityGate(quality)
            let flags = alone.judge(&fix, at: at)
            return record(fix, flags, at: at, point.id)
        }
        if let flags = point.flags {
            recordWaiting()
            return record(fix, flags.union(fix.notes), at: at, point.id)
        }
        let flags = gate.judge(&fix, at: at)
        waiting.append((fix, flags, at, point.id))
        for revision in gate.revisions {
            waiting[waiting.count - 1 - revision.ago].flags = revision.flags
        }
        if !gate.isUndecided { recordWaiting() }
    }

    private mutating func recordWaiting() {
        gate.letStand()
        for (fix, flags, at, id) in waiting { record(fix, flags, at: at, id) }
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func record(
        _ fix: Fix, _ flags: FixFlags, at: BootTime, _ id: FixID?
    ) {
        var record = RecordedFix(fix: fix, receivedAt: at.milliseconds, flags: flags)
        if flags.isKept, !chain.isIdentity {
            record.corrected = chain.correct(fix, flags: flags)
            record.flags.formUnion(chain.notes)
        }
        let step = tracker.follow(fix, flags: flags, sequence: nextSequence, at: at)
        if let gap = isCut && flags.isKept ? gap(before: fix) : step.gap { store.append(gap) }
        if step.beganSegment { tally.segments += 1 }
        record.segment = step.segment
        record.origin = id
        record.sequence = store.append(record)
        nextSequence = record.sequence + 1
        if let key = Key(fix) { fresh[key] = record.sequence }
        guard let reason = flags.reason else {
            tally.kept += 1
            isCut = false
            lastKey = Key(fix)
            last = Tracker.End(
                sequence: record.sequence, time: fix.time, segment: step.segment)
            return
        }
        tally.rejected[reason, default: 0] += 1
    }

    /// The hole between two lines of the file; a line that is older than the one before leaves none.
    private func gap(before fix: Fix) -> Gap? {
        guard let begin = last?.time, let end = fix.time, end > begin else { return nil }
        return Gap(
            after: last?.sequence, begin: begin, end: end,
            duration: end.milliseconds &- begin.milliseconds, reason: .noData)
    }

    /// A place at a time, as exactly as the database has it.
    private struct Key: Hashable {
        var time: Int64
        var latitude: Int64
        var longitude: Int64

        /// `nil` for a fix without a date, of which nothing can be told apart.
        init?(_ fix: Fix) {
            guard let time = fix.time, fix.latitude.magnitude <= 90, fix.longitude.magnitude <= 180
            else { return nil }
            self.time = time.milliseconds
            // What rounds to the same 1e-7 degrees is the same place.
            latitude = Int64((fix.latitude * 1e7).rounded())
            longitude = Int64((fix.longitude * 1e7).rounded())
        }
    }

    /// Which of the places are in the database: 0 for those from before, else where this file's were recorded.
    private func knownPlaces(_ points: [ImportedPoint]) throws -> [Key: Int64] {
        let times = points.compactMap(\.fix.time)
        guard let first = times.min(), let last = times.max() else { return [:] }
        var query = FixQuery()
        query.since = first
        query.until = last
        query.keptOnly = false
        var wanted: Set<Key> = []
        for point in points { if let key = Key(point.fix) { wanted.insert(key) } }
        var known: [Key: Int64] = [:]
        let run = store.run
        try TrackReader(path: path).forEach(query) { record in
            guard let key = Key(record.fix), wanted.contains(key) else { return }
            let place = record.run == run ? record.sequence : 0
            known[key] = min(known[key] ?? place, place)
        }
        return known
    }
}

extension TimeSpan {
    /// Longer than any time between two fixes.
    fileprivate static let never = TimeSpan.milliseconds(.max)
}
