import CSystemd
import Glibc
public import Scheduling

/// The live loop of the daemon: timers, descriptors, signals and child processes on one thread (sd-event).
///
/// It never wakes the processor by itself. A handler may cancel anything, itself included.
@safe public final class EventLoop: DescriptorLoop {
    /// How a child process ended.
    public enum ChildExit: Equatable, Sendable {
        /// It returned that status from `main`, or called `exit`.
        case exited(Int32)
        /// That signal ended it.
        case killed(Int32)
    }

    let event: OpaquePointer
    private var timers: [UInt64: EventSource] = [:]
    private var watches: [UInt64: EventSource] = [:]
    private var signals: [Int32: EventSource] = [:]
    private var children: [Int32: EventSource] = [:]
    private var numbered: UInt64 = 0

    /// Makes a loop of its own.
    ///
    /// The C function is `sd_event_new`.
    public init() throws(PlatformError) {
        var event: OpaquePointer?
        let code = unsafe sd_event_new(&event)
        guard code >= 0, let made = unsafe event else {
            throw PlatformError(call: "sd_event_new", code: -code)
        }
        unsafe self.event = made
        // The first timer opens the descriptor that all of them share: now, while there are some.
        var first: OpaquePointer?
        let timed = unsafe sd_event_add_time(
            made, &first, CLOCK_BOOTTIME, 0, 1, { _, _, _ in 0 }, nil)
        unsafe sd_event_source_unref(first)
        guard timed >= 0 else { throw PlatformError(call: "sd_event_add_time", code: -timed) }
    }

    deinit {
        // The sources first: each holds the event.
        timers = [:]
        watches = [:]
        signals = [:]
        children = [:]
        unsafe sd_event_unref(event)
    }

    /// The time of the event being handled; outside of handlers, the present.
    public var now: BootTime {
        var microseconds: UInt64 = 0
        guard unsafe sd_event_now(event, CLOCK_BOOTTIME, &microseconds) == 0 else {
            return SystemClock.now
        }
        return BootTime(nanoseconds: Int64(clamping: microseconds) &* 1000)
    }

    // MARK: Timers

    /// Calls `action` once at `due` or up to `slack` later.
    ///
    /// The C function is `sd_event_add_time`.
    /// The system may shift the call within the slack so that machines and timers wake together.
    public func schedule(
        _ due: BootTime, slack: TimeSpan, _ action: @escaping () -> Void
    ) -> TimerID {
        let (timer, code) = add(CLOCK_BOOTTIME, due, slack, action)
        // Only want of memory gets here: the clock is a valid one and its descriptor open since `init`.
        // A timer that is not set would be a daemon that sleeps for ever; the supervisor restarts us.
        guard let timer else { fatalError("sd_event_add_time: \(PlatformError.words(for: -code))") }
        return timer
    }

    /// Calls `action` once as ``schedule(_:slack:_:)`` does, and wakes a suspended machine for it.
    ///
    /// The clock is CLOCK_BOOTTIME_ALARM.
    ///
    /// - Returns: `nil` when this process may not (CAP_WAKE_ALARM) or the machine cannot.
    public func scheduleAlarm(
        _ due: BootTime, slack: TimeSpan, _ action: @escaping () -> Void
    ) -> TimerID? {
        add(CLOCK_BOOTTIME_ALARM, due, slack, action).timer
    }

    private func add(
        _ clock: clockid_t, _ due: BootTime, _ slack: TimeSpan, _ action: @escaping () -> Void
    ) -> (timer: TimerID?, code: Int32) {
        numbered += 1
        let number = numbered
        let source = EventSource { [unowned self] _, _ in
            timers[number] = nil
            action()
        }
        // Rounded up: never early. sd-event reads an accuracy of 0 as its default, 250 ms.
        let microseconds = UInt64(max(0, due.nanoseconds / 1000 + 1))
        let accuracy = UInt64(max(1, slack.nanoseconds / 1000))
        let code = unsafe sd_event_add_time(
            event, &source.handle, clock, microseconds, accuracy,
            { _, _, context in unsafe EventSource.call(context) }, source.context)
        guard code >= 0 else { return (nil, code) }
        timers[number] = source
        return (TimerID(number: number), code)
    }

    /// Forgets a timer that has not fired.
    public func cancel(_ timer: TimerID) {
        // Let go of after the table is done with: what a handler holds may cancel in turn when it goes.
        timers.removeValue(forKey: timer.number)?.end()
    }

    // MARK: Descriptors

