import GNSS
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
        // The hole between what this run recorded and what was there before it, nobody else has noted.
        if lastKnown == nil, store.runIsKnown { put(gapsOf: step, endedBy: record) }
        lastKnown = (record.fix, sequence, step.segment)
    }

    /// Takes up the track where it goes on behind them.
    func goOn() {
        guard let known = lastKnown else { return }
        lastKnown = nil
        // A store that fails says so when it is written to.
        let taken = try? store.takeUp(after: known.fix, segment: known.segment)
        tracker.wasLeft(
            at: taken ?? (known.sequence > 0 ? known.sequence : store.durableSequence))
        isApart = taken == nil
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
}
