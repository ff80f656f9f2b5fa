import GNSS
import Scheduling

extension GPSDSource {
    func tell(_ fact: SourceWatchdog.Fact, at time: BootTime? = nil) {
        let action = watchdog.tell(fact, at: time ?? loop.now)
        if status.state != watchdog.state {
            let before = status.state
            if watchdog.state == .gpsdSilent, isOther {
                status.detail = "\(settings.address): \(GPSDSource.isNoGPSD)"
            }
            status.state = watchdog.state
            status.since = watchdog.since
            onChange?(before)
        }
        switch action {
        case nil: scheduleCheck()
        case .watch?:
            if connection?.send(request) != true { lose("cannot send") } else { scheduleCheck() }
        case .reopen?:
            close()
            tell(.disconnected(.connecting))
            retry()
        }
    }

    func scheduleCheck() {
        // A drain looks at the time by itself, once all of it was told; a timer would wake the processor once more.
        guard !isDelivering, isConnected, isWanted, let due = watchdog.nextCheck else { return }
        if drainInterval != nil, !watchdog.isOverdue(at: loop.now) { return }
        let wait = max(due - loop.now, .milliseconds(100))
        let next = loop.now + wait
        if checkTimer != nil {
            // One that would go off before the next report would find nothing missing, and wake the processor for it.
            let isVain = checkDue < next && checkDue - loop.now < watchdog.nextEpoch
            guard isVain || next < checkDue else { return }
            cancel(&checkTimer)
        }
        checkDue = next
        let slack = min(TimeSpan(nanoseconds: wait.nanoseconds / 8), .seconds(1))
        checkTimer = loop.schedule(next, slack: slack) {
            [unowned self] in
            checkTimer = nil
            // What waits in the socket may be what is missed.
            drainNow()
        }
    }

    func scheduleDrain() {
        guard let interval = drainInterval else { return }
        let looks = (interval.seconds / settings.looksEvery.seconds).rounded(.up)
        scheduleLook(Int(max(1, looks)), every: .seconds(interval.seconds / max(1, looks)))
    }

    /// Looks that many times whether reports still come, and reads them at the last or when they do not.
    private func scheduleLook(_ left: Int, every wait: TimeSpan) {
        cancel(&drainTimer)
        let slack = TimeSpan(nanoseconds: wait.nanoseconds / 8)
        drainTimer = loop.schedule(loop.now + wait, slack: slack) { [unowned self] in
            drainTimer = nil
            let silence = connection?.silence ?? watchdog.overdueAfter
            let isQuiet = silence >= watchdog.overdueAfter
            if left > 1, !isQuiet { return scheduleLook(left - 1, every: wait) }
            let before = counts.bytes
            isRelieved = isQuiet
            drainNow()
            isRelieved = false
            guard let drainInterval else { return }
            // What a full socket kept away comes now: only then can silence be told.
            if isQuiet, counts.bytes != before { scheduleLook(1, every: .milliseconds(250)) }
            onDrained?(drainInterval)
        }
    }

    /// gpsd drops a client that does not watch and says nothing for 15 minutes (COMMAND_TIMEOUT).
    func poke() {
        guard pokeTimer == nil else { return }
        pokeTimer = loop.schedule(loop.now + .seconds(600), slack: .seconds(120)) {
            [unowned self] in
            pokeTimer = nil
            guard isConnected, !isWanted else { return }
            if connection?.send("?VERSION;\r\n") == true { poke() } else { close() }
        }
    }

    func cancel(_ timer: inout TimerID?) {
        if let pending = timer { loop.cancel(pending) }
        timer = nil
    }
}
