import Configuration
import Correction
import DutyCycle
import GNSS
import Glibc
import NMEA
import Platform
import Quality
import Receiver
import Scheduling
import StatusProtocol
import StatusServer
import Storage
import Tracking

/// One run of the daemon: the parts, put together.
final class Service {
    var options: DaemonOptions
    /// What was set while it runs.
    var runTime = RunTimeSettings()
    /// What people have asked for.
    var control = ServiceControl()
    let locator: Locator
    let loop: EventLoop
    let journal: Journal
    let store: TrackStore
    let pipeline: Pipeline
    let conductor: Conductor
    let feed: any Feed
    let began: BootTime
    var server: StatusServer?
    var host: HostWatch?
    var motionSensor: MotionSensor?
    var commits: CommitClock
    private(set) var lastCommit: BootTime?
    /// The latest fix of the clean track that is on the disk.
    var lastDurable: RecordedFix?

    /// `nil` in a replay, which removes nothing.
    private(set) var housekeeper: Housekeeper?
    let supervision: Supervision
    let profiles: ProfileKeeper
    private var learned: LearnedFile?
    private var commitTimer: TimerID?
    /// Writes a hole down while it lasts.
    let signs: SignsOfLife
    /// The last fix of the run before, where that was in this boot: it tells the time while no other does.
    let previousOfBoot: RecordedFix?
    /// Whether a first commit has used all that recording uses.
    private(set) var isSettled = false
    /// Where the program's own code is, and how many requests had come when it was given back last.
    private var code: [Range<UInt>] = []
    private var answered: Int64 = 0
    var retryTimer: TimerID?
    var reportedDamage: String?
    var reportedLosses = 0
    private var failure: Failure?
    /// A store that fails, so that it does not fill the log.
    var trouble = LastingCondition()
    private var isStopping = false
    private var socket: UnixListener?
    private var controlSocket: UnixListener?
    private let passed: [PassedSocket]

    /// How soon a store that failed is tried again.
    static let retryAfter = TimeSpan.seconds(4)

    /// - Parameter passed: listening sockets that the service manager made.
    init(_ options: DaemonOptions, _ journal: Journal, passed: [PassedSocket]) throws {
        self.options = options
        self.journal = journal
        let settings = options.settings.settings
        loop = try EventLoop()
        supervision = Supervision(on: loop)
        locator = Locator(on: loop)
        began = SystemClock.now
        let isReplay = !options.replay.isEmpty
        // The source and the socket first: what is missing must leave no database behind.
        enum Source {
            case log(ReplaySource)
            case gpsd(GPSDSource)
        }
        let source: Source =
            isReplay
            ? .log(
                try ReplaySource(
                    paths: options.replay, settings: ServiceSettings.replay(options)))
            : .gpsd(try GPSDSource(settings: ServiceSettings.gpsd(options), loop: loop))
        self.passed = passed
        socket =
            passed.isEmpty
            ? try options.socket.map { path in
                try UnixListener(at: UnixAddress(path), group: settings.status.group)
            } : nil
        store = try TrackStore(
            path: settings.store.database,
            options: ServiceSettings.store(settings, isLive: !isReplay))
        commits = CommitClock(
            every: settings.store.commitEvery, count: ServiceSettings.commitCount(options))
        store.beginRun(
            Run(
                bootID: SystemClock.bootID ?? "", started: SystemClock.wall,
                startedBoot: isReplay ? 0 : began.milliseconds,
                source: isReplay
                    ? options.replay.joined(separator: " ") : "gpsd \(settings.source.gpsd.text)",
                configuration: String(settings.digest, radix: 16), version: Product.version))
        let virtual = VirtualLoop()
        // A replay knows its log and nothing else: the same log gives the same track.
        learned = isReplay ? nil : LearnedFile(besides: settings.store.database, at: began)
        conductor = Conductor(
            DutyCycle(settings.dutyCycle, learned: learned?.learned ?? Learned()),
            on: isReplay ? virtual as any Loop : loop)
        profiles = ProfileKeeper(
            settings, on: isReplay ? virtual as any Loop : loop, journal, hasWallClock: !isReplay)
        let previous = isReplay ? nil : try store.latest()
        let leave = Service.leave(of: store, after: previous, journal)
        previousOfBoot = Service.ofThisBoot(previous, store)
        signs = SignsOfLife(on: loop)
        pipeline = Pipeline(
            store: store, conductor: conductor,
            gate: QualityGate(ServiceSettings.quality(options)),
            chain: try ServiceSettings.correction(settings, store),
            tracker: Tracker(
                ServiceSettings.tracking(settings, isReplay: isReplay),
                after: previous.map {
                    .init(
                        sequence: $0.sequence, time: $0.fix.time, segment: 0, until: leave?.until,
                        reason: leave?.reason)
                }, began: isReplay ? nil : began),
            filter: ServiceSettings.filter(settings), on: isReplay ? virtual as any Loop : loop)
        pipeline.zones = settings.noRecordZones
        lastDurable = previous
        switch source {
        case .log(let source):
            pipeline.ending = try store.ending(atMost: 4)
            let replay = try Replay(
                source, settings: ServiceSettings.decoderIdentity(options), store: store,
                pipeline: pipeline, conductor: conductor, on: virtual,
                noLaterThan: ServiceSettings.latestPlausible)
            feed = ReplayFeed(source, replay, on: loop, speed: options.speed)
        case .gpsd(let source):
            feed = GPSDFeed(
                source, options, pipeline: pipeline, conductor: conductor, on: loop, journal)
        }
    }

