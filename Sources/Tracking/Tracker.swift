public import GNSS
public import Scheduling

/// What the next fix is to the track.
public struct TrackStep: Equatable, Sendable {
    /// The segment the fix belongs to; 0 when it was rejected.
    public var segment: Int32
    /// The hole that the fix ends.
    public var gap: Gap?
    /// Whether it is the first of its segment.
    public var beganSegment: Bool
    /// The parts of the hole before ``gap`` that have reasons of their own.
    public var earlier: [Gap] = []
}

/// Cuts a stream of judged fixes into segments and says why there are holes between them.
///
/// A hole is a time between two kept fixes that is longer than ``Settings/gapAfter`` and three times the
/// usual interval. It has a part for each reason that held for ten seconds and more: the state that was told; where none
/// was, rejected fixes or epochs without a fix, whichever were more; else silence.
///
/// Where the receiver's time steps back a segment begins too, without a hole: within one time never runs back
/// by more than a straggler does. So it does where the correction changed.
public struct Tracker: Sendable {
    /// When a hole begins, and what silence means.
    public struct Settings: Equatable, Sendable {
        /// The shortest hole.
        public var gapAfter = TimeSpan.seconds(10)
        /// The reason of a hole nothing was told about: ``GapReason/noData`` in a replay,
        /// ``GapReason/sourceLost`` live.
        public var silence = GapReason.noData

        /// The defaults.
        public init() {}
    }

    /// Where a track was left that this one goes on with.
    public struct End: Equatable, Sendable {
        /// Sequence of its last kept fix.
        public var sequence: Int64
        /// Time of that fix.
        public var time: UTCTime?
        /// Its segment.
        public var segment: Int32
        /// When the run that left it gave its last sign of life; `nil` when that was the fix.
        public var until: UTCTime?
        /// Why it had no fix until then; `nil` when a hole that says so is noted already.
        public var reason: GapReason?

        /// The end of a track.
        public init(
            sequence: Int64, time: UTCTime?, segment: Int32, until: UTCTime? = nil,
            reason: GapReason? = nil
        ) {
            self.sequence = sequence
            self.time = time
            self.segment = segment
            self.until = until
            self.reason = reason
        }
    }

    private struct Last {
        var sequence: Int64
        var time: UTCTime?
        var device: UInt8?
        /// `nil` when it was seen by another run of the program.
        var at: BootTime?
    }

    /// When a hole begins from now on.
    public var settings: Settings
    private var last: Last?
    private let previous: End?
    private let began: BootTime?
    private var segment: Int32
    private var interval = UsualInterval()
    /// What was told and what came since the last kept fix.
    private var states: HoleStates
    /// Whether a step of the receiver's time was noted since the last kept fix.
    private var isStepped = false
    /// Whether the next kept fix begins a segment whatever it is.
    private var isParted = false

    /// A tracker at the start of a run.
    ///
    /// - Parameters:
    ///   - previous: where the last run left the track; the time until the first kept fix becomes a hole,
    ///     `not_running` unless told otherwise.
    ///   - began: when this run started; what is told explains only the time since then.
    public init(
        _ settings: Settings = Settings(), after previous: End? = nil, began: BootTime? = nil
    ) {
        self.settings = settings
        self.previous = previous
        self.began = began
        states = HoleStates(from: began ?? BootTime(nanoseconds: 0))
        segment = previous?.segment ?? 0
        last = previous.map { Last(sequence: $0.sequence, time: $0.time, at: nil) }
    }

