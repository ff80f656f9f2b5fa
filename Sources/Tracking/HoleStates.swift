import GNSS
import Scheduling

/// What was told of the time since the last kept fix: one state after the other, and what came in each.
struct HoleStates: Sendable {
    /// A stretch with one reason.
    struct Stretch: Equatable {
        var from: BootTime
        var to: BootTime
        var reason: GapReason

        var length: Int64 { to.milliseconds &- from.milliseconds }
    }

    private struct Part {
        /// What was told; `nil` while fixes were expected.
        var state: GapReason?
        var began: BootTime
        var noFixes = 0
        var rejections = 0
        var passedOver = 0

        /// Why there was no fix; `nil` when nothing came and nothing was told.
        var reason: GapReason? {
            if let state { return state }
            if rejections > 0, rejections >= noFixes, rejections >= passedOver { return .rejected }
            if passedOver > 0, passedOver >= noFixes { return .passedOver }
            return noFixes > 0 ? .noSky : nil
        }
    }

    /// Never empty; the last one lasts.
    private var parts: [Part]

    /// Shorter stretches are not told apart.
    private static let shortest = TimeSpan.seconds(10)
    /// More parts than a day of tries has; then the shortest are let go.
    private static let mostParts = 64

    init(from began: BootTime) {
        parts = [Part(began: began)]
    }

    /// Begins anew at a kept fix, in the state that holds.
    mutating func restart(at: BootTime) {
        if parts.count > 1 || isTold || parts[0].reason != nil {
            parts = [Part(state: parts[parts.count - 1].state, began: at)]
        } else {
            parts[0].began = at
        }
    }

    mutating func tell(_ reason: GapReason?, at: BootTime) {
        let last = parts[parts.count - 1]
        guard reason != last.state else { return }
        if at <= last.began, last.reason == nil || last.state != nil {
            parts[parts.count - 1].state = reason
        } else {
            parts.append(Part(state: reason, began: max(at, last.began)))
        }
        if parts.count > Self.mostParts { letShortestGo() }
    }

    mutating func noFix() { parts[parts.count - 1].noFixes += 1 }

    mutating func reject(_ flags: FixFlags) {
        if flags.reason == .passedOver {
            parts[parts.count - 1].passedOver += 1
        } else {
            parts[parts.count - 1].rejections += 1
        }
    }

    /// The reason that holds at the end; `nil` when nothing came and nothing was told.
    var present: GapReason? { parts[parts.count - 1].reason }

    /// Whether a state was told since the last kept fix, or lasts.
    var isTold: Bool {
        parts.count > 1 || parts[0].state != nil
    }

    /// Milliseconds for which such a state was told.
    func told(until: BootTime, _ isMeant: (GapReason) -> Bool) -> Int64 {
        var time: Int64 = 0
        for (index, part) in parts.enumerated() {
            guard let state = part.state, isMeant(state) else { continue }
            time &+= end(of: index, until).milliseconds &- part.began.milliseconds
        }
        return time
    }

    private func end(of index: Int, _ until: BootTime) -> BootTime {
        max(index + 1 < parts.count ? parts[index + 1].began : until, parts[index].began)
    }

    /// The reasons of the time until a moment, in order.
    ///
    /// - Parameters:
    ///   - silence: the reason of time in which nothing came and nothing was told.
    ///   - limit: a shorter stretch belongs to its longer neighbour; at least ``shortest``.
    func stretches(until: BootTime, silence: GapReason, limit: TimeSpan) -> [Stretch] {
        var found: [(stretch: Stretch, rank: Int)] = []
        for (index, part) in parts.enumerated() {
            let to = end(of: index, until)
            let reason = part.reason
            guard part.began < to else { continue }
            let stretch = Stretch(from: part.began, to: to, reason: reason ?? silence)
            // A line over a private zone must not be explained by anything else.
            let rank = reason == nil ? 0 : reason == .privateZone ? 2 : 1
            if let last = found.last, last.stretch.reason == stretch.reason {
                found[found.count - 1].stretch.to = to
                found[found.count - 1].rank = max(last.rank, rank)
            } else {
                found.append((stretch, rank))
            }
        }
        let limit = min(max(limit, Self.shortest).milliseconds, .max / 2)
        while found.count > 1 {
            let short = found.indices.filter {
                // A trouble is told some seconds after it began.
                found[$0].rank < 2
                    && found[$0].stretch.length <= (found[$0].rank == 0 ? 2 * limit : limit)
            }
            let weakest = short.min {
                let (a, b) = (found[$0], found[$1])
                return (a.rank, a.stretch.length) < (b.rank, b.stretch.length)
            }
            guard let index = weakest else { break }
            absorb(index, &found)
        }
        return found.map(\.stretch)
    }

    /// Makes room by joining the shortest part to the one before it.
    private mutating func letShortestGo() {
        // The last one lasts, the first has none before it.
        let index = (1..<parts.count - 1).min {
            end(of: $0, parts[$0].began).milliseconds - parts[$0].began.milliseconds
                < end(of: $1, parts[$1].began).milliseconds - parts[$1].began.milliseconds
        }
        guard let index else { return }
        parts.remove(at: index)
        guard index < parts.count - 1, parts[index].state == parts[index - 1].state else { return }
        parts.remove(at: index)
    }

    /// Gives a stretch to the longer of its neighbours, one of which nothing is known to that which came of it, and
    /// joins what then is one.
    private func absorb(_ index: Int, _ found: inout [(stretch: Stretch, rank: Int)]) {
        let (gone, rank) = found.remove(at: index)
        let before = index > 0 ? found[index - 1].stretch.length : -1
        let after = index < found.count ? found[index].stretch.length : -1
        if before >= after, rank > 0 || after < 0 {
            found[index - 1].stretch.to = gone.to
        } else {
            found[index].stretch.from = gone.from
        }
        guard index > 0, index < found.count,
            found[index - 1].stretch.reason == found[index].stretch.reason
        else { return }
        found[index - 1].stretch.to = found[index].stretch.to
        found[index - 1].rank = max(found[index - 1].rank, found[index].rank)
        found.remove(at: index)
    }
}
