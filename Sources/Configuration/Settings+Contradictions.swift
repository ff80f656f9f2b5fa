import Correction
import DutyCycle
import Scheduling

extension Settings {
    /// Settings that take each other's effect away: the setting to change, why, and the nearest workable value.
    ///
    /// - Parameter isSet: whether a setting, as `Section.Key`, was set by somebody; a default is no mistake.
    func contradictions(isSet: (String) -> Bool) -> [(name: String, message: String)] {
        var found: [(name: String, message: String)] = []
        func note(_ name: String, when condition: Bool, _ message: @autoclosure () -> String) {
            if condition { found.append((name, message())) }
        }
        func text(_ span: TimeSpan) -> String { DurationText.format(span) }
        let cycle = dutyCycle
        if cycle.policy == .interval {
            note(
                "DutyCycle.Interval", when: cycle.interval <= cycle.keepOnBelow,
                "the receiver never sleeps: the interval is not above KeepOnBelow=\(text(cycle.keepOnBelow)); "
                    + "the nearest that saves power is \(text(cycle.keepOnBelow + .seconds(1)))")
            note(
                "DutyCycle.Settle", when: cycle.settle >= cycle.interval,
                "the best fix is waited for longer than the interval; "
                    + "the nearest workable is \(text(cycle.interval - .seconds(1)))")
            note(
                "DutyCycle.Lead", when: cycle.lead.map { $0 >= cycle.interval } ?? false,
                "the receiver never sleeps: it is switched on as early as the fix before; use auto")
        } else {
            note(
                "DutyCycle.Interval",
                when: isSet("DutyCycle.Interval") && !policies.contains(.interval),
                "has no effect with Policy=\(cycle.policy.rawValue); set Policy=interval")
        }
        noteDutyCycle(isSet) { note($0, when: $1, $2()) }
        note(
            "DutyCycle.FixTimeout", when: cycle.fixTimeout.map { $0 < .seconds(40) } ?? false,
            "holds for hot starts only: others need 40s to read the ephemeris")
        found += receiverContradictions(isSet)
        if let silence = recording.maximumSilence, let time = recording.minimumTime {
            note(
                "Recording.MaximumSilence", when: silence < time,
                "is shorter than MinimumTime=\(text(time)), which has no effect then; "
                    + "the nearest workable is \(text(time))")
        }
        note(
            "Recording.DistanceStretch",
            when: recording.distanceStretch > 0 && recording.minimumDistance == nil,
            "has no effect without MinimumDistance=")
        note(
            "Source.DrainEvery", when: source.drainEvery > store.commitEvery,
            "fixes wait in the socket for longer than CommitEvery=\(text(store.commitEvery)), which cannot be "
                + "held; the nearest workable is \(text(store.commitEvery))")
        note(
            "Store.ThinBound", when: isSet("Store.ThinBound") && store.thinAfter == nil,
            "has no effect without ThinAfter=")
        if let age = store.keepFor, let thin = store.thinAfter {
            note(
                "Store.ThinAfter", when: thin >= age,
                "has no effect: KeepFor=\(text(age)) removes fixes before they are as old")
        }
        for name in ["Correction.Regions", "Correction.HeightTerm"] {
            note(
                name, when: correction.system == .wgs84 && isSet(name),
                "has no effect with System=wgs84, which is shifted nowhere")
        }
        for name in ["Correction.Datum", "Correction.TargetDatum"] {
            note(
                name, when: !correction.pipeline.isEmpty && isSet(name),
                "has no effect: Pipeline= takes its place")
        }
        return found
    }
}
