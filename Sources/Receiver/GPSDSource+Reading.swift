public import GNSS
import Scheduling

extension GPSDSource {
    /// Reads what has come; what a flood brings meanwhile waits, for the loop has others to serve.
    func read() {
        for _ in 0..<GPSDSource.mostBlocks {
            guard let connection else { return }
            decoder.now = loop.now
            let input = unsafe block.withUnsafeMutableBytes { unsafe connection.read(into: $0) }
            switch input {
            case .bytes(let count):
                unsafe block.withUnsafeBytes { bytes in
                    unsafe decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
                        events.append(.epoch($0))
                    }
                }
                noteSky()
                if count == block.count { continue }
                return deliver()
            case .nothing: return deliver()
            case .closed(let code):
                deliver()
                return lose(code == 0 ? "closed by gpsd" : SystemText.words(for: code))
            }
        }
        deliver()
    }

    /// As many as hold more than the socket does.
    private static let mostBlocks = 32

    private func noteSky() {
        let reports = decoder.skyReports
        if reports.any != skySeen.any { skyCame.any = loop.now }
        if reports.lists != skySeen.lists { skyCame.list = loop.now }
        skySeen = reports
    }

    /// The satellites last seen; none when that is so long ago that it is not the sky of now.
    public var sky: SkyView {
        guard isConnected else { return SkyView() }
        var lasts = settings.skyLasts
        // What waits in the socket is as old as the last look.
        if let drainInterval { lasts = lasts + drainInterval }
        func isFresh(_ came: BootTime?) -> Bool { came.map { loop.now - $0 <= lasts } ?? false }
        guard isFresh(skyCame.any) else { return SkyView() }
        var sky = decoder.sky
        if !isFresh(skyCame.list) { sky.satellites = [] }
        return sky
    }

    /// Hands on what a read has given, each epoch with the time at which it will have come.
    func deliver() {
        if decoder.repeats != repeatsSeen {
            repeatsSeen = decoder.repeats
            singles = 0
        } else if decoder.hasPending, decoder.counts.lines != linesSeen {
            // A look that finds nothing, or a piece of a line, tells nothing of how epochs are reported.
            singles = min(singles + 1, 100)
        }
        linesSeen = decoder.counts.lines
        let isDraining = drainInterval != nil && !isSwitching
        // A receiver that sends one report an epoch need not be waited for.
        if singles >= 10 || (isDraining && decoder.repeats == 0) {
            decoder.flush { events.append(.epoch($0)) }
        } else if isDraining {
            // The rest of an epoch that is half here comes with the next drain.
            flushQuiet()
        }
        deliverEvents()
        awaitRest()
        // Within a delivery the rest of it is still to be told.
        guard !isDelivering else { return }
        arrivals.drained(at: loop.now)
        if !isRelieved { tell(.time) }
    }

    private func flushQuiet() {
        decoder.now = loop.now
        decoder.flush(quietFor: settings.completesAfter) { events.append(.epoch($0)) }
    }

    /// Completes the epochs of which nothing more comes, unless the next drain will.
    private func awaitRest() {
        guard let due = decoder.due(quietFor: settings.completesAfter) else {
            return cancel(&completeTimer)
        }
        guard drainInterval == nil || isSwitching, completeTimer == nil || due != completeDue
        else { return }
        cancel(&completeTimer)
        completeDue = due
        completeTimer = loop.schedule(due, slack: .milliseconds(50)) { [unowned self] in
            completeTimer = nil
            // After a stop of this process the rest lies in the socket.
            drainNow()
            guard isConnected, drainInterval == nil else { return }
            flushQuiet()
            deliverEvents()
            awaitRest()
        }
    }

    func complete() {
        cancel(&completeTimer)
        decoder.flush { events.append(.epoch($0)) }
        deliverEvents()
    }

    func deliverEvents() {
        // Who is told something may ask for more: that waits behind what was read before it.
        guard !isDelivering else { return }
        isDelivering = true
        defer {
            isDelivering = false
            scheduleCheck()
        }
        // Who is told something may end the waiting: what comes now has waited all the same.
        hasWaited = drainInterval != nil || isSwitching
        while !events.isEmpty {
            let events = events
            self.events = []
            let now = loop.now
            var newest: UTCTime?
            for case .epoch(let epoch) in events { newest = epoch.time ?? newest }
            if let newest { arrivals.note(newest: newest, now: now, rest: watchdog.overdueAfter) }
            for (index, event) in events.enumerated() {
                switch event {
                case .epoch(let epoch): deliver(epoch, now)
                case .report(let report): take(report, at: moment(before: events[index...], now))
                case .repeated(let same):
                    tell(.repeated(samePosition: same), at: moment(before: events[index...], now))
                }
            }
        }
    }

    /// When what is no epoch came at the latest: what waited in the socket with it is not missing.
    private func moment(before rest: ArraySlice<Event>, _ now: BootTime) -> BootTime {
        guard hasWaited else { return now }
        for case .epoch(let epoch) in rest {
            return max(arrivals.arrival(of: epoch.time, now: now), lastArrival)
        }
        return now
    }

    private func deliver(_ epoch: Epoch, _ now: BootTime) {
        // Left in the socket it has lost its time of arrival.
        let came = hasWaited ? arrivals.arrival(of: epoch.time, now: now) : now
        let arrival = max(came, lastArrival)
        lastArrival = arrival
        backOff.reset()
        onHeard?()
        guard isWanted else { return }
        switch epoch {
        case .fix(let fix):
            let path = decoder.deviceNames[Int(fix.device)]
            let isReplacing = chooser.chosen != fix.device && chooser.isLost(at: came)
            // The last epoch of a receiver that died waits behind later ones of another.
            let isTaken = chooser.admits(fix, path: path, at: came)
            if isReplacing { tell(.replaced, at: arrival) }
            guard chooser.chosen == fix.device else {
                // It does not make up for one that is missing.
                tell(.answer, at: arrival)
                status.unused += 1
                return
            }
            status.chosen = path
            let interval = interval(to: epoch.time)
            if hasWaited, let interval { tell(.waited(interval: interval), at: arrival) }
            tell(.epoch(hasFix: true, interval: interval), at: arrival)
            guard isTaken else {
                status.unused += 1
                return
            }
        case .noFix:
            tell(.epoch(hasFix: false, interval: interval(to: epoch.time)), at: arrival)
        }
        onEpoch?(epoch, arrival)
    }

    /// How long after the epoch before it one is, by the receiver's clock.
    private func interval(to time: UTCTime?) -> TimeSpan? {
        defer { lastTime = time ?? lastTime }
        guard let time, let lastTime else { return nil }
        return .milliseconds(time - lastTime)
    }

    private func take(_ report: GPSDReport, at time: BootTime) {
        defer { onReport?(report) }
        switch report {
        case .version(let release, _, _):
            status.release = release
            tell(.answer, at: time)
        case .watch: tell(.answer, at: time)
        case .error(let text):
            status.complaint = text
            tell(.answer, at: time)
            if settings.device != nil, watched.isEmpty { refused(text) }
        case .devices(let devices):
            status.receivers = devices
            if !watched.isEmpty { status.detail = "\(settings.address)" }
            tell(.receivers(watched.count), at: time)
        case .device(let device):
            let place = status.receivers.firstIndex { $0.path == device.path }
            if let place { status.receivers.remove(at: place) }
            if device.isActive {
                status.receivers.append(device)
            } else {
                chooser.lost(device: decoder.index(ofDevice: device.path))
            }
            tell(.receivers(watched.count), at: time)
        }
    }

    /// gpsd does not have the one receiver that is wanted, and will not say when it has.
    private func refused(_ reason: String) {
        status.detail = "\(settings.address): \(reason)"
        tell(.receivers(0))
        guard isWanted, retryTimer == nil else { return }
        retryTimer = loop.schedule(loop.now + backOff.next(), slack: .milliseconds(250)) {
            [unowned self] in
            retryTimer = nil
            guard isConnected, isWanted else { return }
            if connection?.send(request) != true { lose("cannot send") }
        }
    }

    private var watched: [GPSDDevice] {
        guard let device = settings.device else { return status.receivers }
        return status.receivers.filter { $0.path == device }
    }
}
