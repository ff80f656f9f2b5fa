import DutyCycle
import Scheduling
import Simulation
import Testing

/// The adaptive policy on made-up days, by the protocol of `reference/power.md`, section 8.
///
/// It was tuned on seeds 1 to 12; these are others. `Tests/Gates/duty` runs each row of the table, `make bench` the whole.
@Suite struct AdaptiveTests {
    static func run(
        _ day: SyntheticDay, bound: Double, seed: UInt64, hasSensor: Bool = true
    ) -> (run: SimulatedRun, error: RecordedTrack.Deviation, track: TrueTrack) {
        var track = day.track(seed: seed)
        track.hasSensor = hasSensor
        return run(track, bound: bound, seed: seed)
    }

    static func run(
        _ track: TrueTrack, bound: Double, seed: UInt64
    ) -> (run: SimulatedRun, error: RecordedTrack.Deviation, track: TrueTrack) {
        var settings = DutyCycle.Settings()
        settings.policy = .adaptive
        settings.errorBound = bound
        let run = SimulatedRun(DutyCycle(settings), on: track, seed: seed)
        return (run, run.recorded.deviation(from: track, .bridged), track)
    }

    @Test(arguments: SyntheticDay.moving)
    func `the track read back is within the bound at 95 per cent`(day: SyntheticDay) {
        for bound in [25.0, 100] {
            let ratio = Self.run(day, bound: bound, seed: 21).error.p95 / bound
            #expect((0.6...1.5).contains(ratio), "\(ratio) of \(bound) m")
        }
    }

    @Test func `one setting holds 50 m on five days for a twenty-fifth of the time`() {
        let days = SyntheticDay.moving.map { Self.run($0, bound: 40, seed: 22) }
        let mean = days.reduce(0) { $0 + $1.run.onShare } / 5
        #expect(mean <= 0.04)
        #expect(days.allSatisfy { $0.error.p95 <= 50 })
        // Energy of the u-blox 8; always on it takes 2,144 mWh a day.
        #expect(days.reduce(0) { $0 + $1.run.cost.milliwattHours } / 5 <= 100)
    }

    @Test(arguments: [(true, 0.006), (false, 0.018)])
    func `a parked day is slept through`(hasSensor: Bool, share: Double) {
        let parked = Self.run(.parked, bound: 50, seed: 23, hasSensor: hasSensor)
        #expect(parked.run.onShare <= share)
        // Parked is not dead: a heartbeat every six hours at least.
        #expect(parked.run.cycles.count >= 4)
    }

    @Test func `hours without sky are not spent searching`() {
        let commuter = Self.run(.commuter, bound: 50, seed: 24)
        #expect(commuter.run.cost.withoutSky <= 0.008 * 86_400)
    }

    @Test func `the same seed gives the same day, another seed another`() {
        let first = Self.run(.hiker, bound: 50, seed: 25)
        let second = Self.run(.hiker, bound: 50, seed: 25)
        #expect(first.run.cost == second.run.cost)
        #expect(first.error == second.error)
        #expect(first.run.cost != Self.run(.hiker, bound: 50, seed: 26).run.cost)
    }

    @Test func `velocities read the track back better than straight lines`() {
        let day = Self.run(.motorway, bound: 50, seed: 27)
        let straight = day.run.recorded.deviation(from: day.track, .linear)
        #expect(day.error.p95 * 2 < straight.p95)
    }
}
