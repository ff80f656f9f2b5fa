import DutyCycle
import Scheduling
import Simulation

extension Rows {
    /// The interval policy: on time under open sky, and alive under one that is not.
    func intervals() {
        let place = TrueTrack.underOpenSky(days: 4, seed: seeds[0])
        var least = 1.0
        for interval in [30.0, 60, 300, 900] {
            for delay in [0.5, 4.5] {
                var times = StartTimes()
                times.delay = delay
                let periods = seeds.flatMap { seed in
                    let recorded =
                        SimulatedRun(interval: interval, on: place, times, seed).recorded.times
                    return zip(recorded.dropFirst(), recorded).map { $0 - $1 }
                }
                let good = periods.count { abs($0 - interval) <= 1 }
                least = min(least, Double(good) / Double(max(1, periods.count)))
            }
        }
        row(
            "interval 30 s to 15 min, open sky: periods within ± 1 s", "≥ 95 %", "",
            "\(show(least * 100, 1)) %", least >= 0.95)
        hostile()
    }

    private func hostile() {
        var (cycles, timers, seconds, seed) = (0, 0, 0, seeds[0])
        var longest = 0.0
        let enough = seeds.count == 1 ? 2000 : 10_000
        while cycles < enough {
            let place = TrueTrack.underHostileSky(days: 10, seed: seed)
            let run = SimulatedRun(interval: 30, on: place, StartTimes(), seed)
            cycles += run.cycles.count
            timers += run.cost.timers
            seconds += place.seconds
            longest = max(longest, Self.wait(run.recorded.times, place))
            seed += 1
        }
        let each = Double(timers) / Double(seconds / 60)
        // A pause is four times as long as the start was, 20 min at most, and a stale start takes a minute.
        row(
            "interval, \(cycles) cycles of a hostile sky: longest wait under open sky, timers a minute",
            "no livelock, no busy loop", "", "\(show(longest, 0)) s, \(show(each, 1))",
            longest <= 1260 && each <= 6)
    }

    /// The longest time from where the sky opens to a fix, or to where it closes.
    private static func wait(_ times: [Double], _ place: TrueTrack) -> Double {
        var longest = 0.0
        var next = 0
        var since: Double?
        for second in 0..<place.seconds {
            let now = Double(second)
            guard place.hasSky[second] else {
                since = nil
                continue
            }
            if next < times.count, times[next] <= now {
                while next < times.count, times[next] <= now { next += 1 }
                since = now
            }
            let begin = since ?? now
            since = begin
            longest = max(longest, now - begin)
        }
        return longest
    }
}

extension SimulatedRun {
    fileprivate init(
        interval: Double, on track: TrueTrack, _ times: StartTimes, _ seed: UInt64
    ) {
        let settings = Rows.settings(.interval) { $0.interval = .seconds(interval) }
        self.init(DutyCycle(settings), on: track, times: times, seed: seed)
    }
}
