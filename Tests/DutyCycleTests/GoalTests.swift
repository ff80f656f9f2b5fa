import DutyCycle
import Scheduling
import Simulation
import Testing

/// Short versions of the rows of `bench-duty`, on seeds that nothing was tuned on.
@Suite struct GoalTests {
    private static func mean(_ runs: [SimulatedRun]) -> Double {
        runs.reduce(0) { $0 + $1.onShare } / Double(runs.count)
    }

    @Test func `a thirteenth of the time holds what a plain interval does not`() {
        let days = SyntheticDay.moving.map { ($0.track(seed: 22), UInt64(22)) }
        let own = days.map { AdaptiveTests.run($0.0, bound: 40, seed: $0.1) }
        let cost = Self.mean(own.map(\.run))
        let plain = days.map {
            SimulatedRun(SimpleSchedule(every: 20, isGated: false), on: $0.0, seed: $0.1)
        }
        let errors = zip(plain, days).map { $0.recorded.deviation(from: $1.0, .linear).p95 }
        #expect(Self.mean(plain) >= 13 * cost && errors.max() ?? 0 > 50)
        // One wake-up that ends each sleep, and nothing else.
        for run in own.map(\.run) {
            #expect(Double(run.cost.idleTimers) < (86_400 - run.cost.onTime) / 60)
        }
    }

    @Test(arguments: [SyntheticDay.van, .hiker, .commuter])
    func `without a sensor the track is within 100 m at 95 per cent`(day: SyntheticDay) {
        var settings = DutyCycle.Settings()
        settings.policy = .adaptive
        settings.errorBound = 50
        settings.restRecheck = .seconds(180)
        var track = day.track(seed: 23)
        track.hasSensor = false
        let run = SimulatedRun(DutyCycle(settings), on: track, seed: 23)
        #expect(run.recorded.deviation(from: track, .bridged).p95 <= 100)
        #expect(run.onShare <= 0.16)
    }

    @Test func `a hostile sky neither locks out fixes nor wakes for nothing`() {
        var settings = DutyCycle.Settings()
        settings.policy = .interval
        settings.interval = .seconds(30)
        let place = TrueTrack.underHostileSky(days: 3, seed: 24)
        let run = SimulatedRun(DutyCycle(settings), on: place, seed: 24)
        let times = run.recorded.times
        var open = 0
        for second in 0..<place.seconds {
            open = place.hasSky[second] ? open + 1 : 0
            // The longest pause is 20 min, and a stale start takes a minute.
            if open == 1260 {
                let now = Double(second)
                #expect(times.contains { $0 <= now && $0 > now - 1260 })
            }
        }
        #expect(run.cycles.count > 300)
        #expect(run.cost.timers < place.seconds / 10)
    }
}
