import Correction
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
    /// Counts since the program started.
    struct Tally {
        /// Fixes that came, by verdict.
        var verdicts = VerdictCounts()
        /// Fixes that an earlier replay of the log has stored already.
        var known: Int64 = 0

        /// Fixes that came, kept and rejected.
        var decoded: Int64 { verdicts.kept + verdicts.totalRejected }
    }

    private(set) var tally = Tally()
    /// The latest fix of the clean track, stored or not.
    private(set) var latest: RecordedFix?
    /// When the latest epoch came, with a position or without.
    private(set) var lastEpochAt: BootTime?
    /// Told of each fix after it was handed to the store.
    var onRecord: ((RecordedFix) -> Void)?
    /// Told of each gap that a fix closed.
    var onGap: ((Gap) -> Void)?

    private let store: TrackStore
    private var gate: QualityGate
    private var chain: CorrectionChain
    private var tracker: Tracker
    private var nextSequence: Int64

    init(store: TrackStore, gate: QualityGate, chain: CorrectionChain, tracker: Tracker) {
        self.store = store
        self.gate = gate
        self.chain = chain
        self.tracker = tracker
        nextSequence = store.durableSequence + 1
    }

    /// Takes what the receiver said at one measurement time.
    ///
    /// - Parameter isKnown: an earlier replay of the log has stored it: it shapes what follows and is not
    ///   stored again.
    func take(_ epoch: inout Epoch, at: BootTime, isKnown: Bool = false) -> FixFlags? {
        lastEpochAt = at
        guard case .fix(var fix) = epoch else {
            tracker.noFix(at: at)
            return nil
        }
        let flags = gate.judge(&fix, at: at)
        tally.verdicts.count(flags)
        let step = tracker.follow(fix, flags: flags, sequence: nextSequence, at: at)
        var record = RecordedFix(fix: fix, receivedAt: at.milliseconds, flags: flags)
        if flags.isKept, !chain.isIdentity {
            record.corrected = chain.correct(fix, flags: flags)
            record.flags.formUnion(chain.notes)
        }
        if isKnown {
            tally.known += 1
        } else {
            store(&record, step)
        }
        if flags.isKept, isLatest(fix) { latest = record }
        return flags
    }

    private func store(_ record: inout RecordedFix, _ step: TrackStep) {
        if let gap = step.gap {
            store.append(gap)
            onGap?(gap)
        }
        record.segment = step.segment
        record.sequence = store.append(record)
        record.run = store.run
        nextSequence = record.sequence + 1
        onRecord?(record)
    }

    /// Takes note of why there will be no fixes from now on; `nil` when they are expected again.
    func tell(_ reason: GapReason?, at: BootTime) {
        tracker.tell(reason, at: at)
    }

    /// Takes note of a clock that can be trusted, or that there is none.
    func setClock(_ trusted: UTCTime?, at: BootTime) {
        gate.setClock(trusted, at: at)
    }

    /// Whether the receiver's time has proven itself.
    var isTimeTrusted: Bool {
        gate.isTimeTrusted
    }

    /// Closes the track at the end of the input or of the run.
    func end(at: BootTime) {
        guard store.run != 0, let gap = tracker.end(at: at), latest?.sequence ?? 0 > 0 else {
            return
        }
        store.append(gap)
        onGap?(gap)
    }

    /// A straggler is not the latest, nor does an undated fix come before any other.
    private func isLatest(_ fix: Fix) -> Bool {
        guard let time = fix.time, let known = latest?.fix.time else { return true }
        return time >= known
    }
}
