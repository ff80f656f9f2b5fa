/// A loop whose time is moved by hand: replays run on it as fast as they can, and tests without waiting.
public final class VirtualLoop: Loop {
    /// The virtual time.
    public private(set) var now: BootTime

    private struct Timer {
        let due: BootTime
        let id: TimerID
        let action: () -> Void
    }

    // A handful of timers at most: a sorted array beats a heap and is easier to trust.
    private var timers: [Timer] = []
    private var scheduled: UInt64 = 0

    /// A loop that stands at `now`.
    public init(now: BootTime = BootTime(nanoseconds: 0)) {
        self.now = now
    }

    /// When the next timer is due; `nil` when none is.
    public var nextDue: BootTime? {
        timers.first?.due
    }

    /// Remembers `action` until time reaches `due`; slack is not used.
    public func schedule(
        _ due: BootTime, slack: TimeSpan, _ action: @escaping () -> Void
    ) -> TimerID {
        scheduled += 1
        let timer = Timer(due: due, id: TimerID(number: scheduled), action: action)
        // Timers of one due time fire in the order in which they were scheduled.
        let place = timers.firstIndex { $0.due > due } ?? timers.count
        timers.insert(timer, at: place)
        return timer.id
    }

    /// Forgets a timer that has not fired.
    public func cancel(_ timer: TimerID) {
        timers.removeAll { $0.id == timer }
    }

    /// Moves time to `time` and fires what comes due on the way, in order; time never goes back.
    @inlinable
    public func advance(to time: BootTime) {
        if let due = nextDue, due <= time {
            fire(until: time)
        }
        if time > now { setNow(time) }
    }

    @usableFromInline
    func fire(until time: BootTime) {
        while let first = timers.first, first.due <= time {
            timers.removeFirst()
            now = max(now, first.due)
            first.action()
        }
    }

    @usableFromInline
    func setNow(_ time: BootTime) {
        now = time
    }
}
