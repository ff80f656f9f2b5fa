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
    /// The parts of the hole before ``gap`` that have reasons of their own, since a restart lies in it.
    public var earlier: [Gap] = []
}

/// Cuts a stream of judged fixes into segments and says why there are holes between them.
///
/// A hole is a time between two kept fixes that is longer than ``Settings/gapAfter`` and three times the
/// usual interval. Its reason is the state that was told for at least half of it; else rejected fixes, or
/// epochs without a fix, whichever were more; else silence.
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
    /// Why no fixes are expected at present; `nil` while they are.
    private var state: GapReason?
    private var stateSince = BootTime(nanoseconds: 0)
    /// Milliseconds spent in each state since the last kept fix, by the number of the reason.
    private var spent = [Int64](repeating: 0, count: GapReason.slots)
    private var noFixes = 0
    private var rejections = 0
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
        if let began { stateSince = began }
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
            rejections += 1
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
        let isPrivate = spent[Int(GapReason.privateZone.rawValue)] > 0
        let gapAfter = settings.gapAfter.milliseconds
        if isPrivate || last.at == nil || (wasLost(for: gapAfter) && elapsed > gapAfter)
            || interval.isHole(elapsed, gapAfter: gapAfter)
        {
            settle(at)
            if last.at == nil { holes = restart(before: fix, at) }
            if holes.isEmpty {
                holes.append(
                    Gap(
                        after: last.sequence, begin: last.time, end: fix.time, duration: elapsed,
                        reason: last.at == nil
                            ? reason(elapsed, silence: .notRunning)
                            : reason(elapsed, silence: settings.silence)))
            }
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
    private func restart(before fix: Fix, _ at: BootTime) -> [Gap] {
        guard let previous, let began, let last = previous.time, let end = fix.time, last < end
        else { return [] }
        let gapAfter = settings.gapAfter.milliseconds
        var left = min(max(previous.until ?? last, last), end)
        if previous.reason != nil, left - last <= gapAfter { left = last }
        let run = max(0, at.milliseconds &- began.milliseconds)
        let start = run > gapAfter ? max(UTCTime(milliseconds: end.milliseconds &- run), left) : end
        var parts = [(left, start, GapReason.notRunning)]
        if let reason = previous.reason { parts.insert((last, left, reason), at: 0) }
        parts.append((start, end, reason(end - start, silence: settings.silence)))
        return parts.filter { $0.0 < $0.1 }.map { from, to, reason in
            Gap(
                after: previous.sequence, begin: from, end: to, duration: to - from, reason: reason)
        }
    }

    /// Whether it was told all that time that the source was in trouble: then it is no slow one.
    private func wasLost(for time: Int64) -> Bool {
        let troubles: [GapReason] = [
            .sourceLost, .noReceiver, .receiverSilent, .oldFixRepeated, .timeStandsStill,
        ]
        guard spent[0] > time else { return false }
        return troubles.reduce(0) { $0 &+ spent[Int($1.rawValue)] } > time
    }

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
        noFixes += 1
    }

    /// Takes note of why there will be no fixes from now on; `nil` when they are expected again.
    public mutating func tell(_ reason: GapReason?, at: BootTime) {
        settle(at)
        state = reason
    }

    /// Closes the track at the end of the input or of the run.
    ///
    /// - Returns: the hole that lasts, `nil` when the last kept fix is fresh.
    public mutating func end(at: BootTime) -> Gap? {
        guard let last, let seen = last.at else { return nil }
        let elapsed = max(0, at.milliseconds &- seen.milliseconds)
        guard interval.wouldBeHole(elapsed, gapAfter: settings.gapAfter.milliseconds) else {
            return nil
        }
        settle(at)
        return Gap(
            after: last.sequence, begin: last.time, end: nil, duration: elapsed,
            reason: reason(elapsed, silence: settings.silence))
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
        if noFixes > 0 || rejections > 0 || state != nil || spent[0] > 0 {
            noFixes = 0
            rejections = 0
            for index in spent.indices { spent[index] = 0 }
        }
        stateSince = at
    }

    /// Books the time since the last change to the present state.
    private mutating func settle(_ at: BootTime) {
        let time = max(0, at.milliseconds &- stateSince.milliseconds)
        if let reason = state {
            spent[Int(reason.rawValue)] &+= time
            spent[0] &+= time
        }
        stateSince = max(stateSince, at)
    }

    private func reason(_ elapsed: Int64, silence: GapReason) -> GapReason {
        var longest: GapReason?
        for reason in GapReason.allCases {
            let time = spent[Int(reason.rawValue)]
            if time > 0, time > longest.map({ spent[Int($0.rawValue)] }) ?? 0 { longest = reason }
        }
        if let longest, spent[0] >= elapsed / 2 { return longest }
        if rejections > 0, rejections >= noFixes { return .rejected }
        if noFixes > 0 { return .noSky }
        return longest ?? silence
    }
}

extension GapReason {
    /// The length of an array indexed by the number of a reason.
    static let slots = 1 + Int(allCases.map(\.rawValue).max() ?? 0)
}
