import GNSS
import Scheduling

/// Says of epochs that waited in a socket when they came.
///
/// A receiver reports each epoch about as long after it as the one before: the shortest such delay that was seen
/// tells, by the receiver's own clock, when each of them must have come. It cannot have been before everything was
/// read the last time, nor after now.
struct ArrivalClock {
    /// Boot time less receiver's time, nanoseconds; the least that was seen.
    private var offset: Int64?
    private var readAt: BootTime?

    /// What oscillators may drift apart from one read to the next, in parts of that time: 200 ppm.
    private static let drift: Int64 = 5000

    /// Takes note of the newest epoch of a read, before the arrivals of that read are asked for.
    ///
    /// - Parameter rest: how long before the read before it may have come, and have waited for its rest.
    mutating func note(newest: UTCTime, now: BootTime, rest: TimeSpan = .seconds(1)) {
        guard let time = Self.nanoseconds(newest) else { return }
        let seen = now.nanoseconds &- time
        guard let known = offset, let readAt else {
            offset = seen
            return
        }
        // A receiver's clock that was set anew: what is known of the old one says nothing any more.
        let isStale = time &+ known < readAt.nanoseconds &- rest.nanoseconds
        let crept = known &+ max(0, now.nanoseconds &- readAt.nanoseconds) / Self.drift
        offset = isStale ? seen : min(seen, crept)
    }

    /// When the epoch of that time came, in a read at `now`.
    func arrival(of time: UTCTime?, now: BootTime) -> BootTime {
        guard let offset, let time = time.flatMap(Self.nanoseconds) else { return now }
        let came = BootTime(nanoseconds: time &+ offset)
        return min(now, max(came, readAt ?? now))
    }

    /// Everything that had come was read, or the connection is new.
    mutating func drained(at now: BootTime) { readAt = now }

    /// `nil` beyond what fits, ± 146 years.
    private static func nanoseconds(_ time: UTCTime) -> Int64? {
        time.milliseconds.magnitude < UInt64(Int64.max / 2_000_000)
            ? time.milliseconds * 1_000_000 : nil
    }
}
