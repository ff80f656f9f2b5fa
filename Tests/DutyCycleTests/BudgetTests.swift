import DutyCycle
import GNSS
import Glibc
import Scheduling
import Simulation
import Testing

@Suite struct BudgetTests {
    static func run(
        _ day: SyntheticDay, percent: Double, energy: Double? = nil, seed: UInt64
    ) -> SimulatedRun {
        var settings = DutyCycle.Settings()
        settings.policy = .budget
        settings.onBudget = percent
        settings.energyBudget = energy
        return SimulatedRun(DutyCycle(settings), on: day.track(seed: seed), seed: seed)
    }

    @Test(arguments: [(0.5, SyntheticDay.van), (2, .hiker), (5, .van), (20, .boat)])
    func `a day's allowance is spent and never passed`(percent: Double, day: SyntheticDay) {
        let used = Self.run(day, percent: percent, seed: 31).onShare * 100
        #expect(used <= percent)
        #expect(used >= 0.8 * percent)
    }

    @Test func `an energy is held like an on-time`() {
        // 40 mWh at 96 mW are 25 minutes; some of the on-time draws less.
        let run = Self.run(.van, percent: 100, energy: 40, seed: 32)
        #expect(run.cost.onTime <= 1500)
        #expect((30...44).contains(run.cost.milliwattHours))
    }

    @Test func `what is spent comes back after a day`() {
        var settings = DutyCycle.Settings()
        settings.policy = .budget
        settings.onBudget = 0.1
        var duty = DutyCycle(settings)
        func time(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1000) }
        _ = duty.tell(.started(nil), at: time(0))
        // 86.4 s of a sky without satellites for a position.
        var off: Int64 = 0
        var isOn = true
        for second in 1..<3000 as Range<Int64> {
            let fact: Fact = isOn ? .noFix(heard: 7) : .due
            if let command = duty.tell(fact, at: time(second)) { isOn = command.isOn }
            off = isOn ? second : off
        }
        #expect(off <= 86)
        #expect(duty.tell(.due, at: time(86_400))?.isOn == true)
    }

    @Test func `each day has its own allowance, also of a start that goes on over its end`() {
        var settings = DutyCycle.Settings()
        settings.policy = .budget
        settings.onBudget = 1
        var duty = DutyCycle(settings)
        var command = duty.tell(.started(nil), at: BootTime(milliseconds: 0))
        var (isOn, onSince) = (command?.isOn ?? false, 0)
        var wake = command?.wake?.milliseconds
        var used = [0, 0]
        // A ring road at 20 m/s, without an end; each start takes five seconds.
        for second in 1..<172_800 {
            let now = BootTime(milliseconds: Int64(second) * 1000)
            if isOn { used[(second - 1) / 86_400] += 1 }
            command = nil
            if let due = wake, due <= now.milliseconds {
                command = duty.tell(.due, at: now)
            } else if isOn, second - onSince < 5 {
                command = duty.tell(.noFix(heard: 7), at: now)
            } else if isOn {
                let angle = Double(second) * 20 / 1500
                var fix = Fix(
                    time: nil, latitude: 0.0135 * sin(angle), longitude: 0.0135 * -cos(angle),
                    mode: .threeD)
                fix.errors.eph = 5
                fix.speed = 20
                fix.course = (angle * 180 / .pi).truncatingRemainder(dividingBy: 360)
                command = duty.tell(
                    .fix(FixFact(fix, flags: [], sequence: Int64(second))), at: now)
            }
            guard let command else { continue }
            wake = command.wake?.milliseconds
            if command.isOn != isOn { onSince = second }
            isOn = command.isOn
        }
        for day in used { #expect((691...864).contains(day)) }
    }
}
