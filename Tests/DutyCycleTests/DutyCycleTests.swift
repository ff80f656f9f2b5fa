import DutyCycle
import GNSS
import Scheduling
import Testing

@Suite struct DutyCycleTests {
    /// A duty cycle and the last command it gave.
    struct Rig {
        var duty: DutyCycle
        var command: Command?
        var cycles: [Cycle] = []
        var chosen: [Int64] = []

        init(_ policy: DutyCycle.Policy, _ change: (inout DutyCycle.Settings) -> Void = { _ in }) {
            var settings = DutyCycle.Settings()
            settings.policy = policy
            change(&settings)
            duty = DutyCycle(settings)
        }

        @discardableResult
        mutating func tell(_ fact: Fact, _ seconds: Double) -> Command? {
            let answer = duty.tell(fact, at: BootTime(milliseconds: Int64(seconds * 1000)))
            if let answer { command = answer }
            if let cycle = answer?.ended { cycles.append(cycle) }
            if let sequence = answer?.chosen { chosen.append(sequence) }
            return answer
        }

        @discardableResult
        mutating func fix(_ seconds: Double, hdop: Double? = 1, flags: FixFlags = []) -> Command? {
            var fix = Fix(time: nil, latitude: 51, longitude: 0.5, mode: .threeD)
            fix.dop.hdop = hdop
            let report = FixFact(fix, flags: flags, sequence: Int64(seconds))
            return tell(.fix(report), seconds)
        }

        /// Tracks from one second to another with a good fix a second.
        mutating func track(_ seconds: ClosedRange<Int>) {
            for second in seconds { fix(Double(second)) }
        }
    }

    @Test func `continuous is on from start to stop in one cycle and asks for no timer`() {
        var rig = Rig(.continuous)
        rig.tell(.started(nil), 0)
        #expect(rig.command?.isOn == true && rig.command?.wake == nil)
        rig.track(5...20)
        rig.tell(.noFix(heard: 3), 60)
        rig.fix(90, flags: .outlier)
        #expect(rig.command?.wake == nil && rig.command?.isOn == true)
        rig.tell(.stopping, 100)
        let cycle = rig.cycles.first
        #expect(rig.cycles.count == 1)
        #expect(cycle?.beganBecause == "start" && cycle?.endedBecause == "stop")
        #expect(cycle?.timeToFirstFix == 5000 && cycle?.fixes == 17 && cycle?.kept == 16)
        #expect(rig.command?.isOn == true)
    }

    @Test func `a fix changes nothing until its time has come`() {
        var rig = Rig(.continuous)
        rig.tell(.started(nil), 0)
        #expect(rig.fix(5) == nil)
        #expect(rig.fix(6) == nil)
    }

    /// `corpus/bugs/B091`: HDOP 9.5 and 7.1 are rejected, then 4.0, 2.2, 1.2, 1.0.
    @Test func `B091 the best fix of the window is chosen and not the first`() {
        var rig = Rig(.interval) { $0.goodAccuracy = 1 }
        rig.tell(.started(nil), 0)
        rig.fix(1, hdop: 9.5, flags: .lowAccuracy)
        rig.fix(2, hdop: 7.1, flags: .lowAccuracy)
        for (index, hdop) in [4.0, 2.2, 1.2, 1.0].enumerated() {
            rig.fix(Double(3 + index), hdop: hdop)
        }
        rig.tell(.due, 16)
        #expect(rig.chosen == [6])
        rig = Rig(.interval)
        rig.tell(.started(nil), 0)
        for (index, hdop) in [4.0, 2.2, 1.2, 1.0].enumerated() {
            rig.fix(Double(3 + index), hdop: hdop)
        }
        #expect(rig.chosen == [5])
    }

    @Test func `B028 an estimated fix is not fresh`() {
        var rig = Rig(.interval)
        rig.tell(.started(nil), 0)
        for second in 1...20 { rig.fix(Double(second), flags: .estimated) }
        #expect(rig.chosen.isEmpty)
        #expect(rig.duty.cycle?.kept == 0 && rig.duty.cycle?.timeToFirstFix == nil)
        rig.fix(21)
        #expect(rig.chosen == [21])
    }

