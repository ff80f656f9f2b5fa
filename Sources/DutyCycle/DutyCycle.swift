public import GNSS
import Glibc
public import Scheduling

/// Decides when the receiver is on.
///
/// It is told facts and answers with a command when something changes. Without a policy that says otherwise
/// the receiver is on; whatever happens, it is on again at the end.
public struct DutyCycle: Sendable {
    /// What the receiver is doing.
    public enum Phase: String, Sendable {
        /// The program has not begun or has ended.
        case stopped
        /// Off until something is due.
        case off
        /// On, and silent so far.
        case waking
        /// On, and without a fix so far.
        case acquiring
        /// On, with fixes.
        case tracking
    }

    /// When the receiver runs.
    public internal(set) var settings: Settings
    /// What was learnt, for the next run.
    public internal(set) var learned: Learned
    /// What the receiver is doing.
    public internal(set) var phase = Phase.stopped
    /// The on-period that lasts.
    public internal(set) var cycle: Cycle?

    // All times are milliseconds of BootTime.

    /// When the next fix shall be recorded; `nil` when none is planned.
    var target: Int64?
    /// When an off receiver is switched on, and why.
    var wakeAt: Int64?
    var wakeReason = "interval"
    var onSince: Int64 = 0
    var dataSince: Int64?
    var firstFix: Int64?
    var lastFix: Int64 = 0
    var heard: Int?
    var start = StartClass.cold
    var plan = StartPlan()
    var window = FixWindow()
    /// The fixes of this start until one was worth recording.
    var settling = FixWindow()
    var isReady = false
    var lastChosen: Int64?
    /// When the ephemeris was last read for certain, and since when signals are unbroken.
    var ephemerisAt: Int64?
    var unbrokenSince: Int64?
    /// Starts in a row that should have been hot and were not.
    var slowStarts = 0
    var isStill = false
    var stillCycles = 0
    var isHeld = false
    var isPaused = false
    var isSourceLost = false
    var holdUntil: Int64 = 0
    /// Whether somebody waits for the best fix of a while: the receiver stays on for them.
    var isAwaited = false
    /// The adaptive policy's model of the motion, and what a sensor said last.
    var bound: ErrorBound
    var sense = MotionSense()
    /// Until when rest was planned before it moved.
    var restUntil: Int64?
    /// Whether motion woke the receiver and no fix has come since.
    var isAlarm = false
    /// What the budget policy may spend, and the error bound that spends it.
    var allowance: Allowance?
    var steered = 30.0
    /// What was answered last.
    var last: (isOn: Bool, wake: Int64?)?

    /// Tracking this long reads every ephemeris in view: it is sent every 30 s.
    static let ephemerisLength: Int64 = 30_000
    /// The shortest time in which one is read.
    static let ephemerisRead: Int64 = 18_000
    /// Renewed every 2 h, good for 4: read again before it is doubtful.
    static let ephemerisDue: Int64 = 6_900_000
    static let ephemerisStale: Int64 = 7_200_000
    /// The almanac is good for weeks; the clock of the receiver is the weaker part.
    static let almanacStale: Int64 = 7 * 86_400_000
    /// Epochs come once a second: half of one is as near to the target as can be.
    static let halfEpoch: Int64 = 500
    /// Tracking without a fix for this long is a loss.
    static let lossAfter: Int64 = 10_000

    /// A duty cycle at the start of a run.
    public init(_ settings: Settings = Settings(), learned: Learned = Learned()) {
        self.settings = settings.inRange
        self.learned = learned
        bound = ErrorBound(intensity: learned.intensity)
        allowance =
            self.settings.policy == .budget
            ? Allowance(daily: self.settings.dailyOnTime, usual: learned.movement) : nil
    }

