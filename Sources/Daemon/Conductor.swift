import DutyCycle
import GNSS
import Scheduling

/// Carries out what the duty cycle decides: the receiver on and off, its wake-ups, its cycles.
///
/// The same on the live loop and on a replay's virtual one.
final class Conductor {
    /// Whether the receiver is to be on.
    private(set) var isOn = true
    /// When it is switched on next; `nil` when it is on or nothing is planned.
    private(set) var wakesAt: BootTime?
    /// Since when ``phase`` is what it is.
    private(set) var since: BootTime
    private var lastPhase: DutyCycle.Phase
    /// Told when the receiver is to be switched.
    var onSwitch: (_ isOn: Bool) -> Void = { _ in }
    /// Told the number of the fix that stands for an interval, before the cycle that brought it ends, and when it
    /// stood since the one before.
    var onChosen: (_ number: Int64, _ stood: ClosedRange<BootTime>?) -> Void = { _, _ in }
    /// Told of each on-period that has ended.
    var onCycle: (Cycle) -> Void = { _ in }

    /// Schedules what has to wake a suspended machine; `nil` where it is not or cannot be done.
    var alarm: (_ due: BootTime, _ action: @escaping () -> Void) -> TimerID? = { _, _ in nil }
    /// Fetches what waits to be read, before time alone decides that nothing came.
    var freshen: () -> Void = {}
    /// Names the lever in force, for the record.
    var lever: () -> String? = { nil }

    private var duty: DutyCycle
    /// The most satellites heard in the cycle that lasts.
    private var heard: Int?
    private let loop: any Loop
    private var timer: TimerID?
    /// When the last fact was; none is from before it.
    private var toldAt: BootTime?

    init(_ duty: DutyCycle, on loop: any Loop) {
        self.duty = duty
        self.loop = loop
        since = loop.now
        lastPhase = duty.phase
    }

    deinit {
        if let timer { loop.cancel(timer) }
    }

    /// Whether each kept fix is recorded for itself.
    var recordsAll: Bool {
        duty.settings.policy == .continuous
    }

    /// What was learnt of the receiver, for the next run.
    var learned: Learned {
        duty.learned
    }

    /// What the receiver is doing, for status.
    var phase: String {
        duty.phase.rawValue
    }

    /// The policy in force, for status.
    var policy: String {
        duty.settings.policy.rawValue
    }

    /// Takes note of how many satellites are heard.
    func note(heard count: Int?) {
        if let count { heard = max(heard ?? 0, count) }
    }

    /// Whether what comes within the time may be read together at its end.
    func mayWait(_ span: TimeSpan) -> Bool {
        duty.mayWait(span, at: loop.now)
    }

    /// Tells the duty cycle a fact and carries out its command.
    ///
    /// - Parameter at: when it came, if that was before now: it may have waited to be read.
    func tell(_ fact: Fact, at: BootTime? = nil) {
        let now = loop.now
        let moment = min(now, max(at ?? now, toldAt ?? at ?? now))
        toldAt = moment
        carryOut(duty.tell(fact, at: moment))
    }

    /// Changes when the receiver runs.
    func change(_ settings: DutyCycle.Settings, because reason: String = "settings") {
        toldAt = loop.now
        carryOut(duty.change(settings, because: reason, at: loop.now))
    }

    private func carryOut(_ command: Command?) {
        if duty.phase != lastPhase {
            lastPhase = duty.phase
            since = toldAt ?? loop.now
        }
        guard let command else { return }
        if let timer { loop.cancel(timer) }
        timer = command.wake.map { due in
            let action = { [unowned self] in
                timer = nil
                if isOn { freshen() }
                tell(.due)
            }
            // Only a receiver that is off is worth waking a machine for.
            return (command.isOn ? nil : alarm(due, action))
                ?? loop.schedule(due, slack: .milliseconds(100), action)
        }
        wakesAt = command.isOn ? nil : command.wake
        if let number = command.chosen { onChosen(number, command.stood) }
        if var cycle = command.ended {
            cycle.lever = lever()
            cycle.heard = heard
            heard = nil
            onCycle(cycle)
        }
        if command.isOn != isOn {
            isOn = command.isOn
            onSwitch(isOn)
        }
    }
}
