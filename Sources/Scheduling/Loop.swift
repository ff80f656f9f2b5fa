/// What owns the clock and calls back when time comes: sd-event live, a ``VirtualLoop`` in replay and tests.
public protocol Loop: AnyObject {
    /// The time of the event being handled.
    var now: BootTime { get }

    /// Calls `action` once at `due` or up to `slack` later, so that wake-ups can be shared.
    ///
    /// A due time in the past is called as soon as the loop runs again.
    func schedule(
        _ due: BootTime, slack: TimeSpan, _ action: @escaping () -> Void
    ) -> TimerID

    /// Forgets a timer; one that has fired or was cancelled is ignored.
    func cancel(_ timer: TimerID)
}

/// A timer of one loop.
public struct TimerID: Hashable, Sendable {
    /// Counts up from 1 in each loop.
    public let number: UInt64

    /// The `number`-th timer of a loop.
    public init(number: UInt64) {
        self.number = number
    }
}
