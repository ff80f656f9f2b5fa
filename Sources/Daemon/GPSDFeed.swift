import Configuration
import DutyCycle
import GNSS
import Platform
import Receiver
import Scheduling
import StatusProtocol

/// The live source on the daemon's loop, with what is said of its troubles.
final class GPSDFeed: Feed {
    /// Told when the state of the source has changed.
    var onChange: () -> Void = {}
    /// Told when what waited in the socket was taken, with the time until it is taken next.
    var onDrained: (_ next: TimeSpan) -> Void = { _ in }

    private let loop: EventLoop
    private let journal: Journal
    private let source: GPSDSource
    private let power: ReceiverSwitch
    private let pipeline: Pipeline
    private let conductor: Conductor
    private var drainEvery: TimeSpan?
    private let address: String
    private var losses = LossLines()
    private var hasStreamed = false
    /// Whether the receiver was off and gpsd is on the way to it: nothing is lost yet.
    private var isBeingOpened = false
    private var rollover: RolloverRepair
    private var isWatched = false
    private var leverTrouble = LastingCondition()
    /// The state of the lever that the journal told last.
    private var said = "untried"

    /// How long the end of the program waits for a receiver to wake.
    private static let endsWithin = TimeSpan.seconds(6)
    /// Whether fixes carry a time: without one, those that waited cannot be told apart.
    private var isTimed = true
    /// Whether fixes wait for others to bear their time out.
    private var isUndecided = false
    /// Whether the duty cycle can do without fixes until they are read together.
    private var mayWait = false

    init(
        _ gpsd: GPSDSource, _ options: DaemonOptions, pipeline: Pipeline, conductor: Conductor,
        on loop: EventLoop, _ journal: Journal
    ) {
        source = gpsd
        self.conductor = conductor
        self.loop = loop
        self.journal = journal
        self.pipeline = pipeline
        let settings = options.settings.settings.source
        address = settings.gpsd.text
        drainEvery = settings.drainEvery > .seconds(0) ? settings.drainEvery : nil
        rollover = RolloverRepair(floor: options.floor)
        power = ServiceSettings.receiverSwitch(options.settings.settings.receiver, source, on: loop)
        source.onEpoch = { [unowned self] epoch, at in
            var epoch = epoch
            if case .fix(var fix) = epoch {
                if isTimed != (fix.time != nil) {
                    isTimed.toggle()
                    setDrain()
                }
                rollover.repair(&fix, at: at, present: SystemClock.wall)
                epoch = .fix(fix)
            }
            self.pipeline.take(&epoch, at: at)
            if isUndecided != self.pipeline.isUndecided {
                isUndecided.toggle()
                setDrain()
            }
            // Those that were read together keep their times of arrival to the last of them.
            if !mayWait { noteWait() }
        }
        pipeline.heard = { [unowned self] in
            let satellites = source.sky.satellites
            return satellites.isEmpty ? nil : satellites.count { $0.signal ?? 0 > 0 }
        }
        source.onDrained = { [unowned self] in
            onDrained($0)
            noteWait()
        }
        source.onChange = { [unowned self] in changed(from: $0) }
        power.onChange = { [unowned self] in powerChanged() }
        power.onHeld = { [unowned self] in self.conductor.tell(.held($0)) }
        power.onTrouble = { [unowned self] in sayTrouble($0) }
        conductor.freshen = { [unowned self] in source.drainNow() }
        conductor.lever = { [unowned self] in power.inForce.rawValue }
    }

    var now: BootTime { loop.now }
    var sky: SkyView { source.sky }

    func report() -> SourceReport {
        let status = source.status
        var report = SourceReport()
        report.kind = "gpsd"
        report.name = address
        report.state = status.state.name
        report.stateAge = (loop.now - status.since).seconds
        report.counts = source.counts
        if !status.detail.isEmpty { report.detail = status.detail }
        report.release = status.release
        report.receivers = status.receivers.map { receiver in
            var entry = SourceReceiver()
            entry.path = receiver.path
            entry.driver = receiver.driver
            entry.isActive = receiver.isActive
            entry.isChosen = receiver.path == status.chosen
            return entry
        }
        return report
    }