    /// Takes the next fix.
    ///
    /// - Parameters:
    ///   - fix: as judged.
    ///   - flags: the verdict on it.
    ///   - sequence: its number in the store.
    ///   - at: when the program saw it.
    public mutating func follow(
        _ fix: Fix, flags: FixFlags, sequence: Int64, at: BootTime
    ) -> TrackStep {
        if flags.contains(.timeStep) { isStepped = true }
        guard flags.isKept else {
            states.reject(flags)
            return TrackStep(segment: 0, gap: nil, beganSegment: false)
        }
        defer { isParted = false }
        guard let last else {
            segment &+= 1
            remember(fix, sequence, at)
            return TrackStep(segment: segment, gap: nil, beganSegment: true)
        }
        let elapsed = elapsed(since: last, to: fix, flags, at)
        var holes: [Gap] = []
        // However short: the line between its neighbours would lead through the zone.
        let isPrivate = states.isTold && states.told(until: at) { $0 == .privateZone } > 0
        let gapAfter = settings.gapAfter.milliseconds
        if isPrivate || last.at == nil || (wasLost(for: gapAfter, at) && elapsed > gapAfter)
            || interval.isHole(elapsed, gapAfter: gapAfter)
        {
            if last.at == nil { holes = restart(until: fix.time, at) }
            if holes.isEmpty { holes = parts(from: last, until: fix.time, elapsed, at) }
        }
        let isBack = stepsBack(since: last, to: fix, flags)
        // A line to where no way led would be miles that nobody went.
        let isStep = isBack || isParted || flags.contains(.positionStep)
        if !holes.isEmpty || isStep { segment &+= 1 }
        // A straggler belongs to the track and is not its end.
        if elapsed >= 0 || isBack { remember(fix, sequence, at) }
        let gap = holes.popLast()
        return TrackStep(
            segment: segment, gap: gap, beganSegment: gap != nil || isStep, earlier: holes)
    }

    /// Whether the track would run back in time: a straggler does not make it, nor does a second receiver's clock.
    private func stepsBack(since last: Last, to fix: Fix, _ flags: FixFlags) -> Bool {
        guard let begin = last.time, let end = fix.time, end < begin,
            !flags.contains(.outOfOrder)
        else { return false }
        return isStepped
            || last.device == fix.device && begin - end > settings.gapAfter.milliseconds
    }

    /// The hole that a restart lies in: what the last run had not noted, while nothing ran, and since then
    /// where that is a hole of its own; empty when the clocks do not tell.
    private func restart(until end: UTCTime?, _ at: BootTime) -> [Gap] {
        guard let previous, let began, let last = previous.time, let end, last < end
        else { return [] }
        let gapAfter = settings.gapAfter.milliseconds
        var left = min(max(previous.until ?? last, last), end)
        if previous.reason != nil, left - last <= gapAfter { left = last }
        let run = max(0, at.milliseconds &- began.milliseconds)
        let start = run > gapAfter ? max(UTCTime(milliseconds: end.milliseconds &- run), left) : end
        var parts: [Gap] = []
        func add(_ from: UTCTime, _ to: UTCTime, _ reason: GapReason) {
            guard from < to else { return }
            parts.append(
                Gap(
                    after: previous.sequence, begin: from, end: to, duration: to - from,
                    reason: reason))
        }
        if let reason = previous.reason { add(last, left, reason) }
        add(left, start, .notRunning)
        guard start < end else { return parts }
        let told = stretches(until: at)
        for (index, stretch) in told.enumerated() {
            add(
                index == 0 ? start : moment(stretch.from, at, end, from: start),
                index == told.count - 1 ? end : moment(stretch.to, at, end, from: start),
                stretch.reason)
        }
        if told.isEmpty { add(start, end, settings.silence) }
        return parts
    }

    /// The parts of a hole that this run has seen from its beginning.
    private func parts(
        from last: Last, until end: UTCTime?, _ elapsed: Int64, _ at: BootTime
    ) -> [Gap] {
        let told = stretches(until: at, silence: last.at == nil ? .notRunning : settings.silence)
        let isClear = last.at != nil && told.count > 1
        if isClear, let begin = last.time, let end, begin < end, end - begin == elapsed {
            var parts: [Gap] = []
            for (index, stretch) in told.enumerated() {
                let from = index == 0 ? begin : moment(stretch.from, at, end, from: begin)
                let to = index == told.count - 1 ? end : moment(stretch.to, at, end, from: begin)
                guard from < to else { continue }
                parts.append(
                    Gap(
                        after: last.sequence, begin: from, end: to, duration: to - from,
                        reason: stretch.reason))
            }
            return parts
        }
        let longest = told.max { $0.length < $1.length }
        return [
            Gap(
                after: last.sequence, begin: last.time, end: end, duration: elapsed,
                reason: longest?.reason ?? settings.silence)
        ]
    }

