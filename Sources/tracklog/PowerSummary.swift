import DutyCycle
import GNSS
import Storage

/// What the receiver did, from the rows of its cycles.
struct PowerSummary {
    /// A stretch of the day, or all of it: seconds by state, and what came of them.
    struct Sum {
        /// From switching on to the first fix, or to the end without one.
        var acquiring = 0.0
        /// With fixes.
        var tracking = 0.0
        /// Off while the daemon ran.
        var off = 0.0
        /// Of that, off with nothing switched: the receiver went on.
        var idle = 0.0
        /// Cycles that began.
        var cycles = 0
        /// Fixes delivered and kept by them.
        var fixes: Int64 = 0
        var kept: Int64 = 0
        /// Milliseconds to their first fixes.
        var times: [Int64] = []

        var on: Double { acquiring + tracking }
        var all: Double { on + off }
        /// Share of the time it was on.
        var duty: Double? { all > 0 ? on / all : nil }
        /// Fixes kept for each minute on.
        var fixesPerMinute: Double? { on > 0 ? Double(kept) / (on / 60) : nil }

        /// Milliwatt hours.
        func energy(_ draw: ReceiverDraw) -> Double {
            (acquiring * draw.acquiring + (tracking + idle) * draw.tracking
                + (off - idle) * draw.off) / 3600
        }

        /// The time within which that share of the first fixes came, seconds (nearest rank).
        func timeToFirstFix(_ share: Double) -> Double? {
            let sorted = times.sorted()
            guard !sorted.isEmpty else { return nil }
            let rank = Int((share * Double(sorted.count)).rounded(.up))
            return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1000
        }
    }

    private(set) var total = Sum()
    /// By hour of the day, 0 to 23, in the person's zone.
    private(set) var hours = [Sum](repeating: Sum(), count: 24)
    /// By day, its first instant in the person's zone.
    private(set) var days: [(day: UTCTime, sum: Sum)] = []
    /// First fixes by class of start.
    private(set) var starts: [(name: String, sum: Sum)] = []
    /// How often a word came, most often first.
    private(set) var began: [(word: String, count: Int)] = []
    private(set) var ended: [(word: String, count: Int)] = []
    private(set) var levers: [(word: String, count: Int)] = []
    private(set) var first: UTCTime?
    private(set) var last: UTCTime?

    private let zone: Zone
    private static let hour: Int64 = 3_600_000
    /// No state lasts longer; what does is a clock gone wrong.
    private static let longest: Int64 = 400 * 86_400_000

    /// The cycles that began within a range of time.
    init(_ cycles: [StoredCycle], since: UTCTime?, until: UTCTime?, _ zone: Zone) {
        self.zone = zone
        var previous: (run: Int32, end: Int64, lever: String?)?
        for stored in cycles {
            guard let from = stored.time?.milliseconds, let ended = stored.cycle.ended
            else { continue }
            let to = from &+ ended &- stored.cycle.began
            let isSound = to >= from && to &- from <= Self.longest
            let isWanted =
                from >= since?.milliseconds ?? .min && from <= until?.milliseconds ?? .max
            guard isSound, isWanted else {
                previous = nil
                continue
            }
            if let before = previous, before.run == stored.run, from > before.end,
                from - before.end <= Self.longest
            {
                spread(before.end, from) { sum, seconds in
                    sum.off += seconds
                    if before.lever == "none" { sum.idle += seconds }
                }
            }
            add(stored.cycle, from, to)
            previous = (stored.run, to, stored.cycle.lever)
        }
        for list in [\PowerSummary.began, \.ended, \.levers] {
            self[keyPath: list].sort { ($1.count, $0.word) < ($0.count, $1.word) }
        }
    }

    private mutating func add(_ cycle: Cycle, _ from: Int64, _ to: Int64) {
        let fixed = min(cycle.timeToFirstFix.map { from &+ max(0, $0) } ?? to, to)
        spread(from, fixed) { $0.acquiring += $1 }
        spread(fixed, to) { $0.tracking += $1 }
        count(at: from) { sum in
            sum.cycles += 1
            sum.fixes &+= cycle.fixes
            sum.kept &+= cycle.kept
            if let time = cycle.timeToFirstFix { sum.times.append(time) }
        }
        if let start = cycle.start {
            let place = starts.firstIndex { $0.name == start } ?? starts.count
            if place == starts.count { starts.append((start, Sum())) }
            starts[place].sum.cycles += 1
            if let time = cycle.timeToFirstFix { starts[place].sum.times.append(time) }
        }
        Self.count(cycle.beganBecause, in: &began)
        Self.count(cycle.endedBecause, in: &ended)
        Self.count(cycle.lever, in: &levers)
        first = first ?? UTCTime(milliseconds: from)
        last = UTCTime(milliseconds: to)
    }

    private static func count(_ word: String?, in list: inout [(word: String, count: Int)]) {
        guard let word else { return }
        if let place = list.firstIndex(where: { $0.word == word }) {
            list[place].count += 1
        } else {
            list.append((word, 1))
        }
    }

    /// Gives a stretch of time to the hours and days it lies in.
    private mutating func spread(
        _ from: Int64, _ to: Int64, _ take: (inout Sum, _ seconds: Double) -> Void
    ) {
        var from = from
        while from < to {
            // Half-hour zones: the hour ends where the local clock says so.
            let offset = zone.offset(at: UTCTime(milliseconds: from))
            let local = from &+ offset
            let next = min(to, from &+ Self.hour &- (local % Self.hour + Self.hour) % Self.hour)
            count(at: from) { take(&$0, Double(next - from) / 1000) }
            from = next
        }
    }

    private mutating func count(at time: Int64, _ take: (inout Sum) -> Void) {
        let instant = UTCTime(milliseconds: time)
        let offset = zone.offset(at: instant)
        let local = time &+ offset
        let day = 24 * Self.hour
        let inDay = (local % day + day) % day
        take(&total)
        take(&hours[Int(inDay / Self.hour)])
        let begin = UTCTime(milliseconds: time - inDay)
        // Rows come in order; summer time moves the first instant of a day by an hour at most.
        let isSame = days.last.map { begin.milliseconds - $0.day.milliseconds < day / 2 } ?? false
        if !isSame { days.append((begin, Sum())) }
        take(&days[days.count - 1].sum)
    }
}
