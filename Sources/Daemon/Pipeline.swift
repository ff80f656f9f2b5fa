import Correction
import DutyCycle
import GNSS
import Quality
import Scheduling
import StatusProtocol
import Storage
import Tracking

/// The way of a fix through the program: judged, corrected, put into the track, stored, told to watchers.
///
/// Live, in a replay and in tests it is this one; only the source and the loop differ.
final class Pipeline {
    var tally = Tally()
    /// The latest fix of the clean track, stored or not.
    private(set) var latest: RecordedFix?
    /// When the last fix of the clean track came.
    private(set) var lastKeptAt: BootTime?
    /// Why no fixes are expected at present; `nil` while they are.
    var reason: GapReason? { isPaused ? .paused : isInZone ? .privateZone : told }
    private var told: GapReason?
    /// Since when it is so.
    private(set) var reasonSince: BootTime
    /// Told when ``reason`` has changed.
    var onReason: () -> Void = {}
    private var lastReason: GapReason?
    /// The rows of the hole that lasts, as they were written last.
    var notedHole: [(id: Int64, gap: Gap)] = []
    private var isPaused = false
    /// Circles inside of which nothing is recorded.
    var zones: [NoRecordZone] = []
    /// Whether the last fix was inside of one.
    private var isInZone = false
    /// Why the last fix was rejected; `nil` after a kept one.
    var lastRejection: String? { lastFlags.reason?.names.first }
    private var lastFlags = FixFlags()
    /// How many satellites are heard, when the source says.
    var heard: () -> Int? = { nil }
    /// Told of each fix of the clean track as it comes, before it is known whether it is recorded.
    var onKept: (RecordedFix) -> Void = { _ in }
    /// Told of each fix after it was handed to the store.
    var onRecord: ((RecordedFix) -> Void)?
    /// Told of each gap that a fix closed.
    var onGap: ((Gap) -> Void)?
    /// Told of each segment that begins.
    var onSegment: ((Int32) -> Void)?
    /// Told of each receiver cycle that has ended.
    var onCycle: ((Cycle) -> Void)?

    let store: TrackStore
    private let conductor: Conductor
    private(set) var gate: QualityGate
    private(set) var chain: CorrectionChain
    // Kept beside the chain, which is large: asking it costs a copy of it for each fix.
    private var isPlain = true
    private var corrects = false
    var tracker: Tracker
    /// `nil` when everything is recorded.
    private var filter: RecordingFilter?
    var nextSequence: Int64
    /// The last kept fix that is stored already, its sequence and its segment as this run counts, until one is not.
    var lastKnown: (fix: Fix, sequence: Int64, segment: Int32)?
    /// The end of the track that was there before a replay, until its first kept fix.
    var ending: [RecordedFix] = []
    /// Until when the hole behind it is noted already.
    var noted: UTCTime?
    /// What came in this cycle: fixes that were in the database already and not of this log, and new ones.
    var inCycle = (known: false, new: false)
    /// Whether the next kept fix must begin a segment: its track goes on from rows that others lie behind.
    var isApart = false
    /// Known fixes behind new ones, which go on among those that follow.
    var between = Between()

    /// Fixes of an acquisition whose best one is not known yet.
    private var held: [Held] = []
    private var numbered: Int64 = 0
    /// When it stood since the fix chosen before, while the one chosen now is stored.
    var stood: ClosedRange<BootTime>?

    private struct Held {
        var number: Int64
        var record: RecordedFix
        var at: BootTime
        var known: Int64?
    }

    /// What waits, in order, for the receiver's time to prove itself: the first fixes after a cold start, and
    /// those around a jump.
    private var waiting: [Waiting] = []
    private var patience: TimerID?
    /// Fixes on their way to those lists or from them to the store: one may cause a commit while others follow.
    private var leaving = 0
    private let loop: any Loop

    private enum Waiting {
        case fix(Held)
        case noFix(BootTime)
    }

    /// More fixes than one acquisition has; the oldest are let go then.
    private static let holdsAtMost = 600

    init(
        store: TrackStore, conductor: Conductor, gate: QualityGate, chain: CorrectionChain,
        tracker: Tracker, filter: RecordingFilter?, on loop: any Loop
    ) {
        self.loop = loop
        reasonSince = loop.now
        self.store = store
        self.conductor = conductor
        self.gate = gate
        self.chain = chain
        self.tracker = tracker
        self.filter = filter
        nextSequence = store.durableSequence + 1
        lookAtChain()
        conductor.onChosen = { [unowned self] in
            stood = $1
            settle(chosen: $0)
            stood = nil
        }
        conductor.onCycle = { [unowned self] cycle in
            settle(chosen: nil)
            // A replay that adds nothing leaves no trace, one that goes on tells nothing twice.
            if !isKnown(cycle) { store.record(cycle) }
            inCycle = (false, false)
            onCycle?(cycle)
        }
    }