    /// A moment of the program in the fixes' time, told from a later one that is known in both.
    private func moment(
        _ moment: BootTime, _ at: BootTime, _ time: UTCTime, from begin: UTCTime
    ) -> UTCTime {
        let ago = max(0, at.milliseconds &- moment.milliseconds)
        return min(max(UTCTime(milliseconds: time.milliseconds &- ago), begin), time)
    }

    private func stretches(
        until at: BootTime, silence: GapReason? = nil
    ) -> [HoleStates.Stretch] {
        states.stretches(
            until: at, silence: silence ?? settings.silence, limit: settings.gapAfter)
    }

    /// Whether it was told all that time that the source was in trouble: then it is no slow one.
    private func wasLost(for time: Int64, _ at: BootTime) -> Bool {
        guard states.isTold else { return false }
        return states.told(until: at) { reason in
            switch reason {
            case .sourceLost, .noReceiver, .receiverSilent, .oldFixRepeated, .timeStandsStill: true
            default: false
            }
        } > time
    }

    /// What was told last, or else what came since, says why there is no fix; `nil` where nothing did.
    public var presentReason: GapReason? { states.present }

    /// Whether there is a kept fix, of this run or the one before it.
    public var hasBegun: Bool { last != nil }

    /// Takes note of the sequence that the last kept fix has, which another run stored.
    public mutating func wasLeft(at sequence: Int64) {
        last?.sequence = sequence
    }

    /// Takes note that positions are not those of before: another correction moves them.
    public mutating func part() {
        isParted = true
    }

    /// Takes note that the receiver reported and had no position.
    public mutating func noFix(at: BootTime) {
        states.noFix()
    }

    /// Takes note of why there will be no fixes from now on; `nil` when they are expected again.
    public mutating func tell(_ reason: GapReason?, at: BootTime) {
        states.tell(reason, at: at)
    }

    /// The hole that lasts, in parts one after the other; none while the last kept fix is fresh.
    ///
    /// - Parameters:
    ///   - at: the present.
    ///   - time: the present by a trusted clock; where this run has had no fix it tells when things were.
    /// - Returns: the parts, the last one without an end.
    public func lasting(at: BootTime, time: UTCTime? = nil) -> [Gap] {
        guard let last else { return [] }
        var parts: [Gap]
        if let seen = last.at {
            let elapsed = max(0, at.milliseconds &- seen.milliseconds)
            guard
                interval.wouldBeHole(elapsed, gapAfter: settings.gapAfter.milliseconds)
                    || wasLost(for: settings.gapAfter.milliseconds, at)
            else { return [] }
            let now = last.time.map { UTCTime(milliseconds: $0.milliseconds &+ elapsed) }
            parts = self.parts(from: last, until: now, elapsed, at)
        } else {
            guard let began, (at - began) > settings.gapAfter else { return [] }
            parts = restart(until: time, at)
        }
        if !parts.isEmpty { parts[parts.count - 1].end = nil }
        return parts
    }

    /// Milliseconds by the receiver's clock; by the program's where that is missing or stepped.
    private func elapsed(
        since last: Last, to fix: Fix, _ flags: FixFlags, _ at: BootTime
    ) -> Int64 {
        let byProgram = last.at.map { at.milliseconds &- $0.milliseconds }
        guard let begin = last.time, let end = fix.time else { return byProgram ?? 0 }
        let byReceiver = end.milliseconds &- begin.milliseconds
        guard flags.contains(.timeStep), let byProgram else { return byReceiver }
        // One of the clocks jumped: a hole is not longer than either of them says.
        return byReceiver < 0 ? byProgram : min(byReceiver, byProgram)
    }

    private mutating func remember(_ fix: Fix, _ sequence: Int64, _ at: BootTime) {
        last = Last(sequence: sequence, time: fix.time, device: fix.device, at: at)
        isStepped = false
        states.restart(at: at)
    }
}

extension GapReason {
    /// The length of an array indexed by the number of a reason.
    static let slots = 1 + Int(allCases.map(\.rawValue).max() ?? 0)
}
