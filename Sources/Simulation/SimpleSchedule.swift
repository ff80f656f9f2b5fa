public import DutyCycle
import GNSS
public import Scheduling

/// What decides about a simulated receiver: a duty cycle, or a simple peer to compare with.
public protocol Schedule {
    /// Takes the next fact and says what to do, as ``DutyCycle/tell(_:at:)`` does.
    mutating func tell(_ fact: Fact, at: BootTime) -> Command?
    /// Whether each fix is recorded for itself.
    var recordsAll: Bool { get }
}

extension DutyCycle: Schedule {
    /// Whether each fix is recorded for itself.
    public var recordsAll: Bool { settings.policy == .continuous }
}

/// What simple loggers do: the first fix of each period, given up after a minute.
///
/// The motion-gated kind waits at rest for its sensor, an hour at most.
public struct SimpleSchedule: Schedule {
    private let period: Int64
    private let isGated: Bool
    private var isOn = false
    private var due: Int64 = 0
    private var onAt: Int64 = 0
    private var wake: Int64?
    private var isMoving = false
    private var hasMoved = false
    private var hasSensor = false

    /// Records none but the chosen.
    public let recordsAll = false

    /// A peer with a period in seconds.
    public init(every period: Double, isGated: Bool) {
        self.period = Int64(period * 1000)
        self.isGated = isGated
    }

    /// Takes the next fact.
    public mutating func tell(_ fact: Fact, at: BootTime) -> Command? {
        let now = at.milliseconds
        var chosen: Int64?
        switch fact {
        case .started: switchOn(now)
        case .motion(let isMoving, _):
            hasSensor = true
            self.isMoving = isMoving
            hasMoved = hasMoved || isMoving
            if !isOn, isGated { plan(now) }
        case .fix(let fix) where isOn && now >= due:
            chosen = fix.sequence
            if isGated || due &+ period > now &+ 1000 {
                switchOff(now)
            } else {
                due = now &+ period
                onAt = now
            }
        default: break
        }
        if isOn, now &- onAt >= 60_000 { switchOff(now) }
        if !isOn, let wake, now >= wake { switchOn(now) }
        var command = Command(isOn: isOn)
        command.chosen = chosen
        command.wake = (isOn ? onAt &+ 60_000 : wake).map { BootTime(milliseconds: $0) }
        return command
    }

    private mutating func switchOn(_ now: Int64) {
        isOn = true
        onAt = now
        if isGated { due = now }
        wake = nil
    }

    private mutating func switchOff(_ now: Int64) {
        isOn = false
        hasMoved = isMoving
        if !isGated {
            while due <= now { due += period }
        }
        plan(now)
    }

    private mutating func plan(_ now: Int64) {
        guard isGated, hasSensor else {
            wake = isGated ? max(onAt &+ period, now) : due
            return
        }
        wake = hasMoved ? max(onAt &+ period, now) : onAt &+ 3_600_000
    }
}
