import GNSS
public import Scheduling

/// When the receiver is switched, and the cycles that makes.
extension DutyCycle {
    /// Does what is due.
    mutating func advance(_ now: Int64, _ command: inout Command) {
        guard phase != .stopped, !isPaused else { return }
        if allowance != nil, phase != .off, isSpent(now), !isHeld, !isAwaited, now >= holdUntil {
            turnOff("budget", now, &command)
            return awaitRenewal(now)
        }
        switch phase {
        case .stopped: break
        case .off:
            if settings.policy == .continuous || isHeld {
                turnOn(isHeld ? "held" : wakeReason, now)
            } else if let wakeAt, now >= wakeAt {
                if isSpent(now), wakeReason != "locate" { return awaitRenewal(now) }
                if isBounded, wakeReason == "motion" {
                    guard !wasFalseAlarm(now) else { return rest(now) }
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
                if isBounded { pause = adaptivePause(now, lasted: lasted) }
                turnOff(reason, now, &command)
                target = nil
                wakeAt = settings.policy == .onDemand ? nil : now &+ pause
                wakeReason = "retry"
            }
        case .tracking:
            if now &- lastFix >= Self.lossAfter {
                lose(now, &command)
            } else if settings.policy != .continuous, isDone(now) {
                sleep(now, &command)
            }
        }
    }

    /// Switches off until the next fix is due.
    mutating func sleep(_ now: Int64, _ command: inout Command) {
        turnOff("fix", now, &command)
        if isBounded {
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
            command.stood = sense.chosen(now)
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
        guard settings.policy != .continuous, !isHeld, !isAwaited else { return false }
        if isBounded {
            guard now >= holdUntil, isAdaptiveDone(now) else { return false }
            // A start after a long rest reads it in any case.
            return bound.isStill && hasSensor || !isReadingEphemeris(now)
        }
        guard now >= holdUntil || target != nil, window.best == nil,
            lastChosen.map({ $0 >= onSince }) ?? false
        else { return false }
        if settings.policy == .onDemand { return now >= holdUntil }
        if isReadingEphemeris(now), !(isStill && settings.skipAtRest) { return false }
        guard let target else { return false }
        let off = target &- lead(now) &- now
        // Before it has seen starts it hopes for the usual ones, or it would never see any.
        let isHopeful = settings.lead == nil && !learned.knowsStarts && off >= Self.shortestTrial
        let hoped = isHopeful ? target &- typicalStart(now) &- now : off
        return hoped > settings.keepOnBelow.milliseconds
    }

    /// Off for less is no trial of a start, ms.
    private static let shortestTrial: Int64 = 3000

    /// Whether it pays to stay on for an ephemeris that is nearly stale.
    func isReadingEphemeris(_ now: Int64) -> Bool {
        guard let since = unbrokenSince, now &- since < Self.ephemerisLength else { return false }
        return ephemerisAt.map { now &- $0 > Self.ephemerisDue } ?? true
    }

    /// Whether nothing that comes within `span` is needed before its end, so that it may be read together.
    ///
    /// While a fix is waited for each second counts: the receiver is on for it.
    public func mayWait(_ span: TimeSpan, at: BootTime) -> Bool {
        if settings.policy == .continuous { return true }
        guard phase == .tracking else { return false }
        guard settings.policy == .interval else { return isHeld }
        guard let target else { return false }
        return target &- settings.settle.milliseconds &- span.milliseconds >= at.milliseconds
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
        allowance?.switched(isOn: true, now)
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
        allowance?.switched(isOn: false, now)
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

    /// Completes the command; false when it repeats the last one.
    mutating func answer(_ command: inout Command, _ now: Int64) -> Bool {
        command.isOn = phase != .off
        // On for good: nothing is due, and asking would copy all this with every fix.
        let isForGood = phase == .tracking && settings.policy == .continuous
        var due = isForGood ? nil : nextDue
        // A timer that comes too early only asks again: cheaper than one set anew by every fix.
        if phase == .tracking, let step = due, let asked = last?.wake, asked > now {
            due = min(step, asked)
        }
        let isNew =
            command.isOn != last?.isOn || due != last?.wake || command.chosen != nil
            || command.ended != nil
        last = (command.isOn, due)
        if isNew { command.wake = due.map { BootTime(milliseconds: $0) } }
        return isNew
    }

    var nextDue: Int64? {
        guard !isPaused else { return nil }
        let due = nextStep
        guard allowance != nil, phase != .off, phase != .stopped, let spent = allowanceEnds
        else { return due }
        return due.map { min($0, spent) } ?? spent
    }

    private var nextStep: Int64? {
        switch phase {
        case .stopped: return nil
        case .off: return wakeAt
        case .waking, .acquiring:
            let given = deadline
            return alarmEnds.map { min($0, given ?? $0) } ?? given
        case .tracking:
            return settings.policy == .continuous ? nil : lastFix &+ Self.lossAfter
        }
    }
}