    /// Takes what the receiver said at one measurement time.
    ///
    /// - Parameter known: its sequence when it is stored already, 0 where that is all that is known: it shapes what
    ///   follows and is not stored again.
    func take(_ epoch: inout Epoch, at: BootTime, known: Int64? = nil) {
        guard !isPaused else { return }
        guard case .fix(let fix) = epoch else {
            if waiting.isEmpty { tracker.noFix(at: at) } else { waiting.append(.noFix(at)) }
            let count = heard()
            conductor.note(heard: count)
            conductor.tell(.noFix(heard: count), at: at)
            return
        }
        leaving += 1
        numbered += 1
        // A fix is large: it is filled in where it lies, and copied as little as can be.
        var item = Held(
            number: numbered,
            record: RecordedFix(fix: fix, receivedAt: at.milliseconds, flags: []), at: at,
            known: known)
        // Judged where it was, recorded as it came.
        let place = (fix.latitude, fix.longitude)
        if !isPlain { item.record.fix = chain.inWGS84(item.record.fix) }
        let flags = gate.judge(&item.record.fix, at: at)
        item.record.flags = flags
        if !gate.revisions.isEmpty { revise() }
        if !zones.isEmpty || isInZone, isPrivate(item.record.fix, flags, at: at) {
            leaving -= 1
            return
        }
        let report = FixFact(item.record.fix, flags: flags, sequence: numbered)
        (item.record.fix.latitude, item.record.fix.longitude) = place
        if corrects { correct(&item.record) }
        let isHeld = !conductor.recordsAll
        if isHeld {
            leaving -= 1
            held.append(item)
        }
        conductor.note(heard: item.record.fix.satellitesUsed.map { Int($0) })
        conductor.tell(.fix(report), at: at)
        if !isHeld {
            leaving -= 1
            settle(&item)
        } else if held.count > Pipeline.holdsAtMost {
            settle(chosen: nil)
        }
        lastFlags = flags
        if flags.isKept { onKept(item.record) }
    }

    /// Lets a fix go that is inside of a zone where nothing is recorded; the receiver is governed by it all the same.
    private func isPrivate(_ fix: Fix, _ flags: FixFlags, at: BootTime) -> Bool {
        let isInside = zones.contains { $0.covers(fix) }
        // A rejected fix says nothing of whether the zone was entered or left.
        if isInside != isInZone, flags.isKept {
            settleWaiting()
            isInZone = isInside
            passOn(at)
        }
        guard isInside else { return false }
        tally.verdicts.count(flags.union(.passedOver))
        conductor.tell(.fix(FixFact(fix, flags: flags, sequence: numbered)), at: at)
        return true
    }

    private func lookAtChain() {
        isPlain = chain.settings.system == .wgs84
        corrects = !chain.isIdentity
    }

    /// Lets go of what is to be forgotten and is still in memory.
    func forget(_ scope: RemovalScope) {
        if let fix = latest?.fix, scope.covers(fix) { latest = nil }
        held.removeAll { scope.covers($0.record.fix) }
        waiting.removeAll {
            if case .fix(let item) = $0 { scope.covers(item.record.fix) } else { false }
        }
    }

    /// Stores the fixes of an acquisition: one stands for it, the others are passed over.
    private func settle(chosen: Int64?) {
        let ready = held
        held.removeAll(keepingCapacity: true)
        leaving += ready.count
        for var item in ready {
            leaving -= 1
            if item.number != chosen, item.record.flags.isKept {
                item.record.flags.insert(.passedOver)
            }
            settle(&item)
        }
    }

    private func settle(_ item: inout Held) {
        guard gate.isUndecided || !waiting.isEmpty else {
            return conclude(&item.record, at: item.at, known: item.known)
        }
        waiting.append(.fix(item))
        guard gate.isUndecided else { return settleWaiting() }
        guard patience == nil else { return }
        patience = loop.schedule(item.at + QualityGate.patience, slack: .seconds(1)) {
            [unowned self] in
            patience = nil
            settleWaiting()
        }
    }

    private func conclude(_ record: inout RecordedFix, at: BootTime, known: Int64?) {
        let plain = isPlain ? record.fix : chain.inWGS84(record.fix)
        // What the filter leaves out is counted and not stored: that is what it is for.
        let isFiltered = record.flags.isKept && filter?.admits(plain, at: at) == false
        let flags = isFiltered ? record.flags.union(.passedOver) : record.flags
        tally.verdicts.count(flags)
        if record.flags.isKept { lastKeptAt = at }
        guard !isFiltered else { return }
        if !ending.isEmpty, flags.isKept { goOn(to: plain, at: at, isKnown: known != nil) }
        if known == nil, lastKnown != nil { goOn() }
        if known == nil, flags.isKept, !between.isEmpty { weave() }
        let sequence = known.map { $0 > 0 ? $0 : nextSequence } ?? nextSequence
        var step = tracker.follow(plain, flags: flags, sequence: sequence, at: at)
        if noted != nil { leaveNoted(&step) }
        if let known {
            pass(record, known, step)
        } else {
            put(&record, step)
        }
        if flags.isKept, isLatest(record.fix) || flags.contains(.timeStep) { latest = record }
    }

