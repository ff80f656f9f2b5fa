import GNSS

/// Decides which way a vehicle points, for the lever arm.
///
/// The receiver's heading first, then the course above a speed floor, then the last of either for a bounded
/// time: a parked vehicle keeps its heading. A course says nothing of a vehicle that goes backwards; who
/// reverses often needs a receiver with a heading.
struct HeadingKeeper: Sendable {
    let speedFloor: Double
    /// Milliseconds.
    let hold: Int64
    private var last: (heading: Double, time: UTCTime)?

    init(speedFloor: Double, holdSeconds: Double) {
        self.speedFloor = speedFloor
        hold = Int64(max(0, min(holdSeconds.isFinite ? holdSeconds : 0, 1e9)) * 1000)
    }

    /// A heading and whether it is from before; `nil` when none is known.
    ///
    /// - Parameter trusted: whether the fix may be learnt from.
    mutating func heading(of fix: Fix, trusted: Bool) -> (degrees: Double, held: Bool)? {
        if let now = current(fix), now.isFinite {
            if trusted, let time = fix.time { last = (now, time) }
            return (now, false)
        }
        guard let last, let time = fix.time, abs(time - last.time) <= hold else { return nil }
        return (last.heading, true)
    }

    private func current(_ fix: Fix) -> Double? {
        if let heading = fix.heading { return heading }
        guard let course = fix.course, let speed = fix.speed, speed >= speedFloor else {
            return nil
        }
        return course
    }
}
