public import GNSS
public import Scheduling

/// Says of each fix whether it belongs to the clean track and why not.
///
/// It flags and never deletes. A fix that is rejected changes nothing in what later ones are measured
/// against, unless later ones bear it out. Receivers of one source are judged apart.
public struct QualityGate: Sendable {
    struct Receiver {
        var times = TimeLine()
        var places = Plausibility()
        var past = PastEpochs()

        /// What is to be said of the next fix's time, and the time believed before it; `nil` for one that repeats
        /// what was there.
        mutating func judgeTime(
            _ fix: Fix, at: BootTime, clock: UTCTime?, _ settings: Settings
        ) -> (flags: FixFlags, line: TimeLine.Moment?, isUndecided: Bool)? {
            // A stretch that a log has twice: it would run the track back.
            if past.has(fix) { return nil }
            let line = times.last
            let flags = fix.notes.union(times.judge(fix, at: at, clock: clock, settings))
            if flags.contains(.timeStep) { past.clear() }
            if flags.isKept { past.add(fix, atMost: settings.remembered) }
            return (flags, line, times.isUndecided)
        }
    }

    /// What is asked of the fixes that come.
    public var settings: Settings
    var receivers = [Receiver()]
    private var clock: (time: UTCTime, at: BootTime)?
    /// Other verdicts on earlier fixes that the last one brought.
    public internal(set) var revisions: [Revision] = []
    /// Whether what was said of the last fixes may change with the next ones.
    ///
    /// The first times after a cold start may be of any date, and one that does not follow is refused. When three in
    /// a row agree, those that led there are taken, and those that did not are untrusted.
    public internal(set) var isUndecided = false
    var doubts = Doubts()

    /// A gate that has seen nothing.
    public init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Takes note of a clock that can be trusted, or that there is none.
    ///
    /// - Parameters:
    ///   - trusted: what a synchronised clock shows; `nil` withdraws it.
    ///   - at: when it showed that.
    public mutating func setClock(_ trusted: UTCTime?, at: BootTime) {
        clock = trusted.map { ($0, at) }
    }

    /// Whether the last three believed times of some receiver agree with each other.
    ///
    /// A receiver's first times after a cold start may be wrong; until this holds they set no clock and name
    /// no file.
    public var isTimeTrusted: Bool {
        receivers.contains { $0.times.agreeing >= TimeLine.trusted }
    }

    /// Judges the next fix.
    ///
    /// - Parameters:
    ///   - fix: loses its course when too slow to have one; gets the host's time when it has none and the
    ///     clock is trusted.
    ///   - at: when the program saw it; measures elapsed time where the fix itself has no time.
    /// - Returns: the decoder's notes, and what the gate found; ``revisions`` may change it later while
    ///   ``isUndecided``.
    public mutating func judge(_ fix: inout Fix, at: BootTime) -> FixFlags {
        defer { isUndecided = doubts.isOpen }
        if !revisions.isEmpty { revisions = [] }
        doubts.count += 1
        let index = Int(fix.device)
        while receivers.count <= index { receivers.append(Receiver()) }
        if let speed = fix.speed, speed < settings.minimumCourseSpeed { fix.course = nil }
        guard fix.mode >= settings.minimumMode, abs(fix.latitude) <= 90, abs(fix.longitude) <= 180
        else { return fix.notes.union(.noFix) }

        let now = clockTime(at)
        if fix.time == nil, fix.timeOfDay == nil, let now {
            fix.time = now
            fix.notes.insert(.timeFromHost)
        }
        if isNearZero(fix), isNullIsland(fix, at: at, receivers[index].places) {
            let flags = fix.notes.union(.nullIsland)
            // Who makes up the place makes up the time: it must not become the latest.
            var times = receivers[index].times
            let doubt = times.judge(fix, at: at, clock: now, settings)
            let known = times.agreeing > 1 && doubt.isKept
            return flags.union(known ? doubt : doubt.union(.untrustedTime))
        }
        guard let timing = receivers[index].judgeTime(fix, at: at, clock: now, settings) else {
            return fix.notes.union(.duplicateEpoch)
        }
        let isAccurate = settings.admits(fix)
        guard doubts.isOpen || timing.isUndecided else {
            return QualityGate.place(
                fix, at: at, timing.flags, isAccurate: isAccurate, settings.agreement,
                &receivers[index].places)
        }
        let places = receivers[index].places
        let flags = QualityGate.place(
            fix, at: at, timing.flags, isAccurate: isAccurate, settings.agreement,
            &receivers[index].places)
        return weigh(fix, at: at, flags, after: places, timing.line)
    }

    /// What is to be said of a fix whose time has been judged.
    static func place(
        _ fix: Fix, at: BootTime, _ found: FixFlags, isAccurate: Bool, _ agreement: Int,
        _ places: inout Plausibility
    ) -> FixFlags {
        var flags = found
        if fix.status?.isEstimated == true { flags.insert(.estimated) }
        if !isAccurate { flags.insert(.lowAccuracy) }
        guard flags.isKept else { return flags }
        let finding = places.judge(fix, at: at, agreement: agreement)
        if !finding.fits { flags.insert(.outlier) }
        if finding.speedIsSuspect { flags.insert(.speedSuspect) }
        if finding.isStep { flags.insert(.positionStep) }
        return flags
    }

    private func clockTime(_ at: BootTime) -> UTCTime? {
        guard let clock else { return nil }
        let elapsed = at.milliseconds &- clock.at.milliseconds
        return UTCTime(milliseconds: clock.time.milliseconds &+ elapsed)
    }

    private func isNearZero(_ fix: Fix) -> Bool {
        // A degree is at least 110 km at the equator.
        let radius = settings.nullIslandRadius / 110_000
        return abs(fix.latitude) < radius && abs(fix.longitude) < radius
    }

    /// Whether a position near 0° 0° is an absent value; a track that leads there is believed.
    private func isNullIsland(_ fix: Fix, at: BootTime, _ places: Plausibility) -> Bool {
        if let continues = places.continuesTrack(fix, at: at) { return !continues }
        let isGood =
            fix.dop.hdop.map { $0 <= settings.maximumHDOP ?? 5 }
            ?? fix.errors.eph.map { $0 <= settings.maximumEPH ?? 100 }
            ?? fix.satellitesUsed.map { $0 >= 4 } ?? false
        return !isGood || fix.latitude == 0 && fix.longitude == 0
    }
}

extension QualityGate.Settings {
    /// Whether a fix is as accurate as is asked for, where it says how accurate it is.
    func admits(_ fix: Fix) -> Bool {
        if let limit = maximumEPH, let eph = fix.errors.eph, eph > limit { return false }
        guard let limit = maximumHDOP, let hdop = fix.dop.hdop, hdop > limit else { return true }
        // 99.99 is what receivers print for a DOP they have not computed; one that applies corrections has
        // a solution all the same.
        return hdop >= 99 && fix.status.map { $0 != .gps && !$0.isEstimated } ?? false
    }
}
