import DutyCycle
import GNSS
import Glibc
import Scheduling
import Simulation

/// The rows of the table: what, what must be, what is aimed at, what it came to, and whether that meets the must.
struct Rows {
    private let seeds: [UInt64]
    private let moving: [TrueTrack]
    private let moved: [UInt64]

    /// Seeds that nothing was tuned on.
    init(seeds: [UInt64]) {
        self.seeds = seeds
        var tracks: [TrueTrack] = []
        var own: [UInt64] = []
        for day in SyntheticDay.moving {
            for seed in seeds {
                tracks.append(day.track(seed: seed))
                own.append(seed)
            }
        }
        moving = tracks
        moved = own
    }

    private struct Sum {
        var on = 0.0
        var worst = 0.0
        var milliwattHours = 0.0
        var withoutSky = 0.0
    }

    private func sum(
        _ tracks: [TrueTrack], _ reading: RecordedTrack.Reading = .bridged,
        _ make: () -> some Schedule
    ) -> Sum {
        var sum = Sum()
        for (index, track) in tracks.enumerated() {
            let seed = index < moved.count ? moved[index] : 1
            let run = SimulatedRun(make(), on: track, seed: seed)
            let share = 1 / Double(tracks.count)
            sum.on += run.onShare * 100 * share
            sum.milliwattHours += run.cost.milliwattHours * share
            sum.withoutSky = max(sum.withoutSky, run.cost.withoutSky / 864)
            sum.worst = max(sum.worst, run.recorded.deviation(from: track, reading).p95)
        }
        return sum
    }

    private static func settings(
        _ policy: DutyCycle.Policy, _ change: (inout DutyCycle.Settings) -> Void
    ) -> DutyCycle.Settings {
        var settings = DutyCycle.Settings()
        settings.policy = policy
        change(&settings)
        return settings
    }

    private func adaptive(_ tracks: [TrueTrack], _ bound: Double, recheck: Double = 600) -> Sum {
        sum(tracks) {
            DutyCycle(
                Self.settings(.adaptive) {
                    $0.errorBound = bound
                    $0.restRecheck = .seconds(recheck)
                })
        }
    }

    /// The cheapest of some settings whose track is within a target everywhere.
    private func cheapest(
        _ values: [Double], within target: Double, _ run: (Double) -> Sum
    ) -> (value: Double, sum: Sum)? {
        values.map { ($0, run($0)) }.filter { $0.1.worst <= target }
            .min { $0.1.on < $1.1.on }
    }

    private func peer(_ tracks: [TrueTrack], isGated: Bool, within target: Double) -> Double? {
        cheapest([4, 6, 8, 10, 12, 15, 18, 20, 25, 30, 38, 45, 60], within: target) { period in
            sum(tracks, isGated ? .bridged : .linear) {
                SimpleSchedule(every: period, isGated: isGated)
            }
        }?.sum.on
    }

    private func row(_ what: String, _ must: String, _ aim: String, _ got: String, _ good: Bool?) {
        let verdict = good.map { $0 ? "met" : "MISSED" } ?? "not measured"
        print("| \(what) | \(must) | \(aim) | \(got) | \(verdict) |")
    }

    private func show(_ value: Double, _ decimals: Int = 2) -> String {
        var buffer = TextBuffer()
        buffer.append(value, decimals: decimals)
        return buffer.string
    }

    func printAll() {
        oneSetting()
        calibration()
        resting()
        withoutSensor()
        budget()
    }