    /// The time that the ages of fixes count from; `nil` while no clock can be trusted.
    private var present: UTCTime? {
        if SystemClock.isSynchronised == true { return SystemClock.wall }
        return pipeline.isTimeTrusted ? pipeline.latest?.fix.time : nil
    }

    /// Runs until the input ends or a signal asks to stop; returns the exit code.
    func run() throws -> Int32 {
        for signal in [SIGTERM, SIGINT] {
            try loop.onSignal(signal) { [unowned self] in stop(because: "signal") }
        }
        try loop.onSignal(SIGHUP) { [unowned self] in reloadForManager() }
        pipeline.onRecord = { [unowned self] in recorded($0) }
        pipeline.onGap = { [unowned self] in publish(EventReport($0)) }
        pipeline.onSegment = { [unowned self] in publish(EventReport(segment: $0)) }
        pipeline.onCycle = { [unowned self] in publish($0) }
        pipeline.onKept = { [unowned self] in profiles.see($0.fix) }
        pipeline.onReason = { [unowned self] in reasonChanged() }
        profiles.onSwitch = { [unowned self] in conductor.change($0, because: $1) }
        if let replay = feed as? ReplayFeed {
            replay.onSlice = { [unowned self] in
                if let failure = store.failure { fail(failure) }
            }
            replay.onEnd = { [unowned self] error in
                if let error { fail(error) } else { stop(because: "end of the log") }
            }
        }
        conductor.onSwitch = { [unowned self] isOn in
            pipeline.tell(isOn ? nil : .asleep, at: feed.now)
            feed.setReceiver(isOn: isOn, until: conductor.wakesAt)
            if !isOn { restStore() }
            if !isOn { locator.receiverIsOff() }
            host?.refresh()
            publishState()
        }
        if let gpsd = feed as? GPSDFeed {
            gpsd.onChange = { [unowned self] in publishState() }
            gpsd.onDrained = { [unowned self] in drained(next: $0) }
        }
        if !passed.isEmpty || socket != nil {
            let server = StatusServer(loop: loop, limits: ServiceSettings.limits(options))
            registerMethods(on: server)
            // Who may open a socket of that name may change things: the unit says who.
            for socket in passed {
                try server.listen(
                    on: socket.descriptor, grants: socket.name == "control" ? .controller : .reader)
            }
            if let socket { try server.listen(on: socket.descriptor) }
            openControlSocket()
            if let controlSocket {
                try server.listen(on: controlSocket.descriptor, grants: .controller)
            }
            self.server = server
            setAccess()
        }
        if feed is GPSDFeed {
            housekeeper = Housekeeper(
                ServiceSettings.retention(options.settings.settings), store, on: loop, journal
            ) { [unowned self] in present }
        }
        conductor.tell(.started(isClockTrusted ? SystemClock.wall : nil))
        profiles.begin()
        introduceStore()
        watchHost()
        feed.start()
        if feed is GPSDFeed {
            if socket?.hasGroup == false, let group = options.settings.settings.status.group {
                journal.write(.warning, "socket not given to its group", ["group": group])
            }
            journal.write(
                .notice, "recording",
                [
                    "version": Product.version, "source": feed.report().name,
                    "policy": conductor.policy, "database": store.path,
                ])
        }
        supervision.ready(doing)
        // A store that fails and is tried again is no reason to be restarted; one that nobody tries is.
        supervision.keepWatchdog { [unowned self] in
            !commits.isOverdue(at: loop.now) && (store.failure == nil || retryTimer != nil)
        }
        code = StartupCode.release()
        let result = try loop.run()
        finish()
        if let failure { throw failure }
        return result
    }