    /// Lets what was said of the fixes that wait stand.
    private func settleWaiting() {
        if let patience { loop.cancel(patience) }
        patience = nil
        gate.letStand()
        let ready = waiting
        leaving += unsettledWaiting
        waiting.removeAll()
        for item in ready {
            switch item {
            case .fix(var item):
                leaving -= 1
                conclude(&item.record, at: item.at, known: item.known)
            case .noFix(let at): tracker.noFix(at: at)
            }
        }
    }

    /// Takes over what the last fix has changed in the verdicts on earlier ones.
    private func revise() {
        for revision in gate.revisions {
            let number = numbered - Int64(revision.ago)
            if let index = held.firstIndex(where: { $0.number == number }) {
                change(&held[index].record, to: revision.flags)
            }
            for index in waiting.indices {
                guard case .fix(var item) = waiting[index], item.number == number else { continue }
                change(&item.record, to: revision.flags)
                waiting[index] = .fix(item)
            }
        }
    }

    private func change(_ record: inout RecordedFix, to flags: FixFlags) {
        record.flags = flags.union(record.flags.intersection(.passedOver))
        record.corrected = nil
        correct(&record)
    }

    private func correct(_ record: inout RecordedFix) {
        guard corrects, record.flags.isKept else { return }
        record.corrected = chain.correct(record.fix, flags: record.flags)
        record.flags.formUnion(chain.notes)
    }

    private func put(_ record: inout RecordedFix, _ step: TrackStep) {
        if step.gap != nil || !notedHole.isEmpty { put(gapsOf: step, endedBy: record) }
        inCycle.new = true
        tally.recorded += 1
        if isApart, step.segment != 0 { setApart(step) }
        if step.beganSegment { onSegment?(step.segment) }
        record.segment = step.segment
        record.sequence = store.append(record)
        record.run = store.run
        nextSequence = record.sequence + 1
        if step.segment != 0 { between.recorded() }
        onRecord?(record)
    }

    /// Takes note of why there will be no fixes from now on; `nil` when they are expected again.
    func tell(_ reason: GapReason?, at: BootTime) {
        settleWaiting()
        told = reason
        passOn(at)
    }

    private func passOn(_ at: BootTime) {
        tracker.tell(reason, at: at)
        guard reason != lastReason else { return }
        lastReason = reason
        reasonSince = at
        onReason()
    }

    /// Takes note that a person paused the recording, or lets it go on: what comes meanwhile is let go.
    func pause(_ isPaused: Bool, at: BootTime) {
        settleWaiting()
        self.isPaused = isPaused
        passOn(at)
    }

    /// Takes note of a clock that can be trusted, or that there is none.
    func setClock(_ trusted: UTCTime?, at: BootTime) {
        gate.setClock(trusted, at: at)
    }

    /// Goes by other settings with the fixes that come.
    ///
    /// What earlier fixes have taught gate and track stays.
    func change(
        gate: QualityGate.Settings, chain: CorrectionChain?, tracker: Tracker.Settings,
        filter: RecordingFilter??
    ) {
        self.gate.settings = gate
        if let chain {
            self.chain = chain
            lookAtChain()
            self.tracker.part()
        }
        self.tracker.settings = tracker
        if let filter { self.filter = filter }
        guard conductor.recordsAll else { return }
        // What was held for the best of an interval to be chosen is recorded each for itself now.
        let ready = held
        held.removeAll(keepingCapacity: true)
        leaving += ready.count
        for var item in ready {
            leaving -= 1
            settle(&item)
        }
    }

    /// Whether the receiver's time has proven itself.
    var isTimeTrusted: Bool {
        gate.isTimeTrusted
    }

    /// Whether fixes wait for the receiver's time to prove itself.
    var isUndecided: Bool {
        gate.isUndecided
    }

    /// How many fixes were taken and not handed to the store yet.
    var unsettled: Int {
        leaving + held.count + unsettledWaiting
    }

    private var unsettledWaiting: Int {
        waiting.count { if case .fix = $0 { true } else { false } }
    }

    /// Stores what waits for more to come.
    func settleAll() {
        conductor.tell(.stopping)
        settle(chosen: nil)
        settleWaiting()
    }
}
