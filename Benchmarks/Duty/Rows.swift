import DutyCycle
import GNSS
import Glibc
import Scheduling
import Simulation

/// The rows of the table: what, what must be, what is aimed at, what it came to, and whether that meets the must.
struct Rows {
    let seeds: [UInt64]
    private let moving: [TrueTrack]

    /// Seeds that nothing was tuned on.
    init(seeds: [UInt64]) {
        self.seeds = seeds
        moving = SyntheticDay.moving.flatMap { day in seeds.map { day.track(seed: $0) } }
    }

    /// What some runs came to: means, and the worst of what must hold on each.
    struct Sum {
        var on = 0.0
        var each: [Double] = []
        var worst = 0.0
        var farthest = 0.0
        var milliwattHours = 0.0
        var withoutSky = 0.0
        var wakes = 0.0
    }

    /// Runs a schedule on tracks that go round the seeds, until one is not within a target.
    func sum(
        _ tracks: [TrueTrack], _ reading: RecordedTrack.Reading = .bridged,
        within target: Double = .infinity, _ make: () -> some Schedule
    ) -> Sum {
        var sum = Sum()
        for (index, track) in tracks.enumerated() where sum.worst <= target {
            let run = SimulatedRun(make(), on: track, seed: seeds[index % seeds.count])
            let share = 1 / Double(tracks.count)
            let deviation = run.recorded.deviation(from: track, reading)
            let offMinutes = (Double(track.seconds) - run.cost.onTime) / 60
            sum.on += run.onShare * 100 * share
            sum.each.append(run.onShare * 100)
            sum.milliwattHours += run.cost.milliwattHours * share
            sum.withoutSky = max(sum.withoutSky, run.cost.withoutSky / 864)
            sum.wakes = max(sum.wakes, Double(run.cost.idleTimers) / max(1, offMinutes))
            sum.worst = max(sum.worst, deviation.p95)
            sum.farthest = max(sum.farthest, deviation.worst)
        }
        return sum
    }

    static func settings(
        _ policy: DutyCycle.Policy, _ change: (inout DutyCycle.Settings) -> Void
    ) -> DutyCycle.Settings {
        var settings = DutyCycle.Settings()
        settings.policy = policy
        change(&settings)
        return settings
    }

    func adaptive(
        _ tracks: [TrueTrack], _ bound: Double, recheck: Double = 900,
        within target: Double = .infinity
    ) -> Sum {
        sum(tracks, within: target) {
            DutyCycle(
                Self.settings(.adaptive) {
                    $0.errorBound = bound
                    $0.restRecheck = .seconds(recheck)
                })
        }
    }

    /// The cheapest of some settings, the last first, whose track is within a target everywhere.
    func cheapest(
        _ values: [Double], within target: Double, _ run: (Double) -> Sum
    ) -> (value: Double, sum: Sum)? {
        for value in values.reversed() {
            let sum = run(value)
            if sum.worst <= target { return (value, sum) }
        }
        return nil
    }

    func peer(_ tracks: [TrueTrack], isGated: Bool, within target: Double) -> Sum? {
        cheapest([4, 6, 8, 10, 12, 15, 18, 20, 25, 30, 38, 45, 60], within: target) { period in
            sum(tracks, isGated ? .bridged : .linear, within: target) {
                SimpleSchedule(every: period, isGated: isGated)
            }
        }?.sum
    }

    func row(_ what: String, _ must: String, _ aim: String, _ got: String, _ good: Bool?) {
        let verdict = good.map { $0 ? "met" : "MISSED" } ?? "not measured"
        print("| \(what) | \(must) | \(aim) | \(got) | \(verdict) |")
    }

    func show(_ value: Double, _ decimals: Int = 2) -> String {
        var buffer = TextBuffer()
        buffer.append(value, decimals: decimals)
        return buffer.string
    }

    func printAll() {
        oneSetting()
        calibration()
        resting()
        withoutSensor()
        intervals()
        budget()
    }

