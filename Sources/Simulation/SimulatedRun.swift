import DutyCycle
public import GNSS
import Glibc
import Scheduling
import Geodesy

/// One schedule with one receiver on one track, on virtual time.
public struct SimulatedRun: Sendable {
    /// What it cost.
    public struct Cost: Equatable, Sendable {
        /// Seconds with the receiver on.
        public var onTime = 0.0
        /// Of these, seconds without sky.
        public var withoutSky = 0.0
        /// Of these, seconds with sky and no trip.
        public var atRest = 0.0
        /// Milliwatt hours of the receiver and of waking the host.
        public var milliwattHours = 0.0
        /// Starts by what the receiver remembered.
        public var hot = 0, warm = 0, cold = 0
        /// Timers that came due, and those of them that did while the receiver was off.
        public var timers = 0, idleTimers = 0

        /// All starts.
        public var starts: Int { hot + warm + cold }
    }

    /// What it cost.
    public private(set) var cost = Cost()
    /// What it recorded.
    public private(set) var recorded = RecordedTrack()
    /// The on-periods, as the daemon records them.
    public private(set) var cycles: [Cycle] = []

    private var receiver: ReceiverModel
    private let track: TrueTrack
    private let milliwatts: (acquiring: Double, tracking: Double, off: Double)
    private var isOn = false
    private var wake: Int64?
    private var sequence: Int64 = 0
    private var fresh: [(sequence: Int64, fix: ReceiverModel.Fix)] = []
    private var millijoules = 0.0
    private var stood: ClosedRange<Double>?

    /// An epoch reaches the program so long after it, ms.
    private static let delay: Int64 = 100
    private static let start = UTCTime(milliseconds: 1_777_593_600_000)

    /// Runs a schedule over a whole track.
    public init(
        _ schedule: some Schedule, on track: TrueTrack, receiver preset: ReceiverPreset = .m8,
        times: StartTimes = StartTimes(), seed: UInt64
    ) {
        self.track = track
        receiver = ReceiverModel(track, times, seed: seed)
        milliwatts = preset.milliwatts
        var schedule = schedule
        run(&schedule)
        cost.hot = receiver.starts[.hot] ?? 0
        cost.warm = receiver.starts[.warm] ?? 0
        cost.cold = receiver.starts[.cold] ?? 0
        millijoules += Double(cost.starts) * ReceiverPreset.wakeUp
        cost.milliwattHours = millijoules / 3600
    }

    /// The share of the time with the receiver on.
    public var onShare: Double { cost.onTime / Double(max(1, track.seconds)) }

    private mutating func run(_ schedule: inout some Schedule) {
        let end = Int64(track.seconds) * 1000
        var now: Int64 = 0
        var turn = 0
        obey(schedule.tell(.started(Self.start), at: BootTime(milliseconds: 0)), now, &schedule)
        if track.hasSensor, let first = track.senses.first {
            tell(.motion(isMoving: first, bySensor: true), now, &schedule)
        }
        while true {
            let sense =
                track.hasSensor && turn < track.turns.count ? Int64(track.turns[turn]) * 1000 : end
            // The next epoch whose report is still to come.
            let second = (now - Self.delay + 1000) / 1000
            let epoch = isOn ? second * 1000 + Self.delay : end
            let next = min(sense, epoch, wake ?? end, end)
            spend(from: now, to: next)
            now = next
            if now >= end { break }
            if now == sense {
                turn += 1
                let isMoving = track.senses[Int(now / 1000)]
                tell(.motion(isMoving: isMoving, bySensor: true), now, &schedule)
            } else if now == wake {
                wake = nil
                cost.timers += 1
                if !isOn { cost.idleTimers += 1 }
                tell(.due, now, &schedule)
            } else {
                report(Int(second), now, &schedule)
            }
        }
        tell(.stopping, end, &schedule)
    }

    private mutating func report(_ second: Int, _ now: Int64, _ schedule: inout some Schedule) {
        guard second < track.seconds else { return }
        switch receiver.report(second) {
        case .silent: break
        case .noFix(let heard): tell(.noFix(heard: heard), now, &schedule)
        case .fix(let fix):
            sequence += 1
            fresh.append((sequence, fix))
            tell(.fix(fact(fix)), now, &schedule)
            if schedule.recordsAll { record(fix) }
        }
    }

    private func fact(_ fix: ReceiverModel.Fix) -> FixFact {
        let second = fix.second
        let latitude = track.latitude[second] + (fix.y - track.y[second]) / TrueTrack.north
        let scale = max(0.01, cos(latitude * .pi / 180)) * TrueTrack.east
        var made = Fix(
            time: Self.start, latitude: latitude,
            longitude: track.longitude[second] + (fix.x - track.x[second]) / scale, mode: .threeD)
        made.time?.milliseconds += Int64(second) * 1000
        made.errors.eph = fix.eph
        made.speed = hypot(fix.east, fix.north)
        let course = atan2(fix.east, fix.north) * 180 / .pi
        made.course = course < 0 ? course + 360 : course
        return FixFact(made, flags: [], sequence: sequence)
    }

    private mutating func tell(_ fact: Fact, _ now: Int64, _ schedule: inout some Schedule) {
        obey(schedule.tell(fact, at: BootTime(milliseconds: now)), now, &schedule)
    }

    private mutating func obey(
        _ command: Command?, _ now: Int64, _ schedule: inout some Schedule
    ) {
        guard let command else { return }
        wake = command.wake.map { max(now, $0.milliseconds) }
        if let rest = command.stood {
            stood =
                Double(rest.lowerBound.milliseconds) / 1000...Double(rest.upperBound.milliseconds)
                / 1000
        }
        if let number = command.chosen,
            let index = fresh.lastIndex(where: { $0.sequence == number })
        {
            record(fresh[index].fix)
            fresh.removeFirst(index + 1)
        }
        if let cycle = command.ended { cycles.append(cycle) }
        guard command.isOn != isOn else { return }
        isOn = command.isOn
        if isOn { receiver.switchOn(Double(now) / 1000) } else { receiver.switchOff() }
        fresh.removeAll(keepingCapacity: true)
    }

    private mutating func record(_ fix: ReceiverModel.Fix) {
        recorded.points.append(
            .init(
                end: .init(
                    time: Double(fix.second), x: fix.x, y: fix.y, east: fix.east, north: fix.north),
                stood: stood))
        stood = nil
    }

    private mutating func spend(from: Int64, to: Int64) {
        let span = Double(to - from) / 1000
        guard isOn else {
            millijoules += span * milliwatts.off
            return
        }
        cost.onTime += span
        let second = min(track.seconds - 1, Int(from / 1000))
        if !track.hasSky[second] {
            cost.withoutSky += span
        } else if !track.isTrip[second] {
            cost.atRest += span
        }
        millijoules += span * (receiver.tracking > 0 ? milliwatts.tracking : milliwatts.acquiring)
    }
}
