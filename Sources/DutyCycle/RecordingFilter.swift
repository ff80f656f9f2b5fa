public import GNSS
import Geodesy
public import Scheduling

/// Thins the kept fixes that are recorded, the same in every policy.
///
/// A fix is recorded when ``Settings/maximumSilence`` has passed since the last recorded one; or when
/// ``Settings/minimumTime`` has passed **and** at least one of distance, turn and change of speed has reached
/// its limit. Of these three, those that are not set do not count; when none is set, time alone decides. So a
/// parked device is recorded at the rate of the silence, and a moving one never faster than the time.
public struct RecordingFilter: Sendable {
    /// The limits; `nil` is no limit.
    public struct Settings: Equatable, Sendable {
        /// Shortest time between recorded fixes.
        public var minimumTime: TimeSpan?
        /// Distance from the last recorded fix that asks for a new one, metres.
        public var minimumDistance: Double?
        /// Seconds of travel added to the distance, so that it stretches with speed: at 30 m/s and 2 s by 60 m.
        public var distanceStretch = 0.0
        /// Change of course that asks for a new fix, degrees, 0 … 180.
        public var turnAngle: Double?
        /// Change of speed that asks for a new fix, m/s.
        public var speedChange: Double?
        /// Longest time without a recorded fix, whatever the other limits say.
        public var maximumSilence: TimeSpan?

        /// Everything is recorded.
        public init() {}
    }

    private let settings: Settings
    private var last: (fix: Fix, at: BootTime)?

    /// A filter that records the first fix.
    public init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Whether the next kept fix is recorded; remembers it when it is.
    ///
    /// - Parameter at: when the program saw it; used when a fix has no time.
    public mutating func admits(_ fix: Fix, at: BootTime) -> Bool {
        guard let last else {
            self.last = (fix, at)
            return true
        }
        guard isDue(fix, at, after: last) else { return false }
        self.last = (fix, at)
        return true
    }

    private func isDue(_ fix: Fix, _ at: BootTime, after last: (fix: Fix, at: BootTime)) -> Bool {
        var elapsed = at.milliseconds &- last.at.milliseconds
        if let begin = last.fix.time, let end = fix.time { elapsed = end - begin }
        // A clock that went back would silence the filter for as long.
        guard elapsed >= 0 else { return true }
        if let silence = settings.maximumSilence, elapsed >= silence.milliseconds { return true }
        if let time = settings.minimumTime, elapsed < time.milliseconds { return false }
        let changes = [
            settings.minimumDistance.map { distance in
                LocalDistance.between(
                    last.fix.latitude, last.fix.longitude, fix.latitude, fix.longitude)
                    >= distance + settings.distanceStretch * (fix.speed ?? 0)
            },
            settings.turnAngle.map { angle in turn(last.fix.course, fix.course) >= angle },
            settings.speedChange.map { change in
                guard let before = last.fix.speed, let now = fix.speed else { return false }
                return abs(now - before) >= change
            },
        ]
        return changes.allSatisfy { $0 == nil } || changes.contains(true)
    }

    /// The angle between two courses, 0 … 180; 0 when one is unknown.
    private func turn(_ a: Double?, _ b: Double?) -> Double {
        guard let a, let b else { return 0 }
        let difference = abs(a - b)
        return min(difference, 360 - difference)
    }
}