    private func oneSetting() {
        let bounds = stride(from: 30.0, through: 50, by: 2).map { $0 }
        guard let own = cheapest(bounds, within: 50, { adaptive(moving, $0) }) else {
            return row("one setting, p95 ≤ 50 m on five days", "≤ 4 %", "≤ 2.5 %", "none", false)
        }
        row(
            "one setting (\(show(own.value, 0)) m), trip p95 ≤ 50 m on five days × \(seeds.count): on-time",
            "≤ 4.0 %", "≤ 2.5 %", "\(show(own.sum.on)) %", own.sum.on <= 4)
        for (name, isGated, must, aim) in [
            ("plain interval", false, 13.0, 20.0), ("motion-gated, bridged", true, 2.6, 4),
        ] {
            let other = peer(moving, isGated: isGated, within: 50)
            row(
                "\(name) ÷ it", "≥ \(show(must, 1))", "≥ \(show(aim, 0))",
                other.map { "\(show($0 / own.sum.on, 1)) (\(show($0, 1)) %)" }
                    ?? "not reached by any interval", other.map { $0 / own.sum.on >= must } ?? true)
        }
        let optimum =
            moving.reduce(0) { $0 + OfflineOptimum($1, bound: 50).onTime / 864 }
            / Double(moving.count)
        row(
            "it ÷ offline optimum at 50 m", "≤ 1.9", "≤ 1.5",
            "\(show(own.sum.on / optimum)) (\(show(optimum)) %)", own.sum.on / optimum <= 1.9)
        row(
            "its energy a day, u-blox 8", "≤ 100 mWh", "≤ 60 mWh",
            "\(show(own.sum.milliwattHours, 0)) mWh", own.sum.milliwattHours <= 100)
    }

    private func calibration() {
        var ratios: [Double] = []
        for bound in [25.0, 50, 75, 100] {
            for (track, seed) in zip(moving, moved) {
                let run = SimulatedRun(
                    DutyCycle(Self.settings(.adaptive) { $0.errorBound = bound }), on: track,
                    seed: seed)
                ratios.append(run.recorded.deviation(from: track, .bridged).p95 / bound)
            }
        }
        let (low, high) = (ratios.min() ?? 0, ratios.max() ?? 0)
        row(
            "trip p95 ÷ ErrorBound=, 25 to 100 m, every day", "0.6 to 1.5", "0.6 to 1.3",
            "\(show(low)) to \(show(high))", low >= 0.6 && high <= 1.5)
    }

    private func resting() {
        let parked = seeds.map { SyntheticDay.parked.track(seed: $0) }
        let with = adaptive(parked, 50).on
        row(
            "parked day with a sensor", "≤ 0.6 %", "≤ 0.3 %", "\(show(with)) %", with <= 0.6)
        let without = adaptive(parked.map(blind), 50).on
        row(
            "parked day without", "≤ 1.8 %", "≤ 1 %", "\(show(without)) %", without <= 1.8)
        let sky = adaptive(moving, 50).withoutSky
        row(
            "hours without sky (the worst day)", "≤ 0.8 %", "≤ 0.3 %", "\(show(sky)) %",
            sky <= 0.8)
    }

    private func withoutSensor() {
        let found = cheapest([40.0, 50, 60, 70, 80], within: 100) {
            adaptive(moving.map(blind), $0, recheck: 60)
        }
        row(
            "no sensor, one setting, trip p95 ≤ 100 m", "≤ 8.5 %", "≤ 6 %",
            found.map { "\(show($0.sum.on)) %" } ?? "not reached", (found?.sum.on ?? 100) <= 8.5)
    }

    private func blind(_ track: TrueTrack) -> TrueTrack {
        var track = track
        track.hasSensor = false
        return track
    }

    private func budget() {
        var ratios: [Double] = []
        // Days whose movement asks for more than the allowance.
        let cases: [(Double, [SyntheticDay])] = [
            (0.5, SyntheticDay.moving), (1, SyntheticDay.moving),
            (2, [.van, .motorway, .hiker, .boat]),
            (5, [.van, .motorway, .hiker, .boat]), (10, [.hiker, .boat]), (20, [.boat]),
        ]
        for (percent, days) in cases {
            for day in days {
                for seed in seeds {
                    let run = SimulatedRun(
                        DutyCycle(Self.settings(.budget) { $0.onBudget = percent }),
                        on: day.track(seed: seed), seed: seed)
                    ratios.append(run.onShare * 100 / percent)
                }
            }
        }
        let (low, high) = (ratios.min() ?? 0, ratios.max() ?? 0)
        row(
            "budget: on-time ÷ allowance, 0.5 to 20 %", "0.8 to 1", "0.9 to 1",
            "\(show(low)) to \(show(high))", low >= 0.8 && high <= 1)
    }
}
