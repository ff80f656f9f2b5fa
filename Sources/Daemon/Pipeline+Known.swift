import Correction
import GNSS
import Quality
import Scheduling
import StatusProtocol
import Storage
import Tracking

/// Fixes that are in the database already: they shape what follows, and are not stored again.
extension Pipeline {
    /// Passes over one.
    ///
    /// - Parameter sequence: what it was stored under; 0 where only its log is known.
    func pass(_ record: RecordedFix, _ sequence: Int64, _ step: TrackStep) {
        tally.known.count(record.flags)
        if sequence > 0 { inCycle.known = true }
        guard record.flags.isKept else { return }
        // What of the hole is left has a row of its own.
        if let after = between.hole, !step.beganSegment || step.gap != nil,
            let time = record.fix.time
        {
            store.fill(holesAfter: after, until: time)
        }
        between.hole = nil
        between.pass(record, sequence, step, isReplaced: store.isReplaced(sequence))
        // The hole between what this run recorded and what was there before it, nobody else has noted.
        if lastKnown == nil, store.runIsKnown { put(gapsOf: step, endedBy: record) }
        lastKnown = (record.fix, sequence, step.segment)
    }

    /// Takes up the track where it goes on behind them.
    func goOn() {
        guard let known = lastKnown else { return }
        lastKnown = nil
        between.hole = known.sequence
        guard !between.followsNew else { return }
        // A store that fails says so when it is written to.
        let taken = try? store.takeUp(after: known.fix, segment: known.segment)
        tracker.wasLeft(
            at: taken ?? (known.sequence > 0 ? known.sequence : store.durableSequence))
        isApart = taken == nil
        // Where the log begins with one, it goes on from there; of more the way is known.
        if taken != nil || between.count != 1 { between.clear() }
    }

    /// Goes on from the track that the database ends with, where a log is the next one, as rotated logs are.
    ///
    /// What is measured against what, the log alone says: the same log gives the same verdicts.
    func goOn(to fix: Fix, at: BootTime, isKnown: Bool) {
        defer { ending = [] }
        guard !isKnown, !tracker.hasBegun, let time = fix.time, let last = ending.last,
            let end = last.fix.time, end < time
        else { return }
        var look = QualityGate(gate.settings)
        for record in ending {
            guard let begin = record.fix.time, begin < time else { continue }
            var plain = chain.inWGS84(record.fix)
            let moment = at - .milliseconds(time - begin)
            _ = look.judge(&plain, at: moment)
            let step = tracker.follow(
                plain, flags: [], sequence: record.sequence, at: moment)
            lastKnown = (record.fix, record.sequence, step.segment)
        }
        var next = fix
        // A line to where no way led would be miles that nobody went.
        if !look.judge(&next, at: at).isKept { tracker.part() }
        // A store that fails says so when it is written to.
        try? store.endHoles()
        noted = (try? store.leave(after: last)).flatMap { $0?.reason == nil ? $0?.until : nil }
    }

    /// Lets the hole behind the track that was there begin where what is noted of it ends.
    func leaveNoted(_ step: inout TrackStep) {
        defer { noted = nil }
        guard let noted, var hole = step.gap, let begin = hole.begin, let end = hole.end else {
            return
        }
        let from = min(max(noted, begin), end)
        hole.begin = from
        hole.duration = end.milliseconds &- from.milliseconds
        step.gap = hole.duration > 0 ? hole : nil
    }

    /// Records known fixes anew among the new ones that they lie between, in the place of their rows.
    func weave() {
        for item in between.take() {
            if isApart { setApart(item.step) }
            var record = item.record
            record.segment = item.step.segment
            record.sequence = store.append(record, replacing: item.sequence)
            nextSequence = record.sequence + 1
            tracker.wasLeft(at: record.sequence)
        }
    }

    /// Begins a segment where others were recorded since.
    func setApart(_ step: TrackStep) {
        isApart = false
        store.setApart(step.segment)
    }

    /// Whether a cycle is stored already: a replay that adds nothing leaves no trace.
    func isKnown(_ cycle: Cycle) -> Bool {
        if inCycle.known { return !inCycle.new }
        return lastKnown != nil && store.hasCycle(began: cycle.began)
    }

    /// A straggler is not the latest, nor does an undated fix come before any other; where the time of the track
    /// proved wrong, the fix that overruled it is.
    func isLatest(_ fix: Fix) -> Bool {
        guard let time = fix.time, let known = latest?.fix.time else { return true }
        return time >= known
    }

    /// Counts since the program started.
    struct Tally {
        /// Fixes that came, by verdict.
        var verdicts = VerdictCounts()
        /// Fixes that were in the database already, by verdict.
        var known = VerdictCounts()
        /// Fixes that were handed to the store.
        var recorded: Int64 = 0

        /// Fixes that came, kept and rejected.
        var decoded: Int64 { verdicts.kept + verdicts.totalRejected }
    }
}
