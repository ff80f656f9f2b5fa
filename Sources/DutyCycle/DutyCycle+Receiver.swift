import GNSS
import Scheduling

/// When the receiver is switched, and the cycles that makes.
extension DutyCycle {
    /// Does what is due.
    mutating func advance(_ now: Int64, _ command: inout Command) {
        guard phase != .stopped, !isPaused else { return }
        switch phase {
        case .stopped: break
        case .off:
            if settings.policy == .continuous || isHeld {
                turnOn(isHeld ? "held" : wakeReason, now)
            } else if let wakeAt, now >= wakeAt {
                if settings.policy == .adaptive, wakeReason == "motion" {
                    command.departure = departure(now)
                    isAlarm = bound.isStill && plan.failures == 0
                }
                turnOn(wakeReason, now)
            }
        case .waking, .acquiring:
            if let alarmEnds, now >= alarmEnds {
                turnOff("false_alarm", now, &command)
                rest(now)
            } else if let deadline, now >= deadline {
                let reason = phase == .waking ? "no_data" : "timeout"
                let lasted = now &- onSince
                var pause = plan.failed(
                    after: lasted, heard: heard, interval: settings.interval.milliseconds)
                if settings.policy == .adaptive { pause = adaptivePause(now, lasted: lasted) }
                turnOff(reason, now, &command)
                target = nil
                wakeAt = settings.policy == .onDemand ? nil : now &+ pause
                wakeReason = "retry"
            }
        case .tracking:
            if now &- lastFix >= Self.lossAfter {
                lose(now, &command)
            } else if isDone(now) {
                sleep(now, &command)
            }
        }
    }

    /// Switches off until the next fix is due.
    mutating func sleep(_ now: Int64, _ command: inout Command) {
        turnOff("fix", now, &command)
        if settings.policy == .adaptive {
            wakeAt = adaptiveWake(now)
            wakeReason = bound.isStill ? "heartbeat" : "interval"
            return
        }
        wakeAt = target.map { max(now, $0 &- lead(now)) }
        wakeReason = isStill && settings.skipAtRest ? "heartbeat" : "interval"
    }

    /// The fixes ended before the window did: what it has is taken, else the search begins anew.
    mutating func lose(_ now: Int64, _ command: inout Command) {
        unbrokenSince = nil
        if now >= (target ?? now) &- Self.halfEpoch, window.best != nil {
            command.chosen = choose(now)
            if isDone(now) { return sleep(now, &command) }
        }
        phase = .acquiring
        dataSince = now
        firstFix = nil
        heard = nil
        onSince = now
        start = startClass(now)
        // It is no start: the receiver was on all the time.
        isReady = true
    }

    /// Whether the receiver has done its work and being off pays.
    func isDone(_ now: Int64) -> Bool {
        guard settings.policy != .continuous, !isHeld else { return false }
        if settings.policy == .adaptive {
            return now >= holdUntil && isAdaptiveDone(now) && !isReadingEphemeris(now)
        }
        guard now >= holdUntil || target != nil, window.best == nil,
            lastChosen.map({ $0 >= onSince }) ?? false
        else { return false }
        if settings.policy == .onDemand { return now >= holdUntil }
        if isReadingEphemeris(now), !(isStill && settings.skipAtRest) { return false }
        guard let target else { return false }
        return target &- lead(now) &- now > settings.keepOnBelow.milliseconds
    }

    /// Whether it pays to stay on for an ephemeris that is nearly stale.
    func isReadingEphemeris(_ now: Int64) -> Bool {
        guard let since = unbrokenSince, now &- since < Self.ephemerisLength else { return false }
        return ephemerisAt.map { now &- $0 > Self.ephemerisDue } ?? true
    }

    func lead(_ now: Int64) -> Int64 {
        settings.lead?.milliseconds ?? learned.lead(startClass(target ?? now))
    }

    func startClass(_ now: Int64) -> StartClass {
        guard let ephemerisAt else { return .cold }
        let age = now &- ephemerisAt
        return age < Self.ephemerisStale ? .hot : age < Self.almanacStale ? .warm : .cold
    }

    /// When the start is given up; `nil` when it never is.
    var deadline: Int64? {
        guard settings.policy != .continuous, !isHeld, !isSourceLost else { return nil }
        guard let dataSince else { return onSince &+ StartPlan.silence }
        return dataSince
            &+ plan.timeout(start, heard: heard, asked: settings.fixTimeout?.milliseconds)
    }

    mutating func turnOn(_ reason: String, _ now: Int64) {
        phase = .waking
        onSince = now
        dataSince = nil
        firstFix = nil
        heard = nil
        unbrokenSince = nil
        window = FixWindow()
        settling = FixWindow()
        isReady = false
        start = startClass(now)
        wakeAt = nil
        bound.start()
        if reason != "motion" { isAlarm = false }
        cycle = Cycle(began: now, because: reason)
        cycle?.start = start.rawValue
    }

    mutating func turnOff(_ reason: String, _ now: Int64, _ command: inout Command) {
        end(reason, now, &command)
        phase = .off
        wakeAt = nil
    }

    mutating func end(_ reason: String, _ now: Int64, _ command: inout Command) {
        guard var cycle else { return }
        cycle.ended = now
        cycle.endedBecause = reason
        command.ended = cycle
        self.cycle = nil
    }

    /// Completes the command; `nil` when it repeats the last one.
    mutating func answer(_ command: Command, _ now: Int64) -> Command? {
        var command = command
        command.isOn = phase != .off
        var due = nextDue
        // A timer that comes too early only asks again: cheaper than one set anew by every fix.
        if phase == .tracking, let asked = last?.wake?.milliseconds, asked > now {
            due = due.map { min($0, asked) }
        }
        command.wake = due.map { BootTime(milliseconds: $0) }
        let isNew =
            command.isOn != last?.isOn || command.wake != last?.wake || command.chosen != nil
            || command.ended != nil || command.departure != nil
        last = command
        return isNew ? command : nil
    }

    var nextDue: Int64? {
        guard !isPaused else { return nil }
        return switch phase {
        case .stopped: nil
        case .off: wakeAt
        case .waking, .acquiring:
            alarmEnds.map { min($0, deadline ?? $0) } ?? deadline
        case .tracking: settings.policy == .continuous ? nil : lastFix &+ Self.lossAfter
        }
    }
}
