import DutyCycle
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
}
