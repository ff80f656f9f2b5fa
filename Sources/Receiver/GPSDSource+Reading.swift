import GNSS
import Scheduling

extension GPSDSource {
    func read() {
        while let connection {
            let input = unsafe block.withUnsafeMutableBytes { unsafe connection.read(into: $0) }
            switch input {
            case .bytes(let count):
                unsafe block.withUnsafeBytes { bytes in
                    unsafe decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
                        events.append(.epoch($0))
                    }
                }
                if count == block.count { continue }
                return deliver()
            case .nothing: return deliver()
            case .closed(let code):
                deliver()
                return lose(code == 0 ? "closed by gpsd" : SystemText.words(for: code))
            }
        }
    }

    /// Hands on what a read has given, each epoch with the time at which it will have come.
    func deliver() {
        if decoder.repeats != repeatsSeen {
            repeatsSeen = decoder.repeats
            singles = 0
        } else if decoder.hasPending {
            singles = min(singles + 1, 100)
        }
        // A receiver that sends one report an epoch need not be waited for.
        if decoder.hasPending, drainInterval != nil || singles >= 10 {
            decoder.flush { events.append(.epoch($0)) }
        }
        deliverEvents()
        if decoder.hasPending, completeTimer == nil {
            completeTimer = loop.schedule(
                loop.now + settings.completesAfter, slack: .milliseconds(50)
            ) { [unowned self] in
                completeTimer = nil
                complete()
            }
        } else if !decoder.hasPending {
            cancel(&completeTimer)
        }
        tell(.time)
    }

    func complete() {
        cancel(&completeTimer)
        decoder.flush { events.append(.epoch($0)) }
        deliverEvents()
    }

    private func deliverEvents() {
        // Who is told something may ask for more: that waits behind what was read before it.
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !events.isEmpty {
            let events = events
            self.events = []
            var newest: UTCTime?
            for case .epoch(let epoch) in events { newest = epoch.time ?? newest }
            for event in events {
                switch event {
                case .epoch(let epoch): deliver(epoch, newest: newest)
                case .report(let report): take(report)
                case .repeated(let same): tell(.repeated(samePosition: same))
                }
            }
        }
    }

    private func deliver(_ epoch: Epoch, newest: UTCTime?) {
        var arrival = loop.now
        if let drainInterval, let newest, let time = epoch.time {
            // Left in the socket it has lost its time of arrival; the receiver's clock says how long ago that was.
            let age = TimeSpan.milliseconds(max(0, newest - time))
            if age <= drainInterval + .seconds(1) { arrival = arrival - age }
        }
        arrival = max(arrival, lastArrival)
        lastArrival = arrival
        var interval: TimeSpan?
        if let time = epoch.time, let lastTime { interval = .milliseconds(time - lastTime) }
        lastTime = epoch.time ?? lastTime
        backOff.reset()
        guard isWanted else { return }
        switch epoch {
        case .fix(let fix):
            tell(.epoch(hasFix: true, interval: interval))
            let path = decoder.deviceNames[Int(fix.device)]
            guard chooser.admits(device: fix.device, path: path, at: arrival) else {
                status.unused += 1
                return
            }
            status.chosen = path
        case .noFix: tell(.epoch(hasFix: false, interval: interval))
        }
        onEpoch?(epoch, arrival)
    }

    private func take(_ report: GPSDReport) {
        switch report {
        case .version(let release, _, _):
            status.release = release
            tell(.answer)
        case .watch: tell(.answer)
        case .error(let text):
            status.complaint = text
            tell(.answer)
        case .devices(let devices):
            status.receivers = devices
            tell(.receivers(watched.count))
        case .device(let device):
            let place = status.receivers.firstIndex { $0.path == device.path }
            if let place { status.receivers.remove(at: place) }
            if device.isActive {
                status.receivers.append(device)
            } else {
                chooser.lost(device: decoder.index(ofDevice: device.path))
            }
            tell(.receivers(watched.count))
        }
    }

    private var watched: [GPSDDevice] {
        guard let device = settings.device else { return status.receivers }
        return status.receivers.filter { $0.path == device }
    }
}
