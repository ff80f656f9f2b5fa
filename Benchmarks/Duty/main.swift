import DutyCycle
import Glibc
import Simulation

// What policies cost on made-up days, a row a day: `bench-duty SEEDS BOUNDS BUDGETS [--no-sensor] [--peers]`;
// without bounds and budgets the rows of the table, with `--real` those of recorded tracks on standard input.

extension String {
    func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

func text(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return "\((value * scale).rounded() / scale)".padded(8)
}

struct Bench {
    var seeds: [UInt64]
    var tracks: [SyntheticDay: [TrueTrack]] = [:]

    init(seeds: [UInt64], hasSensor: Bool) {
        self.seeds = seeds
        for day in SyntheticDay.allCases {
            tracks[day] = seeds.map { seed in
                var track = day.track(seed: seed)
                track.hasSensor = hasSensor
                return track
            }
        }
    }

    func show(_ name: String, _ make: () -> some Schedule) {
        print(
            "\(name.padded(16)) on %   p95     least   most    linear  mWh     starts  no sky  rest"
        )
        var all: [Double] = []
        var worst = 0.0
        for day in SyntheticDay.allCases {
            var sums = [Double](repeating: 0, count: 7)
            var errors: [Double] = []
            for (seed, track) in zip(seeds, tracks[day] ?? []) {
                let run = SimulatedRun(make(), on: track, seed: seed)
                let error = run.recorded.deviation(from: track, .bridged).p95
                errors.append(error)
                let values = [
                    run.onShare * 100, error, run.recorded.deviation(from: track, .linear).p95,
                    run.cost.milliwattHours, Double(run.cost.starts), run.cost.withoutSky / 864,
                    run.cost.atRest / 864,
                ]
                for (index, value) in values.enumerated() { sums[index] += value }
            }
            let means = sums.map { $0 / Double(max(1, seeds.count)) }
            if day != .parked {
                all.append(means[0])
                worst = max(worst, errors.max() ?? 0)
            }
            print(
                "\(day.rawValue.padded(16)) " + text(means[0], 2) + text(means[1], 1)
                    + text(errors.min() ?? 0, 1) + text(errors.max() ?? 0, 1)
                    + means[2...].map { text($0, 2) }.joined())
        }
        let mean = all.reduce(0, +) / Double(max(1, all.count))
        print("moving days      " + text(mean, 3) + "worst p95 " + text(worst, 1) + "\n")
    }
}

let arguments = CommandLine.arguments
func list(_ index: Int) -> [Double] {
    arguments.count > index ? arguments[index].split(separator: ",").compactMap { Double($0) } : []
}
let seeds = list(1).map { UInt64(max(0, $0)) }
if list(2).isEmpty, list(3).isEmpty {
    // Tuned on 1 to 8 and 101 to 108, looked at 301 to 306 and 401 to 408; never on these.
    let rows = Rows(seeds: seeds.isEmpty ? Array(501...506) : seeds)
    rows.printAll()
    if arguments.contains("--real") {
        let few = Rows(seeds: Array(rows.seeds.prefix(2)))
        few.real(RealTracks(seeds: few.seeds))
    }
    exit(0)
}
let bench = Bench(
    seeds: seeds.isEmpty ? [31] : seeds, hasSensor: !arguments.contains("--no-sensor"))
if arguments.contains("--peers") {
    for period in [15.0, 20, 25, 30] {
        bench.show("interval \(period)") { SimpleSchedule(every: period, isGated: false) }
        bench.show("gated \(period)") { SimpleSchedule(every: period, isGated: true) }
    }
}
for percent in list(3) {
    var settings = DutyCycle.Settings()
    settings.policy = .budget
    settings.onBudget = percent
    bench.show("budget \(percent)") { DutyCycle(settings) }
}
for bound in list(2) {
    var settings = DutyCycle.Settings()
    settings.policy = .adaptive
    settings.errorBound = bound
    bench.show("adaptive \(bound)") { DutyCycle(settings) }
}
