import GNSS
import Scheduling

/// Says at what virtual time a recorded epoch arrives: the log's own time, counted from its first epoch.
///
/// Time never goes back: an epoch dated earlier than one before it arrives at the same moment. A log
/// without a date goes by the time of day.
struct VirtualClock {
    private var origin: Int64?
    private var dated = true
    private var latest: Int64 = 0
    /// Epochs dated later are lies of the receiver and move no clock.
    private let limit: UTCTime

    init(limit: UTCTime) {
        self.limit = limit
    }

    /// The longest step one epoch may take, milliseconds: two logs decades apart must not overflow the clock.
    private static let longestStep: Int64 = 100 * 366 * 86_400_000

    /// Virtual milliseconds since the log's first epoch.
    mutating func arrival(of epoch: inout Epoch) -> BootTime {
        let time: UTCTime?
        var timeOfDay: Int32?
        switch epoch {
        case .fix(let fix): (time, timeOfDay) = (fix.time, fix.timeOfDay)
        case .noFix(let reported): time = reported
        }
        if let time, time > limit { return BootTime(milliseconds: latest) }
        if let time {
            step(to: time.milliseconds, dated: true)
        } else if let timeOfDay {
            step(to: dayed(Int64(timeOfDay)), dated: false)
        }
        return BootTime(milliseconds: latest)
    }

    /// The next moment, not before `latest`, with that time of day.
    private func dayed(_ timeOfDay: Int64) -> Int64 {
        guard let origin, !dated else { return timeOfDay }
        let day: Int64 = 86_400_000
        let now = origin + latest
        var moment = now - now % day + timeOfDay
        // Half a day back is a new day; less is an epoch out of order.
        if moment < now - day / 2 { moment += day }
        return moment
    }

    private mutating func step(to moment: Int64, dated: Bool) {
        guard let origin, dated == self.dated else {
            origin = moment - latest
            self.dated = dated
            return
        }
        let elapsed = moment - origin
        guard elapsed > latest else { return }
        if elapsed - latest > VirtualClock.longestStep {
            self.origin = moment - latest
        } else {
            latest = elapsed
        }
    }
}
