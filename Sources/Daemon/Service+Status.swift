import Configuration
import DutyCycle
import GNSS
import Glibc
import Platform
import Receiver
import Scheduling
import StatusProtocol
import StatusServer
import Storage

extension Service {
    /// Registers what clients may ask.
    func registerMethods(on server: StatusServer) {
        server.register(.status) { [unowned self] _, client, result in
            feed.refresh()
            result.append(
                statusReport(clients: server.counts, withholds: server.withholds(from: client)))
        }
        server.register(.fix) { [unowned self] _, client, result in
            feed.refresh()
            // Before the first fix of this run the last one is that of the run before.
            guard let latest = pipeline.latest ?? lastDurable else {
                result.append("null")
                return
            }
            var answer = FixAnswer(report(of: latest), durable: lastDurable.map(report(of:)))
            let withholds = server.withholds(from: client)
            answer.last.isWithheld = withholds
            answer.durable?.isWithheld = withholds
            result.append(answer)
        }
        server.register(.sky) { [unowned self] _, client, result in
            var sky = feed.sky
            if server.withholds(from: client) {
                // Where satellites stand in the sky tells where on earth one looks at them.
                for index in sky.satellites.indices {
                    sky.satellites[index].elevation = nil
                    sky.satellites[index].azimuth = nil
                }
            }
            result.append(sky)
        }
        server.register(.metrics) { [unowned self] _, client, result in
            feed.refresh()
            let report = statusReport(
                clients: server.counts, withholds: server.withholds(from: client))
            result.append(MetricsReport(report))
        }
        server.register(.version) { _, _, result in
            result.append(VersionReport(program: Product.version))
        }
        server.register(.acknowledge) { [unowned self] _, _, result throws(RPCError) in
            let damaged = store.movedAside
            do throws(StoreError) {
                try store.acknowledgeDamage()
            } catch {
                throw .unavailable("\(error)")
            }
            result.append(AcknowledgeReport(damaged: damaged))
            publishState()
        }
        server.register(.flush) { [unowned self] _, _, result throws(RPCError) in
            commit()
            if let failure = store.failure { throw .unavailable("\(failure)") }
            result.append(FlushReport(durableSequence: store.durableSequence))
        }
        registerSettings(on: server)
        registerControl(on: server)
        registerRemoval(on: server)
        registerWhy(on: server)
        registerProfiles(on: server)
        server.history = WatchHistory(
            durableSequence: { [unowned self] in store.durableSequence },
            append: { [unowned self] after, client, buffer in
                appendHistory(after: after, for: client, to: &buffer)
            })
        server.greeting = { [unowned self] client, buffer in
            guard client.kinds.contains(.state) else { return }
            buffer.appendNotification("state") {
                $0.append(
                    statusReport(
                        clients: server.counts, withholds: server.withholds(from: client)))
            }
        }
    }

    /// Tells watchers of a fix.
    func publish(_ record: RecordedFix) {
        server?.publish(.fixes) { [unowned self] buffer, withholds in
            var report = report(of: record)
            report.isWithheld = withholds
            buffer.appendNotification("fix") { $0.append(report) }
        }
    }

    /// Tells a client of the next fixes that are on the disk; some 20 KiB at a time.
    private func appendHistory(
        after: Int64, for client: Client, to buffer: inout TextBuffer
    ) -> Int64 {
        let withholds = server?.withholds(from: client) ?? true
        return store.history(after: after, atMost: 64) { record in
            if let interval = client.interval, let time = record.fix.time {
                if let last = client.lastTime, abs(time - last) < interval.milliseconds { return }
                client.lastTime = time
            }
            var report = report(of: record)
            report.isWithheld = withholds
            buffer.appendNotification("fix") { $0.append(report) }
        }
    }

    /// Tells watchers what happened to the track.
    func publish(_ event: EventReport) {
        server?.publish(.events) { buffer in
            buffer.appendNotification("event") { $0.append(event) }
        }
    }

    /// Tells watchers of a receiver cycle that has ended.
    func publish(_ cycle: Cycle) {
        server?.publish(.cycles) { buffer in
            buffer.appendNotification("cycle") { $0.append(CycleReport(cycle)) }
        }
    }

    /// Tells watchers that something about the source, the receiver or the store has changed.
    func publishState() {
        supervision.doing(doing)
        guard let server else { return }
        server.publish(.state) { buffer, withholds in
            buffer.appendNotification("state") {
                $0.append(statusReport(clients: server.counts, withholds: withholds))
            }
        }
    }

    /// Whether the host's clock, or else the receiver's time, has proven itself.
    var isClockTrusted: Bool {
        SystemClock.isSynchronised == true || pipeline.isTimeTrusted
    }

