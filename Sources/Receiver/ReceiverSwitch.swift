public import DutyCycle
public import Scheduling

/// Switches the receiver behind gpsd by a lever, looks whether it took effect, and falls back when it did not.
public final class ReceiverSwitch {
    /// Told when something that status shows has changed.
    public var onChange: () -> Void = {}
    /// Told when other clients keep the receiver on, and when it is to be tried again without them.
    public var onHeld: (Bool) -> Void = { _ in }
    /// Told of a lever that failed, or of a receiver that does not wake.
    public var onTrouble: (String) -> Void = { _ in }
    /// What is known of the lever.
    public private(set) var judge: LeverJudge

    private let source: GPSDSource
    private let lever: (any Lever)?
    private let loop: any DescriptorLoop
    private var isOn = true
    private var until: BootTime?
    /// Whether it should be on and nothing was heard from it since it was switched.
    public private(set) var isWaking = false
    private var attempts = 0
    /// Whether the lever says that it has switched on.
    private var isDone = false
    private var checkTimer: TimerID?
    private var wakeTimer: TimerID?
    private var rideTimer: TimerID?
    private var ended: (() -> Void)?

    /// Others are ridden along with for this long before they are looked for again.
    static let rides = TimeSpan.seconds(600)
    /// A command may get lost, and the byte that wakes a receiver always is: it is repeated (power.md, section 2).
    static let wakesWithin = TimeSpan.seconds(3)
    /// Reports that nobody reads are looked at this often.
    static let leavesUnread = TimeSpan.seconds(60)

    /// A switch for the receiver behind `source`.
    ///
    /// - Parameter lever: what does `kind`; `nil` for ``PowerLever/gpsd`` and ``PowerLever/none``.
    public init(
        _ kind: PowerLever, _ lever: (any Lever)?, linger: TimeSpan = .seconds(0),
        source: GPSDSource, loop: any DescriptorLoop
    ) {
        judge = LeverJudge(kind, linger: linger)
        self.lever = lever
        self.source = source
        self.loop = loop
        source.onHeard = { [unowned self] in heard() }
        source.onReport = { [unowned self] in take($0) }
    }

    deinit {
        source.onHeard = nil
        source.onReport = nil
        for timer in [checkTimer, wakeTimer, rideTimer] {
            if let timer { loop.cancel(timer) }
        }
    }

    /// The lever in force, for records.
    public var inForce: PowerLever { judge.inForce(at: loop.now) }

    /// What being off saves, for a person.
    public var saving: String { judge.saving(device: source.receiverPath) }

    /// Begins with the receiver on, whatever it was left in.
    public func start() {
        source.start()
        // A sleep command needs a receiver that gpsd has named: the first look at the line sends it.
        if judge.wanted != .hexdata { switchLever(isOn: true) }
        expectData()
    }