    func start() {
        noteProgress()
        power.start()
    }

    func stop(_ done: @escaping () -> Void) {
        power.end(within: GPSDFeed.endsWithin, done)
    }

    func setReceiver(isOn: Bool, until: BootTime?) {
        power.set(isOn: isOn, until: until)
    }

    /// What status says of the lever.
    func describe(_ report: inout ReceiverReport) {
        report.lever = power.inForce.rawValue
        report.leverState = power.judge.state
        report.saving = power.saving
    }

    /// Reads what waits in the socket, so that an answer is fresh.
    func refresh() {
        source.drainNow()
    }

    /// Delivers each report as it comes while somebody watches.
    func setWatched(_ isWatched: Bool) {
        self.isWatched = isWatched
        setDrain()
    }

    func setDrain(every: TimeSpan) {
        drainEvery = every > .seconds(0) ? every : nil
        setDrain()
    }

    /// Takes note of whether the duty cycle waits for a fix.
    private func noteWait() {
        let mayWait = drainEvery.map(conductor.mayWait) ?? true
        guard mayWait != self.mayWait else { return }
        self.mayWait = mayWait
        setDrain()
    }

    /// Only a stream that is well may wait in the socket: trouble and what ends it are met at once.
    private func setDrain() {
        let isCalm =
            source.status.state == .streaming && isTimed && !isUndecided && !isWatched && mayWait
        source.drain(every: isCalm ? drainEvery : nil)
    }

    func noteProgress() {
        // A synchronised clock makes fixes from the future known as such; one of 1970 makes nothing.
        let isTrusted = SystemClock.isSynchronised == true && SystemClock.wall > Product.released
        pipeline.setClock(isTrusted ? SystemClock.wall : nil, at: loop.now)
    }

    func summarise(_ tally: Pipeline.Tally, stored: Int64, _ say: FeedWords) {
        say(
            false, "stopped",
            ["fixes": "\(tally.decoded)", "kept": "\(tally.verdicts.kept)"])
    }

    private func changed(from before: SourceState) {
        let status = source.status
        if status.state != .streaming { mayWait = false }
        setDrain()
        isBeingOpened =
            status.state.isAttempt && (before == .off || before.isAttempt && isBeingOpened)
        // What waited in the socket tells of changes that are past.
        pipeline.tell(isBeingOpened ? nil : status.state.gapReason, at: status.since)
        if before.isConnected, !status.state.isConnected, status.state != .off {
            conductor.tell(.sourceLost)
        } else if !before.isConnected, status.state.isConnected {
            conductor.tell(.sourceBack)
        }
        switch status.state {
        case .streaming:
            if losses.found() || !hasStreamed {
                journal.write(
                    .notice, "source streaming",
                    ["receiver": status.chosen ?? source.deviceNames.first ?? "unnamed"])
            }
            hasStreamed = true
        case .off, .resolving, .connecting, .greeting, .starting:
            break
        case .noFix, .resolveFailed, .unreachable, .gpsdSilent, .noReceiver, .receiverSilent,
            .oldFixRepeated, .timeStandsStill:
            say(status)
        }
        onChange()
    }

    private func powerChanged() {
        if power.judge.state != said, !power.judge.isChecking {
            said = power.judge.state
            journal.write(
                .notice, "receiver lever",
                ["lever": power.inForce.rawValue, "state": said, "saving": power.saving])
        }
        onChange()
    }

    private func sayTrouble(_ reason: String) {
        let word = leverTrouble.occurred(at: loop.now)
        guard word != .nothing else { return }
        journal.write(.warning, "receiver lever failing", ["reason": reason])
    }

    /// One line when fixes cease; what keeps them away may change meanwhile, and status says it.
    private func say(_ status: GPSDSource.Status) {
        guard let unsaid = losses.lost(at: loop.now) else { return }
        let detail = unsaid == 0 ? status.detail : "\(status.detail), \(unsaid) losses unsaid"
        journal.write(.warning, "no fixes", ["state": status.state.name, "detail": detail])
    }
}
