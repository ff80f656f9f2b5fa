public import GNSS
public import Scheduling

extension QualityGate {
    /// What the gate asks of a fix.
    ///
    /// Each limit left `nil` is not applied. An unknown value never fails a limit.
    public struct Settings: Equatable, Sendable {
        /// The fewest dimensions a kept fix has.
        public var minimumMode = FixMode.twoD
        /// The largest admitted estimated horizontal error (EPH), metres, 95 %.
        public var maximumEPH: Double? = 100
        /// The largest admitted horizontal dilution of precision.
        public var maximumHDOP: Double? = 5
        /// How far from 0° 0° a fix is suspected to be an absent value, metres.
        public var nullIslandRadius = 1200.0
        /// Below this speed the course is noise and is dropped, m/s.
        public var minimumCourseSpeed = 0.5
        /// Earlier receiver dates are power-on defaults.
        ///
        /// GPS was declared fully operational on 1995-04-27; no log worth keeping is older.
        public var earliestTime = UTCTime(year: 1995, month: 4, day: 27)
        /// No live fix is from before this, the first day of the program's year; `nil` in a replay.
        public var floor: UTCTime?
        /// No fix is from later than this, as the wall clock when a replay begins.
        public var latestTime: UTCTime?
        /// How far ahead of a trusted clock a fix may be.
        public var clockTolerance = TimeSpan.seconds(60)
        /// How old a fix may be against a trusted clock; for live sources, `nil` in a replay.
        public var maximumAge: TimeSpan?
        /// How far back in time a fix may be and still be a straggler of the same track.
        public var maximumDisorder = TimeSpan.seconds(10)
        /// Epochs of which a repetition is known, for logs that have a stretch twice; 16 bytes each.
        public var remembered = 0
        /// How far receiver and host may drift apart between two fixes before it is noted.
        ///
        /// Above the time that reports may wait in a socket's buffer.
        public var stepTolerance = TimeSpan.seconds(90)
        /// Fixes that must agree with each other before they overrule the track so far.
        ///
        /// One more is asked when no Doppler speed backs them, and one more against a long track.
        public var agreement = 2

        /// The defaults.
        public init() {}
    }
}