    /// Switches, until then when it is known for how long.
    public func set(isOn: Bool, until: BootTime?) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        self.until = until
        if isOn { turnOn() } else { turnOff() }
        onChange()
    }

    /// Sees to it that the receiver is on, waits for it at most that long, then calls `done` and delivers no more.
    public func end(within limit: TimeSpan, _ done: @escaping () -> Void) {
        let wasOff = !isOn
        ended = { [unowned self] in
            ended = nil
            source.stop()
            done()
        }
        let isSure = !isWaking || (isDone && judge.wanted != .hexdata)
        guard judge.wanted.touchesReceiver, wasOff || !isSure else { return finish() }
        if wasOff {
            isOn = true
            turnOn()
        }
        // The lever may have been that quick.
        guard ended != nil else { return }
        checkTimer = loop.schedule(loop.now + limit, slack: .milliseconds(100)) {
            [unowned self] in
            checkTimer = nil
            finish()
        }
    }

    // MARK: Off

    private func turnOff() {
        cancel(&wakeTimer)
        isWaking = false
        isDone = false
        let now = loop.now
        let kind = judge.inForce(at: now)
        if kind.touchesReceiver, !kind.releasesDevice, let others = source.otherClients, others > 0
        {
            // They want it: it is not ours to switch off.
            source.rest()
            return carryOut(judge.tell(.shared(others), at: now))
        }
        carryOut(judge.tell(.off(until: until), at: now))
        switch kind {
        case .gpsd: source.unwatch()
        case .none:
            source.rest()
            source.drain(every: Self.leavesUnread)
        case .gnssDevice:
            source.unwatch()
            switchLever(isOn: false)
        default:
            source.rest()
            switchLever(isOn: false)
        }
        arm()
    }

    // MARK: On

    private func turnOn() {
        cancel(&checkTimer)
        carryOut(judge.tell(.on, at: loop.now))
        source.start()
        if judge.wanted.touchesReceiver { switchLever(isOn: true) }
        expectData()
    }

    /// Wakes a receiver that says nothing again and again: a track without a receiver is the worst of all.
    private func expectData() {
        guard judge.wanted.touchesReceiver else { return }
        isWaking = true
        attempts = 0
        armWake()
    }

    private func armWake() {
        let wait = attempts < 5 ? Self.wakesWithin : Self.leavesUnread
        wakeTimer = loop.schedule(loop.now + wait, slack: .milliseconds(200)) {
            [unowned self] in
            wakeTimer = nil
            attempts += 1
            // Nothing is heard while gpsd is away or still looks at the receiver: that is another trouble.
            if source.isListening, source.receiverPath != nil {
                if attempts == 5 { onTrouble("the receiver does not wake") }
                switchLever(isOn: true)
            }
            armWake()
        }
    }

    private func heard() {
        guard isOn else { return carryOut(judge.tell(.data, at: loop.now)) }
        guard isWaking else { return }
        isWaking = false
        cancel(&wakeTimer)
        finish()
    }

    private func switchLever(isOn: Bool) {
        guard let lever else { return }
        let span = isOn ? nil : until.map { $0 - loop.now }
        lever.set(isOn: isOn, for: span) { [weak self] failure in
            guard let self, self.isOn == isOn else { return }
            let fact = failure.map { LeverJudge.Fact.failed($0.description) } ?? .carriedOut
            if let failure {
                onTrouble(
                    "\(judge.wanted.rawValue) failed to switch \(isOn ? "on" : "off"): \(failure)")
            }
            carryOut(judge.tell(fact, at: loop.now))
            arm()
            // Only silence that was broken proves a sleep command; the others say when they are done.
            if isOn, failure == nil { isDone = true }
            if isOn, judge.wanted != .hexdata { finish() }
            onChange()
        }
    }

    private func finish() {
        guard let ended else { return }
        cancel(&checkTimer)
        cancel(&wakeTimer)
        ended()
    }

    // MARK: Proof

    private func take(_ report: GPSDReport) {
        guard case .devices(let devices) = report else { return }
        if isOn {
            // gpsd is there, perhaps again: from now on the receiver can be heard.
            guard isWaking, attempts >= 5 else { return }
            cancel(&wakeTimer)
            attempts = 0
            return armWake()
        }
        let path = source.receiverPath
        let isOpen = devices.contains { $0.isActive && (path == nil || $0.path == path) }
        let fact = LeverJudge.Fact.device(isOpen: isOpen, others: source.otherClients)
        carryOut(judge.tell(fact, at: loop.now))
        arm()
        onChange()
    }

    private func carryOut(_ action: LeverJudge.Action?) {
        switch action {
        case nil: break
        case .ask?:
            if !source.askDevices() { carryOut(judge.tell(.blind, at: loop.now)) }
        case .again?: switchLever(isOn: false)
        case .fallBack?:
            // A receiver in doubt is one that is on.
            lever?.set(isOn: true, for: nil) { _ in }
            if judge.inForce(at: loop.now) == .none {
                source.drain(every: Self.leavesUnread)
            } else {
                source.release()
            }
        case .ride?:
            cancel(&rideTimer)
            rideTimer = loop.schedule(loop.now + Self.rides, slack: .seconds(10)) {
                [unowned self] in
                rideTimer = nil
                onHeld(false)
            }
            // Not at once: whoever switched it off is not done with that.
            _ = loop.schedule(loop.now, slack: .milliseconds(1)) { [weak self] in
                self?.onHeld(true)
            }
        }
    }

    private func arm() {
        guard ended == nil else { return }
        cancel(&checkTimer)
        guard let due = judge.nextCheck else { return }
        checkTimer = loop.schedule(due, slack: .milliseconds(500)) { [unowned self] in
            checkTimer = nil
            let isBlind = !source.isListening
            carryOut(judge.tell(isBlind ? .blind : .time, at: loop.now))
            arm()
            onChange()
        }
    }

    private func cancel(_ timer: inout TimerID?) {
        if let pending = timer { loop.cancel(pending) }
        timer = nil
    }
}