    /// Calls `handler` whenever `descriptor` is ready.
    ///
    /// The C function is `sd_event_add_io`.
    public func watch(
        _ descriptor: Int32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
    ) throws(WatchError) -> WatchID {
        numbered += 1
        let number = numbered
        let source = EventSource { _, events in handler(Readiness(epoll: events)) }
        let code = unsafe sd_event_add_io(
            event, &source.handle, descriptor, interest.epoll,
            { _, _, events, context in unsafe EventSource.call(context, events: events) },
            source.context)
        guard code >= 0 else { throw WatchError(code: -code) }
        watches[number] = source
        return WatchID(number: number)
    }

    /// Changes what a watch waits for.
    ///
    /// The C function is `sd_event_source_set_io_events`.
    public func change(_ watch: WatchID, to interest: Readiness) {
        guard let source = watches[watch.number], let handle = unsafe source.handle else { return }
        _ = unsafe sd_event_source_set_io_events(handle, interest.epoll)
    }

    /// Ends a watch.
    public func cancel(_ watch: WatchID) {
        watches.removeValue(forKey: watch.number)?.end()
    }

    // MARK: Signals and child processes

    /// Calls `handler` when signal `number` comes in.
    ///
    /// The C function is `sd_event_add_signal`.
    /// The signal is blocked in this thread from now on; set this up before any other thread exists.
    public func onSignal(
        _ number: Int32, _ handler: @escaping () -> Void
    ) throws(PlatformError) {
        try block(number)
        let source = EventSource { _, _ in handler() }
        let code = unsafe sd_event_add_signal(
            event, &source.handle, number,
            { _, _, context in unsafe EventSource.call(context) }, source.context)
        guard code >= 0 else {
            throw PlatformError(
                call: "sd_event_add_signal", subject: String(number), code: -code)
        }
        signals[number] = source
    }

    /// Calls `handler` once when child process `pid` has ended, and reaps it.
    ///
    /// The C function is `sd_event_add_child`.
    public func onExit(
        ofChild pid: Int32, _ handler: @escaping (ChildExit) -> Void
    ) throws(PlatformError) {
        try block(SIGCHLD)
        let source = EventSource { [unowned self] status, events in
            children[pid] = nil
            handler(events == UInt32(CLD_EXITED) ? .exited(status) : .killed(status))
        }
        let code = unsafe sd_event_add_child(
            event, &source.handle, pid, WEXITED,
            { _, info, context in
                guard let info = unsafe info?.pointee else { return 0 }
                return unsafe EventSource.call(
                    context, status: info._sifields._sigchld.si_status,
                    events: UInt32(info.si_code))
            }, source.context)
        guard code >= 0 else {
            throw PlatformError(call: "sd_event_add_child", subject: String(pid), code: -code)
        }
        children[pid] = source
    }

    private func block(_ signal: Int32) throws(PlatformError) {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe sigaddset(&mask, signal)
        let code = unsafe pthread_sigmask(SIG_BLOCK, &mask, nil)
        guard code == 0 else {
            throw PlatformError(call: "pthread_sigmask", subject: String(signal), code: code)
        }
    }

    // MARK: Running

    /// Handles events until ``exit(_:)``.
    ///
    /// The C function is `sd_event_loop`.
    ///
    /// - Returns: the code given to ``exit(_:)``.
    public func run() throws(PlatformError) -> Int32 {
        let code = unsafe sd_event_loop(event)
        guard code >= 0 else { throw PlatformError(call: "sd_event_loop", code: -code) }
        return code
    }

    /// Waits for one event at most that long and handles it.
    ///
    /// The C function is `sd_event_run`.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func step(atMost wait: TimeSpan) throws(PlatformError) -> Bool {
        let code = unsafe sd_event_run(event, UInt64(max(0, wait.nanoseconds / 1000)))
        guard code >= 0 else { throw PlatformError(call: "sd_event_run", code: -code) }
        return code > 0
    }

    /// Makes ``run()`` return `code` (0 … 255) when the handler that runs has ended.
    public func exit(_ code: Int32) {
        _ = unsafe sd_event_exit(event, max(0, min(255, code)))
    }
}

extension Readiness {
    fileprivate init(epoll events: UInt32) {
        self = []
        if events & EPOLLIN.rawValue != 0 { insert(.readable) }
        if events & EPOLLOUT.rawValue != 0 { insert(.writable) }
        let gone = EPOLLHUP.rawValue | EPOLLRDHUP.rawValue | EPOLLERR.rawValue
        if events & gone != 0 { insert(.hangup) }
    }

    /// EPOLLRDHUP goes with reading: who only waits to write would be woken by it without end.
    fileprivate var epoll: UInt32 {
        var events: UInt32 = 0
        if contains(.readable) { events |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        // Asked for by name: who leaves data lie wants to know all the same that no more will come.
        if contains(.hangup) { events |= EPOLLRDHUP.rawValue }
        if contains(.writable) { events |= EPOLLOUT.rawValue }
        return events
    }
}