    private func fail(_ error: any Error) {
        failure = failure ?? Failure(error)
        stop(because: "failure")
    }

    private func stop(because reason: String) {
        guard !isStopping else { return }
        isStopping = true
        supervision.stopping("stopping: \(reason)")
        feed.stop { [unowned self] in loop.exit(0) }
    }

    /// Without it the daemon records and answers all the same.
    private func openControlSocket() {
        guard let path = options.socket, !passed.contains(where: { $0.name == "control" }) else {
            return
        }
        do throws(ListenError) {
            controlSocket = try ControlSocket.open(beside: path)
        } catch {
            journal.write(.warning, "no control socket", ["reason": "\(error)"])
        }
    }

    /// Makes everything durable and says what the run brought.
    private func finish() {
        endTrack()
        learned?.save(conductor.learned, at: loop.now, isLast: true)
        keepMarksWithoutFix()
        feed.noteProgress()
        do throws(StoreError) {
            let gapAfter = options.settings.settings.tracking.gapAfter
            try store.close(
                ending: failure == nil ? "stopped" : "failed",
                repairingHoles: feed is GPSDFeed ? nil : gapAfter.milliseconds)
        } catch {
            failure = failure ?? Failure(error)
        }
        server?.stop()
        socket?.close()
        controlSocket?.close()
        let stored = pipeline.tally.recorded - Int64(store.waiting) - store.dropped
        feed.summarise(pipeline.tally, stored: stored) { isWarning, event, fields in
            journal.write(isWarning ? .warning : .info, event, fields)
        }
    }

    // MARK: Commits

    private func recorded(_ record: RecordedFix) {
        keepMarks(at: record)
        publish(record)
        // At the end all of it is made durable, and the loop takes no timer any more.
        guard !isStopping else { return }
        // Live, what waited in gpsd's socket came earlier than now.
        let came = feed is GPSDFeed ? BootTime(milliseconds: record.receivedAt) : loop.now
        if commits.recorded(at: came) { commit() } else { armCommit() }
    }

    /// Lets the next commit be when it is due now, by settings that may have changed.
    func rearmCommit() {
        if let commitTimer { loop.cancel(commitTimer) }
        commitTimer = nil
        armCommit()
    }

    /// Commits now what would be due before the next drain: one awakening does for both.
    private func drained(next: TimeSpan) {
        guard let due = commits.due, due <= loop.now + next else { return }
        commit()
    }

    private func armCommit() {
        guard commitTimer == nil, let due = commits.due else { return }
        commitTimer = loop.schedule(due, slack: .seconds(1)) { [unowned self] in
            commitTimer = nil
            commit()
        }
    }

    /// Makes what was recorded durable; a store that fails is tried again until it takes it.
    func commit() {
        feed.noteProgress()
        noteHole()
        let wasFailing = store.failure
        do throws(StoreError) {
            try store.commit()
            commits.committed()
            lastCommit = loop.now
            noteDurable()
            learned?.save(conductor.learned, at: loop.now)
            server?.becameDurable()
            if let commitTimer { loop.cancel(commitTimer) }
            commitTimer = nil
            if wasFailing?.kind == .diskFull { housekeeper?.hurry() }
            housekeeper?.committed()
            releaseCode()
            if wasFailing != nil {
                if trouble.ended(at: loop.now) != .nothing {
                    journal.write(.notice, "store well again")
                }
                publishState()
            }
        } catch {
            commits.committed()
            reportFailure(error, isNew: wasFailing != error)
            retryLater()
        }
        reportDamage()
    }

    /// Gives back what only the start, or answering clients that have left since, has used: in time, nobody may ask
    /// again for days, and not at once, somebody may ask each second.
    private func releaseCode() {
        let counts = server?.counts
        if !isSettled {
            isSettled = true
            store.releaseMemory()
            StartupCode.release()
        } else if let counts, counts.connected == 0, counts.accepted != answered {
            StartupCode.release(code)
        } else {
            return
        }
        answered = counts?.accepted ?? 0
    }

    /// While the receiver sleeps nothing is recorded: what waits is made durable, the log moved into the file.
    private func restStore() {
        guard feed is GPSDFeed, store.waiting > 0 else { return }
        commit()
        if store.failure == nil { _ = try? store.checkpoint(truncating: false) }
    }
}
