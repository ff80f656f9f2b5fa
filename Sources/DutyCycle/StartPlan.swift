/// How long a start may last and how long to wait after one that failed, milliseconds.
///
/// Each failure makes the next start rarer, and from time to time longer: neither a short time-out that can never
/// succeed nor a receiver that never sleeps. Without a fix it is on a fifth of the time at most.
struct StartPlan: Equatable {
    /// Starts in a row that brought no fix.
    private(set) var failures = 0
    /// Those of them that heard satellites enough for a position.
    private var heardFailures = 0

    /// No start takes longer than this to say anything at all.
    static let silence: Int64 = 60_000
    /// Half a minute for an ephemeris, and what it takes to find the satellites: power.md, section 7.2.
    private static let shortestStale: Int64 = 40_000

    /// The time-out of a start, from the first data on.
    ///
    /// - Parameter heard: satellites with a signal; `nil` when the receiver does not say.
    func timeout(_ start: StartClass, heard: Int?, asked: Int64?) -> Int64 {
        if let asked { return start == .hot ? asked : max(asked, Self.shortestStale) }
        if !isLong, let heard, heard < 4 {
            if heard == 0, failures == 0 {
                return start == .hot ? 15_000 : start == .warm ? 20_000 : 30_000
            }
            if failures > 0 { return start == .cold ? 20_000 : heard == 0 ? 12_000 : 15_000 }
            // Fewer than four make no position: more must come into view soon.
            return start == .hot ? 25_000 : Self.shortestStale
        }
        let usual: Int64 = start == .cold ? 120_000 : 75_000
        // Signals that have not been enough for long are faint ones.
        if !isLong, heard != nil, heardFailures >= 2 {
            return start == .hot ? 30_000 : start == .warm ? 45_000 : 75_000
        }
        return min(usual << Int64(min(heardFailures, 2)), 300_000)
    }

    /// From time to time a longer start, ever more rarely: nothing is believed for ever.
    private var isLong: Bool {
        let count = failures + 1
        return count >= 8 && count & (count - 1) == 0 || count % 64 == 0
    }

    mutating func succeeded() {
        self = StartPlan()
    }

    /// Takes note of a start that failed after `lasted` and says how long to stay off.
    mutating func failed(after lasted: Int64, heard: Int?, interval: Int64) -> Int64 {
        let doubled = Int64(90_000) << Int64(min(failures, 6))
        failures = min(failures + 1, 1_000_000)
        if (heard ?? 4) >= 4 { heardFailures = min(heardFailures + 1, 10) }
        return max(min(doubled, max(600_000, interval)), 4 * lasted)
    }
}