    @Test func `a first start reads the ephemeris before it sleeps`() {
        var rig = Rig(.interval) { $0.interval = .seconds(300) }
        rig.tell(.started(nil), 0)
        rig.track(10...39)
        #expect(rig.command?.isOn == true)
        rig.fix(40)
        #expect(rig.command?.isOn == false)
        #expect(rig.cycles.map(\.endedBecause) == ["fix"])
        let wake = rig.command?.wake?.milliseconds ?? 0
        #expect((250_000..<310_000).contains(wake))
    }

    @Test func `the receiver stays on when off would not pay`() {
        var rig = Rig(.interval) { $0.interval = .seconds(20) }
        rig.tell(.started(nil), 0)
        rig.track(10...110)
        #expect(rig.cycles.isEmpty)
        #expect(rig.chosen == [10, 30, 50, 70, 90, 110])
    }

    @Test func `no satellite heard ends a start sooner than satellites without a fix`() {
        func end(heard: Int?) -> Int? {
            var rig = Rig(.interval)
            rig.tell(.started(nil), 0)
            for second in 1...400 {
                rig.tell(.noFix(heard: heard), Double(second))
                if rig.command?.isOn == false { return second }
            }
            return nil
        }
        #expect(end(heard: 0) == 31)
        #expect(end(heard: 4) == 121)
        #expect(end(heard: nil) == 121)
    }

    @Test func `a receiver that says nothing is given up after a minute and tried again`() {
        var rig = Rig(.interval)
        rig.tell(.started(nil), 0)
        #expect(rig.command?.wake == BootTime(milliseconds: 60_000))
        rig.tell(.due, 60)
        #expect(rig.command?.isOn == false)
        #expect(rig.cycles.map(\.endedBecause) == ["no_data"])
        let wake = rig.command?.wake ?? BootTime(nanoseconds: 0)
        rig.tell(.due, Double(wake.milliseconds) / 1000)
        #expect(rig.command?.isOn == true)
        #expect(rig.duty.cycle?.beganBecause == "retry")
    }

    @Test func `on demand is off until asked and on for the hold`() {
        var rig = Rig(.onDemand)
        rig.tell(.started(nil), 0)
        #expect(rig.command?.isOn == false && rig.command?.wake == nil)
        rig.tell(.locate, 100)
        #expect(rig.command?.isOn == true)
        rig.track(105...119)
        #expect(rig.chosen.first == 105)
        #expect(rig.command?.isOn == true)
        rig.fix(120)
        #expect(rig.command?.isOn == false && rig.command?.wake == nil)
        #expect(rig.cycles.map(\.beganBecause) == ["locate"])
    }

    /// A receiver that is cut before it has settled never does.
    @Test(arguments: [DutyCycle.Policy.interval, .adaptive, .budget])
    func `whoever waits for the best fix has the receiver on until it is there`(
        policy: DutyCycle.Policy
    ) {
        var rig = Rig(policy) { $0.interval = .seconds(900) }
        rig.tell(.started(nil), 0)
        rig.track(5...120)
        let before = rig.cycles.count
        rig.tell(.awaited(true), 200)
        rig.track(203...263)
        #expect(rig.command?.isOn == true && rig.cycles.count == before)
        rig.tell(.awaited(false), 263.5)
        rig.track(264...330)
        // The others may have reasons of their own to go on.
        guard policy == .interval else { return }
        #expect(rig.command?.isOn == false && rig.cycles.count == before + 1)
    }

    @Test func `at rest a sensor leaves the heartbeat and motion wakes at once`() {
        var rig = Rig(.interval) {
            $0.skipAtRest = true
            $0.heartbeat = .seconds(7200)
        }
        rig.tell(.started(nil), 0)
        rig.tell(.motion(isMoving: false, bySensor: true), 1)
        rig.track(10...60)
        #expect(rig.command?.isOn == false)
        #expect((rig.command?.wake?.milliseconds ?? 0) > 7_000_000)
        rig.tell(.motion(isMoving: true, bySensor: true), 500)
        #expect(rig.command?.isOn == true)
        #expect(rig.duty.cycle?.beganBecause == "motion")
    }

    @Test func `while another program keeps it on, fixes are taken for nothing`() {
        var rig = Rig(.interval) { $0.interval = .seconds(300) }
        rig.tell(.started(nil), 0)
        rig.tell(.held(true), 5)
        rig.track(10...900)
        #expect(rig.cycles.isEmpty)
        #expect(rig.chosen == [10, 310, 610])
        rig.tell(.held(false), 900.5)
        #expect(rig.command?.isOn == true)
        rig.fix(910)
        #expect(rig.chosen.last == 910)
        #expect(rig.command?.isOn == false)
    }

