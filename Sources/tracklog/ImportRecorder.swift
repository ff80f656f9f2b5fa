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
        /// Stored, of times of which fixes were forgotten.
        var forgotten: Int64 = 0
        var segments = 0

        /// Stored as rejected, all reasons.
        var totalRejected: Int64 { rejected.values.reduce(0, +) }
    }

    private(set) var tally = Tally()
    typealias Key = ImportedPlaces.Key

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
    /// Of the point before, whatever became of it.
    private var lastTaken: Key?
    private var nextSequence: Int64
    /// Where the line of the file begins that points are taken from.
    private var lineBegan: Int64
    /// What of this file is not committed yet: where each place was recorded, and the names.
    private var fresh: [Key: Int64] = [:]
    private var given: Set<FixID> = []
    private var places: ImportedPlaces
    private let forgotten: ForgottenTimes?
    /// What an import of this file stored that was cut off, while it is taken again.
    private var again: InterruptedImport?
    /// Whether the file turned out to be another one than was cut off.
    private var isChanged = false
    private var lastFix: Fix?
    /// Whether the next kept fix begins a segment of the database, though it goes on with the one before it.
    private var isApart = false
    /// The first kept fix after a cut begins a segment, whatever its time.
    private var isCut = false
    private var batch: [ImportedPoint] = []
    /// What later points may still say otherwise of.
    private var waiting: [(fix: Fix, flags: FixFlags, at: BootTime, id: FixID?, old: Int64?)] = []
    /// Known points behind new ones, which go on among those that follow.
    private var between = KnownBetween()

    /// Points that are looked up together.
    private static let batchSize = 8192

    /// A recorder into a store whose run has begun.
    ///
    /// - Parameter again: what an import of the same file that was cut off has stored.
    init(
        _ store: TrackStore, _ settings: Settings, _ chain: CorrectionChain,
        again: InterruptedImport?
    ) throws {
        self.store = store
        forgotten = try store.forgottenTimes()
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
        self.again = again
        nextSequence = again?.next ?? store.durableSequence + 1
        places = ImportedPlaces(path: path, from: nextSequence)
        lineBegan = nextSequence
    }

    /// Whether points are still taken that are stored already.
    var isTakingAgain: Bool { again != nil }

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
        given.removeAll(keepingCapacity: true)
    }

    /// Records what waits.
    mutating func settle() throws {
        guard !batch.isEmpty else { return }
        let points = batch
        batch.removeAll(keepingCapacity: true)
        try places.look(up: points)
        let names = try TrackReader(path: path).knownNames()
        for point in points {
            tally.points += 1
            if point.beginsSegment { try cut(before: point) }
            tracker.settings.gapAfter = gapAfter(point)
            // What the file's own line says twice running is judged, as is what an export says twice.
            let key = Key(point.fix)
            let isElsewhere = point.flags == nil && key != lastTaken
            let before = isElsewhere ? nextSequence : point.flags == nil ? lineBegan : 1
            var isKnown = key.flatMap { places[$0] ?? fresh[$0] }.map { $0 < before } ?? false
            lastTaken = key
            if !isKnown, let id = point.id {
                let limit = again == nil ? .max : nextSequence
                isKnown = try !given.insert(id).inserted || names.contains(id, before: limit)
            }
            if isKnown {
                let old = again == nil && isElsewhere ? key.flatMap { places.earlier($0) } : nil
                tally.known += 1
                between.pass(point, old.flatMap { store.isReplaced($0) ? nil : $0 })
                continue
            }
            try weave()
            try judge(point)
            between.recorded()
        }
        try recordWaiting()
    }

    /// Records what the end of the file leaves.
    mutating func finish() throws {
        try settle()
        if between.endsInOne { try weave() }
        try recordWaiting()
    }

    /// Records known points anew among the new ones that they lie between, in the place of their rows.
    private mutating func weave() throws {
        for (point, old) in between.take() { try judge(point, replacing: old) }
    }

    /// A segment of this program's own export is what it was; another's is joined over pauses, not over nights.
    private func gapAfter(_ point: ImportedPoint) -> TimeSpan {
        guard point.isInSegment else { return tracking.gapAfter }
        return point.id == nil ? max(tracking.gapAfter, .seconds(6 * 3600)) : .never
    }

    private mutating func cut(before point: ImportedPoint) throws {
        if between.endsInOne { try weave() }
        between = KnownBetween()
        try recordWaiting()
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

    private mutating func judge(_ point: ImportedPoint, replacing old: Int64? = nil) throws {
        var fix = point.fix
        let at = clock.arrival(of: fix)
        if point.flags == nil, fix.time == nil, fix.timeOfDay == nil {
            // Without a time there is no speed to be too high, nor anything else to follow from.
            try recordWaiting()
            var alone = QualityGate(quality)
            let flags = alone.judge(&fix, at: at)
            return try record(fix, flags, at: at, point.id)
        }
        if let flags = point.flags {
            try recordWaiting()
            return try record(fix, flags.union(fix.notes), at: at, point.id)
        }
        let flags = gate.judge(&fix, at: at)
        waiting.append((fix, flags, at, point.id, old))
        for revision in gate.revisions {
            waiting[waiting.count - 1 - revision.ago].flags = revision.flags
        }
        if !gate.isUndecided { try recordWaiting() }
    }

    private mutating func recordWaiting() throws {
        gate.letStand()
        let ready = waiting
        waiting.removeAll(keepingCapacity: true)
        for (fix, flags, at, id, old) in ready { try record(fix, flags, at: at, id, old) }
    }

    private mutating func record(
        _ fix: Fix, _ flags: FixFlags, at: BootTime, _ id: FixID?, _ old: Int64? = nil
    ) throws {
        // As it was judged when it was recorded, it stays.
        if old != nil, !flags.isKept { return }
        if again != nil, try takeAgain(fix, flags, at: at) { return }
        if isChanged, let key = Key(fix), places[key] == 0 {
            // It was looked up as one of this file.
            tally.known += 1
            return
        }
        var record = RecordedFix(fix: fix, receivedAt: at.milliseconds, flags: flags)
        if flags.isKept, !chain.isIdentity {
            record.corrected = chain.correct(fix, flags: flags)
            record.flags.formUnion(chain.notes)
        }
        let step = tracker.follow(fix, flags: flags, sequence: nextSequence, at: at)
        if let gap = isCut && flags.isKept ? gap(before: fix) : step.gap { store.append(gap) }
        if step.beganSegment || tally.segments == 0 && flags.isKept { tally.segments += 1 }
        if isApart, flags.isKept {
            isApart = false
            store.setApart(step.segment)
        }
        record.segment = step.segment
        record.origin = id
        record.sequence =
            old.map { store.append(record, replacing: $0) } ?? store.append(record)
        nextSequence = record.sequence + 1
        if let key = Key(fix) {
            fresh[key] = record.sequence
            places.add(key, at: record.sequence)
        }
        if let time = fix.time, forgotten?.contains(time) == true { tally.forgotten += 1 }
        guard let reason = flags.reason else {
            if old == nil { tally.kept += 1 }
            keep(fix, record.sequence, step)
            return
        }
        tally.rejected[reason, default: 0] += 1
    }

    private mutating func keep(_ fix: Fix, _ sequence: Int64, _ step: TrackStep) {
        isCut = false
        lastKey = Key(fix)
        lastFix = fix
        last = Tracker.End(sequence: sequence, time: fix.time, segment: step.segment)
    }

    /// Follows a fix that was stored before the import was cut off.
    ///
    /// - Returns: false when it is another one: then the rest is taken like any other file.
    private mutating func takeAgain(
        _ fix: Fix, _ flags: FixFlags, at: BootTime
    ) throws(StoreError) -> Bool {
        guard try again?.matches(fix) == true else {
            again = nil
            isChanged = true
            nextSequence = store.durableSequence + 1
            places.first = nextSequence
            lineBegan = nextSequence
            isCut = true
            (last, lastFix, lastKey) = (nil, nil, nil)
            gate = QualityGate(quality)
            tracker = Tracker(tracking)
            return false
        }
        let step = tracker.follow(fix, flags: flags, sequence: nextSequence, at: at)
        if flags.isKept { keep(fix, nextSequence, step) }
        nextSequence += 1
        tally.known += 1
        if again?.isAtEnd == true {
            again = nil
            if let lastFix, let last {
                isApart = try store.takeUp(after: lastFix, segment: last.segment) == nil
            }
        }
        return true
    }

    /// The hole between two lines of the file; a line that is older than the one before leaves none.
    private func gap(before fix: Fix) -> Gap? {
        guard let begin = last?.time, let end = fix.time, end > begin else { return nil }
        return Gap(
            after: last?.sequence, begin: begin, end: end,
            duration: end.milliseconds &- begin.milliseconds, reason: .noData)
    }
}

extension TimeSpan {
    /// Longer than any time between two fixes.
    fileprivate static let never = TimeSpan.milliseconds(.max)
}
