import GNSS
import Scheduling
import Storage
import Tracking

/// The hole that lasts: what is known of it is written down while it does, so that no end of the program takes it away.
extension Pipeline {
    /// Whether there is a track that a hole may be in.
    var hasTrack: Bool { tracker.hasBegun }

    /// The parts of the hole that lasts.
    func lastingHole(at: BootTime, time: UTCTime?) -> [Gap] {
        tracker.lasting(at: at, time: time)
    }

    /// Writes down what is known of the hole now; the next commit makes it durable.
    func noteHole(at: BootTime, time: UTCTime?) {
        write(hole: tracker.lasting(at: at, time: time))
    }

    /// Gives the rows that were written the parts as they are now.
    func write(hole parts: [Gap]) {
        for (index, part) in parts.enumerated() {
            if index == notedHole.count {
                notedHole.append((store.record(part), part))
            } else if notedHole[index].gap != part {
                notedHole[index].gap = part
                store.record(part, id: notedHole[index].id)
            }
        }
        while notedHole.count > parts.count { store.withdrawGap(notedHole.removeLast().id) }
    }

    /// The hole that a fix ends, with the time apart in which it stood.
    private func parts(of gap: Gap, endedBy record: RecordedFix) -> [Gap] {
        guard let stood, let time = record.fix.time else { return [gap] }
        // By the clock of the fix that is at hand.
        func moment(_ boot: BootTime) -> UTCTime {
            UTCTime(
                milliseconds: time.milliseconds
                    &- (record.receivedAt &- boot.milliseconds))
        }
        return gap.split(at: moment(stood.lowerBound)...moment(stood.upperBound))
    }

    func put(gapsOf step: TrackStep, endedBy record: RecordedFix) {
        guard step.segment != 0, step.gap != nil || !notedHole.isEmpty else { return }
        let holes = (step.earlier + [step.gap].compactMap(\.self)).flatMap {
            parts(of: $0, endedBy: record)
        }
        write(hole: holes)
        notedHole = []
        for part in holes { onGap?(part) }
    }

    /// Closes cycle and track at the end of the input.
    func end(at: BootTime) {
        settleAll()
        if between.followsNew, between.count == 1 { weave() }
        guard store.runIsKnown else { return }
        let parts = tracker.lasting(at: at)
        write(hole: parts)
        for part in parts { onGap?(part) }
    }

    /// Closes cycle and track at the end of a live run: what lasts from now on, is that nothing runs.
    func end(at: BootTime, time: UTCTime?) {
        settleAll()
        var parts = tracker.lasting(at: at, time: time)
        if let last = parts.last, let begin = last.begin {
            parts[parts.count - 1].end = UTCTime(
                milliseconds: begin.milliseconds &+ last.duration)
        }
        write(hole: parts)
        for part in parts { onGap?(part) }
    }
}