    @Test func `a pause switches off and asks for no timer`() {
        var rig = Rig(.interval)
        rig.tell(.started(nil), 0)
        rig.track(1...3)
        rig.tell(.paused(true), 4)
        #expect(rig.command?.isOn == false && rig.command?.wake == nil)
        #expect(rig.cycles.map(\.endedBecause) == ["paused"])
        #expect(rig.tell(.locate, 5) == nil)
        rig.tell(.paused(false), 6)
        #expect(rig.command?.isOn == true)
    }

    @Test func `a source that is lost ends the cycle and begins one when it is back`() {
        var rig = Rig(.interval)
        rig.tell(.started(nil), 0)
        rig.track(1...3)
        rig.tell(.sourceLost, 4)
        #expect(rig.cycles.map(\.endedBecause) == ["source_lost"])
        for second in [20.0, 100, 1000] { rig.tell(.due, second) }
        #expect(rig.command?.isOn == true)
        rig.tell(.sourceBack, 2000)
        #expect(rig.duty.cycle?.beganBecause == "source_back")
        rig.fix(2010)
        #expect(rig.duty.cycle?.timeToFirstFix == 10_000)
    }

    @Test func `new settings take effect at once`() {
        var rig = Rig(.interval) { $0.interval = .seconds(3600) }
        rig.tell(.started(nil), 0)
        rig.track(1...40)
        #expect(rig.command?.isOn == false)
        let answer = rig.duty.change(DutyCycle.Settings(), at: BootTime(milliseconds: 60_000))
        #expect(answer?.isOn == true)
        #expect(rig.duty.cycle?.beganBecause == "settings")
    }

    @Test func `the age of the ephemeris survives a restart with a clock`() {
        var learned = Learned()
        learned.ephemeris = UTCTime(milliseconds: 1_777_629_600_000)
        for age in [3_600_000, 86_400_000] as [Int64] {
            var settings = DutyCycle.Settings()
            settings.policy = .interval
            var duty = DutyCycle(settings, learned: learned)
            let start = UTCTime(milliseconds: 1_777_629_600_000 + age)
            _ = duty.tell(.started(start), at: BootTime(milliseconds: 0))
            let answer = duty.tell(.noFix(heard: 0), at: BootTime(milliseconds: 1000))
            #expect(answer?.wake == BootTime(milliseconds: age == 3_600_000 ? 16_000 : 21_000))
        }
    }

    @Test(arguments: [
        "", "hot", "hot=x -5 99999999999999999999\n=\naccuracy=-1\nephemeris=never\n",
    ])
    func `what cannot be read was not learnt`(text: String) {
        #expect(Learned(text) == Learned())
    }

    @Test func `absurd settings and times pass through without a trap`() {
        var rig = Rig(.interval) {
            $0.interval = TimeSpan(nanoseconds: .max)
            $0.lead = TimeSpan(nanoseconds: .min)
            $0.settle = TimeSpan(nanoseconds: .max)
            $0.heartbeat = TimeSpan(nanoseconds: .max)
        }
        rig.tell(.started(UTCTime(milliseconds: .max)), 0)
        rig.track(1...50)
        rig.tell(.locate, 9_000_000_000)
        rig.tell(.due, 9_000_000_001)
        #expect(rig.duty.phase != .stopped)
    }

    @Test func `on-demand takes one fix when a sensor says that it moves off, and none for a stir`()
    {
        var settings = DutyCycle.Settings()
        settings.policy = .onDemand
        let world = World(settings, seed: 9, hasSky: { _ in true })
        world.tell(.motion(isMoving: false, bySensor: true))
        world.run(until: 600)
        world.tell(.motion(isMoving: true, bySensor: true))
        world.run(until: 605)
        world.tell(.motion(isMoving: false, bySensor: true))
        world.run(until: 900)
        #expect(world.switches == 0)
        world.tell(.motion(isMoving: true, bySensor: true))
        world.run(until: 4000)
        #expect(world.chosen.count == 1 && world.switches == 2)
        #expect(world.cycles.first?.beganBecause == "motion")
    }
}