    private func oneSetting() {
        let bounds = stride(from: 30.0, through: 56, by: 2).map { $0 }
        guard let own = cheapest(bounds, within: 50, { adaptive(moving, $0, within: 50) }) else {
            return row("one setting, p95 ≤ 50 m on five days", "≤ 4 %", "≤ 2.5 %", "none", false)
        }
        row(
            "ErrorBound=\(show(own.value, 0)), trip p95 ≤ 50 m on five days × \(seeds.count) seeds: on-time",
            "≤ 4.0 %", "≤ 2.5 %",
            "\(show(own.sum.on)) % (p95 \(show(own.sum.worst, 1)) m, farthest \(show(own.sum.farthest, 0)) m)",
            own.sum.on <= 4)
        for (name, isGated, must, aim) in [
            ("plain interval", false, 13.0, 20.0), ("motion-gated interval, bridged", true, 2.6, 4),
        ] {
            let other = peer(moving, isGated: isGated, within: 50)?.on
            row(
                "\(name) at that p95 ÷ it", "≥ \(show(must, 1))", "≥ \(show(aim, 0))",
                other.map { "\(show($0 / own.sum.on, 1)) (\(show($0, 1)) %)" }
                    ?? "not reached by any interval", other.map { $0 / own.sum.on >= must } ?? true)
        }
        let optimum =
            moving.reduce(0) { $0 + OfflineOptimum($1, bound: 50).onTime / 864 }
            / Double(moving.count)
        row(
            "it ÷ the offline optimum", "≤ 1.9", "≤ 1.5",
            "\(show(own.sum.on / optimum)) (\(show(optimum)) %)", own.sum.on / optimum <= 1.9)
        row(
            "its energy a day, u-blox 8", "≤ 100 mWh", "≤ 60 mWh",
            "\(show(own.sum.milliwattHours, 0)) mWh", own.sum.milliwattHours <= 100)
        row(
            "its wake-ups while off (the worst day)", "< 1 a minute", "",
            "\(show(own.sum.wakes)) a minute", own.sum.wakes < 1)
    }

    private func calibration() {
        var ratios: [(ratio: Double, of: String)] = []
        for bound in [25.0, 50, 75, 100] {
            for (index, track) in moving.enumerated() {
                let run = SimulatedRun(
                    DutyCycle(Self.settings(.adaptive) { $0.errorBound = bound }), on: track,
                    seed: seeds[index % seeds.count])
                ratios.append(
                    (
                        run.recorded.deviation(from: track, .bridged).p95 / bound,
                        "\(track.name), \(show(bound, 0)) m"
                    ))
            }
        }
        let (low, high) = (ratios.map(\.ratio).min() ?? 0, ratios.map(\.ratio).max() ?? 0)
        row(
            "trip p95 ÷ ErrorBound=, 25 to 100 m, every day", "0.6 to 1.5", "0.6 to 1.3",
            range(ratios), low >= 0.6 && high <= 1.5)
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
        let blinded = moving.map(blind)
        let found = cheapest([45.0, 55, 65], within: 100) {
            adaptive(blinded, $0, recheck: 180, within: 100)
        }
        row(
            "no sensor, \(found.map { "ErrorBound=\(show($0.value, 0)), " } ?? "")RestRecheck=3min, trip p95 ≤ 100 m",
            "≤ 8.5 %", "≤ 6 %",
            found.map { "\(show($0.sum.on)) %" } ?? "not reached", (found?.sum.on ?? 100) <= 8.5)
    }

    private func blind(_ track: TrueTrack) -> TrueTrack {
        var track = track
        track.hasSensor = false
        return track
    }

    private func budget() {
        var ratios: [(ratio: Double, of: String)] = []
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
                    ratios.append(
                        (run.onShare * 100 / percent, "\(day)#\(seed), \(show(percent, 1)) %"))
                }
            }
        }
        let (low, high) = (ratios.map(\.ratio).min() ?? 0, ratios.map(\.ratio).max() ?? 0)
        row(
            "budget: on-time ÷ allowance, 0.5 to 20 %", "0.8 to 1", "0.9 to 1",
            range(ratios), low >= 0.8 && high <= 1)
    }

    /// The least and the largest, and what they are of.
    private func range(_ ratios: [(ratio: Double, of: String)]) -> String {
        let sorted = ratios.sorted { $0.ratio < $1.ratio }
        guard let low = sorted.first, let high = sorted.last else { return "" }
        return "\(show(low.ratio)) (\(low.of)) to \(show(high.ratio)) (\(high.of))"
    }
}