    /// What the daemon is doing in one line for `systemctl status`; no position, and nothing that ages.
    var doing: String {
        let source = feed.report()
        var words = store.failure.map { ["store failing (\($0))"] } ?? []
        if source.kind == "replay" {
            words.append("replaying \(source.name)")
        } else if !conductor.isOn {
            words.append("receiver off by the \(conductor.policy) policy")
        } else if source.state == SourceState.streaming.name {
            words.append("recording from gpsd at \(source.name)")
        } else {
            words.append("no fixes from gpsd at \(source.name): \(source.state)")
        }
        return words.joined(separator: "; ")
    }

    private func receiverReport(_ now: BootTime) -> ReceiverReport {
        var report = ReceiverReport()
        report.state = conductor.phase
        report.stateAge = max(0, (feed.now - conductor.since).seconds)
        let source = feed.report()
        if feed is GPSDFeed, ["tracking", "acquiring"].contains(conductor.phase),
            source.state != SourceState.streaming.name
        {
            // The duty cycle has nothing to decide in a loss; fixes there are none.
            report.state = DutyCycle.Phase.acquiring.rawValue
            report.stateAge = source.stateAge
        }
        report.policy = conductor.policy
        report.nextWake = conductor.wakesAt.map { max(0, ($0 - feed.now).seconds) }
        (feed as? GPSDFeed)?.describe(&report)
        return report
    }

    private func statusReport(clients: ClientsReport, withholds: Bool) -> StatusReport {
        let now = loop.now
        var report = StatusReport()
        report.version = Product.version
        report.pid = getpid()
        report.uptime = (now - began).seconds
        report.isClockTrusted = isClockTrusted
        report.time = isClockTrusted ? SystemClock.wall : nil
        report.source = feed.report()
        report.receiver = receiverReport(now)
        report.supply = supplyReport
        report.lastFix = fixReport()
        report.lastFix?.isWithheld = withholds
        report.sky = SkySummary(feed.sky)
        report.counts = pipeline.tally.verdicts
        report.pause = control.pause == nil ? nil : pauseReport()
        report.track = trackReport()
        report.store = storeReport(now)
        report.nextEvent = commits.due.map {
            NextEvent("commit", due: max(0, ($0 - now).seconds))
        }
        report.clients = clients
        return report
    }

    private func fixReport() -> FixReport? {
        pipeline.latest.map(report(of:))
    }

    func report(of record: RecordedFix) -> FixReport {
        var report = FixReport()
        report.fix = record.fix
        report.correctedLatitude = record.corrected?.latitude
        report.correctedLongitude = record.corrected?.longitude
        report.flags = record.flags
        report.sequence = record.sequence == 0 ? nil : record.sequence
        report.isDurable = record.sequence > 0 && record.sequence <= store.durableSequence
        // Of another run the clock of its boot is not ours.
        let age =
            record.run == store.run || record.run == 0
            ? feed.now.milliseconds - record.receivedAt
            : record.fix.time.map { SystemClock.wall - $0 } ?? 0
        report.age = Double(max(0, age)) / 1000
        return report
    }

    private func trackReport() -> TrackReport {
        var report = TrackReport()
        report.segment = pipeline.latest?.segment ?? 0
        let age = pipeline.lastKeptAt.map { feed.now - $0 }
        if let (reason, since) = presentGap {
            report.gap = reason.name
            report.gapAge = age?.seconds
            report.gapReasonAge = (feed.now - since).seconds
        }
        return report
    }

    private func storeReport(_ now: BootTime) -> StoreReport {
        var report = StoreReport()
        report.path = store.path
        report.id = store.storeID
        report.state = storeState
        report.bytes = store.sizeOnDisk
        report.logBytes = store.sizeOfLog
        report.fixes = store.counts.total
        report.durableSequence = store.durableSequence
        report.lastCommitAge = lastCommit.map { (now - $0).seconds }
        report.queue = Int64(store.waiting)
        report.dropped = store.dropped
        return report
    }
    /// `ok`, or what is wrong, in words.
    private var storeState: String {
        if let failure = store.failure { return "\(failure)" }
        if !store.isInPlace {
            return "degraded: the database was removed or replaced while it is recorded to; "
                + "the next commit goes on in the file of that name"
        }
        if let moved = store.movedAside {
            guard moved != store.path else {
                return "degraded: the database was removed or replaced while it was recorded to, "
                    + "what it held until then is gone from here; "
                    + "'tracklog db acknowledge' when you have noticed"
            }
            return "degraded: the damaged database is kept as \(moved), "
                + "'tracklog db acknowledge' when you have noticed"
        }
        if store.isLogHeld {
            return "a program that reads the database holds up its journal of "
                + "\(store.sizeOfLog >> 20) MiB; end it"
        }
        return "ok"
    }
}