    /// Takes the next fact.
    ///
    /// - Returns: what to do now, `nil` when nothing changes.
    public mutating func tell(_ fact: Fact, at: BootTime) -> Command? {
        let now = at.milliseconds
        var command = Command(isOn: true)
        switch fact {
        case .started(let time): begin(time, now)
        case .due: break
        case .data: noteData(now)
        case .noFix(let count): noteNoFix(count, now)
        case .fix(let report):
            command.chosen = take(report, now)
            if command.chosen != nil { command.stood = sense.chosen(now) }
        case .motion(let isMoving, let bySensor): noteMotion(isMoving, bySensor, now)
        case .held(let isHeld): self.isHeld = isHeld
        case .locate: locate(now)
        case .awaited(let isAwaited):
            self.isAwaited = isAwaited
            if isAwaited { locate(now) }
        case .paused(let isPaused):
            self.isPaused = isPaused
            if isPaused, phase != .stopped { turnOff("paused", now, &command) }
            if !isPaused, settings.policy != .onDemand {
                wakeAt = now
                wakeReason = "resume"
            }
        case .sourceLost:
            isSourceLost = true
            end("source_lost", now, &command)
        case .sourceBack:
            isSourceLost = false
            if phase != .off, phase != .stopped {
                let running = cycle
                turnOn("source_back", now)
                if let running { cycle = running }
            }
        case .stopping:
            end("stop", now, &command)
            phase = .stopped
        }
        advance(now, &command)
        return answer(&command, now) ? command : nil
    }

    /// Changes the settings at run time.
    ///
    /// - Parameter reason: what the cycle that begins with it is told to begin because of.
    public mutating func change(
        _ settings: Settings, because reason: String = "settings", at: BootTime
    ) -> Command? {
        let now = at.milliseconds
        let before = self.settings
        self.settings = settings.inRange
        if self.settings.policy != .budget {
            allowance = nil
        } else if allowance == nil || before.dailyOnTime != self.settings.dailyOnTime {
            allowance = Allowance(
                daily: self.settings.dailyOnTime, usual: learned.movement)
            allowance?.switched(isOn: phase != .off && phase != .stopped, now)
        }
        if phase == .off, !isPaused {
            target = nil
            wakeAt = settings.policy == .onDemand ? nil : now
            wakeReason = reason
        } else {
            target = now
        }
        var command = Command(isOn: true)
        advance(now, &command)
        return answer(&command, now) ? command : nil
    }

    var hasSensor: Bool { sense.isPresent }

    mutating func begin(_ time: UTCTime?, _ now: Int64) {
        if let time, let read = learned.ephemeris {
            let age = time.milliseconds &- read.milliseconds
            if age >= 0, age < 1 << 40 { ephemerisAt = now &- age }
        }
        phase = .off
        guard settings.policy != .onDemand else { return }
        wakeAt = now
        wakeReason = "start"
    }

    mutating func noteData(_ now: Int64) {
        guard phase == .waking else { return }
        phase = .acquiring
        dataSince = now
        learned.reopen.learn(now &- onSince, atMost: StartPlan.silence)
    }

    mutating func noteNoFix(_ count: Int?, _ now: Int64) {
        noteData(now)
        if let count { heard = max(heard ?? 0, count) }
        unbrokenSince = nil
    }

    mutating func noteMotion(
        _ isMoving: Bool, _ bySensor: Bool, _ now: Int64
    ) {
        let wasStill = isStill
        if bySensor { sense.tell(isMoving, now) }
        // What the fixes show is old news beside a sensor.
        guard bySensor || !hasSensor else { return }
        isStill = !isMoving
        if isBounded, bySensor { return noteSensor(isMoving, now) }
        if settings.policy == .onDemand { return noteSpell(isMoving, wasStill, now) }
        guard wasStill, isMoving, settings.skipAtRest || plan.failures > 0 else { return }
        stillCycles = 0
        guard phase == .off, !isPaused, settings.policy == .interval else { return }
        let soon = plan.failures > 0 ? now &+ 30_000 : now
        if wakeAt.map({ soon < $0 }) ?? true {
            wakeAt = soon
            wakeReason = "motion"
            target = nil
        }
    }

    /// With the policy on-demand who moves off is worth a fix, when it is no stir.
    private mutating func noteSpell(_ isMoving: Bool, _ wasStill: Bool, _ now: Int64) {
        guard phase == .off, !isPaused else { return }
        if isMoving, wasStill, wakeAt == nil {
            wakeAt = now &+ Self.quietAfter
            wakeReason = "motion"
        } else if !isMoving, wakeReason == "motion" {
            wakeAt = nil
        }
    }

    mutating func locate(_ now: Int64) {
        holdUntil = max(holdUntil, now &+ settings.hold.milliseconds)
        guard phase == .off else { return }
        wakeAt = now
        wakeReason = "locate"
        target = nil
    }

