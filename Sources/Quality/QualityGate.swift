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
    }

    /// What is asked of the fixes that come.
    public var settings: Settings
    var receivers = [Receiver()]
    private var clock: (time: UTCTime, at: BootTime)?
    /// Other verdicts on earlier fixes that the last one brought.
    public internal(set) var revisions: [Revision] = []
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
        var flags = fix.notes
        if isNearZero(fix), isNullIsland(fix, at: at, receivers[index].places) {
            flags.insert(.nullIsland)
            // Who makes up the place makes up the time: it must not become the latest.
            var times = receivers[index].times
            let doubt = times.judge(fix, at: at, clock: now, settings)
            let known = times.agreeing > 1 && doubt.isKept
            flags.formUnion(known ? doubt : doubt.union(.untrustedTime))
            return flags
        }
        // A stretch that a log has twice: it would run the track back.
        if receivers[index].past.has(fix) { return flags.union(.duplicateEpoch) }
        let line = receivers[index].times.last
        flags.formUnion(receivers[index].times.judge(fix, at: at, clock: now, settings))
        if flags.contains(.timeStep) { receivers[index].past.clear() }
        if flags.isKept { receivers[index].past.add(fix, atMost: settings.remembered) }
        guard doubts.isOpen || receivers[index].times.isUndecided else {
            return place(fix, at: at, flags, &receivers[index].places)
        }
        let places = receivers[index].places
        flags = place(fix, at: at, flags, &receivers[index].places)
        return weigh(fix, at: at, flags, after: places, line)
    }

    /// What is to be said of a fix whose time has been judged.
    func place(
        _ fix: Fix, at: BootTime, _ found: FixFlags, _ places: inout Plausibility
    ) -> FixFlags {
        var flags = found
        if fix.status?.isEstimated == true { flags.insert(.estimated) }
        if isInaccurate(fix) { flags.insert(.lowAccuracy) }
        guard flags.isKept else { return flags }
        let finding = places.judge(fix, at: at, agreement: settings.agreement)
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

    private func isInaccurate(_ fix: Fix) -> Bool {
        if let limit = settings.maximumEPH, let eph = fix.errors.eph, eph > limit { return true }
        guard let limit = settings.maximumHDOP, let hdop = fix.dop.hdop, hdop > limit else {
            return false
        }
        // 99.99 is what receivers print for a DOP they have not computed; one that applies corrections has
        // a solution all the same.
        return hdop < 99 || fix.status.map { $0 == .gps || $0.isEstimated } ?? true
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