    /// Takes a fix; answers with the one that stands for the interval when its time has come.
    mutating func take(_ report: FixFact, _ now: Int64) -> Int64? {
        cycle?.fixes += 1
        guard report.isFresh else {
            noteNoFix(nil, now)
            return nil
        }
        noteData(now)
        guard phase == .acquiring || phase == .tracking else { return nil }
        cycle?.kept += 1
        if let eph = report.eph {
            let best = cycle?.bestEPH ?? eph
            cycle?.bestEPH = min(best, eph)
        }
        if firstFix == nil {
            firstFix = now
            if cycle?.timeToFirstFix == nil { cycle?.timeToFirstFix = now &- onSince }
            plan.succeeded()
            isAlarm = false
            noteStart(report, now)
        }
        if unbrokenSince == nil || now &- lastFix > Self.lossAfter { unbrokenSince = now }
        phase = .tracking
        lastFix = now
        if let since = unbrokenSince, now &- since >= Self.ephemerisLength {
            keepEphemeris(report, now)
        }
        guard settings.policy != .continuous else { return nil }
        let isAdaptive = isBounded
        let gate =
            isAdaptive
            ? adaptiveGate : max(settings.goodAccuracy, (learned.accuracy ?? 0) * 1.25)
        learnReadiness(report, now, gate)
        if isAdaptive { return takeAdaptive(report, now) }
        let due = target ?? now
        guard now >= due &- settings.settle.milliseconds else { return nil }
        let isDue = now >= due &- Self.halfEpoch
        window.add(report, now, gate: gate, isDue: isDue)
        guard isDue else { return nil }
        let isPatient = now &- window.began < settings.settle.milliseconds
        guard window.isGood(gate: gate) || !isPatient else { return nil }
        return choose(now)
    }

    /// Learns from the length of a start what the receiver remembered.
    private mutating func noteStart(_ report: FixFact, _ now: Int64) {
        let isSlow = now &- onSince >= Self.ephemerisRead
        if start != .hot {
            // So long a start without an ephemeris had to read it.
            if isSlow { keepEphemeris(report, now) }
        } else {
            slowStarts = isSlow ? slowStarts + 1 : 0
            // Twice in a row is no chance: it was not read, or is no longer good.
            guard slowStarts >= 2 else { return }
            slowStarts = 0
            ephemerisAt = now &- Self.ephemerisStale
        }
    }

    private mutating func keepEphemeris(_ report: FixFact, _ now: Int64) {
        ephemerisAt = now
        if let time = report.time { learned.ephemeris = time }
    }

    /// Sine and cosine of a course in degrees.
    static func direction(_ course: Double) -> (Double, Double) {
        (sin(course * .pi / 180), cos(course * .pi / 180))
    }

    /// Learns how long this start took to bring a fix worth recording.
    mutating func learnReadiness(_ report: FixFact, _ now: Int64, _ gate: Double) {
        guard !isReady, let firstFix else { return }
        settling.add(report, now, gate: gate)
        isReady = settling.isGood(gate: gate) || now &- firstFix >= settings.settle.milliseconds
        if isReady { learned.learn(start: start, now &- onSince) }
    }

    mutating func choose(_ now: Int64) -> Int64? {
        guard let best = window.best else { return nil }
        if let accuracy = best.accuracy {
            learned.accuracy = learned.accuracy.map { $0 + 0.2 * (accuracy - $0) } ?? accuracy
        }
        window = FixWindow()
        lastChosen = best.at
        stillCycles = isStill ? min(stillCycles + 1, 20) : 0
        // One from before it was due does not bring the next one forward, or periods would shrink.
        target = settings.policy == .interval ? max(best.at, target ?? best.at) &+ gap : nil
        return best.sequence
    }

    /// From one recorded fix to the next, longer at rest when that is wanted.
    var gap: Int64 {
        let interval = settings.interval.milliseconds
        guard settings.skipAtRest, isStill else { return interval }
        if hasSensor { return max(interval, settings.heartbeat.milliseconds) }
        let stretched = min(interval << Int64(min(stillCycles, 12)), 1 << 40)
        return max(interval, min(stretched, settings.restRecheck.milliseconds))
    }
}
