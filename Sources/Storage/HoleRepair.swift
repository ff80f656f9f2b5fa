import GNSS

/// Makes the rows of `gap` say what is left of the holes when a log was put into the midst of a track.
///
/// A run sees the holes of its own log alone. What others recorded within one of them, or it within theirs, leaves of the
/// row the parts in which no segment lies; where its segments and those of others meet without a row, there is one.
struct HoleRepair {
    let database: Database
    let run: Int32
    /// Holes that are shorter are none, milliseconds.
    let shortest: Int64

    /// A time without a break in which there are segments.
    private struct Stretch {
        var from: Int64
        var to: Int64
        /// The first fix of the segment that begins it, the last of the one that ends it.
        var first: Int64
        var last: Int64
    }

    /// A row of `gap`.
    private struct Row {
        var id: Int64
        var run: Int32
        var after: Int64
        var from: Int64
        var to: Int64
        var lasts: Bool
        /// `nil` for one of a later version.
        var reason: GapReason?
    }

    /// With nothing known of a source, a step up to this is taken for its interval, milliseconds.
    private static let slowest: Int64 = 120_000

    /// What has to be written for it.
    ///
    /// - Parameter nextID: gives the number of a row that is new.
    func entries(nextID: () -> Int64) throws(StoreError) -> [Entry] {
        guard let stretches = try stretches(), let first = stretches.first,
            let last = stretches.last
        else { return [] }
        var entries: [Entry] = []
        var left: [Row] = []
        var ahead = stretches[...]
        for row in try rows(from: first.from, until: last.to) {
            ahead = ahead.drop { $0.to <= row.from }
            guard let reason = row.reason, reason != .forgotten,
                let parts = parts(of: row, beside: ahead)
            else {
                left.append(row)
                continue
            }
            if parts.isEmpty { entries.append(.withdrawnGap(row.id)) }
            for (index, part) in parts.enumerated() {
                let id = index == 0 ? row.id : nextID()
                entries.append(.gap(id, run: row.run, gap(part, reason)))
            }
            left += parts
        }
        for (before, after) in zip(stretches, stretches.dropFirst()) {
            guard after.from - before.to > max(shortest, HoleRepair.slowest),
                try meets(before, after),
                !left.contains(where: { $0.from < after.from && $0.to > before.to })
            else { continue }
            let hole = Gap(
                after: before.last, begin: UTCTime(milliseconds: before.to),
                end: UTCTime(milliseconds: after.from), duration: after.from - before.to,
                reason: .noData)
            entries.append(.gap(nextID(), run: run, hole))
        }
        return entries
    }

    /// What of a row lies beside the track; `nil` when all of it does.
    private func parts(of row: Row, beside stretches: ArraySlice<Stretch>) -> [Row]? {
        var rest = row
        var parts: [Row] = []
        var isCut = false
        func add(until end: Int64) {
            let length = end - rest.from
            // However short: a line would lead through the zone.
            guard length > (row.reason == .privateZone ? 0 : shortest) else { return }
            parts.append(rest)
            parts[parts.count - 1].to = end
            parts[parts.count - 1].lasts = row.lasts && end == row.to
        }
        for stretch in stretches {
            guard stretch.from < row.to else { break }
            isCut = true
            add(until: max(stretch.from, rest.from))
            (rest.from, rest.after) = (stretch.to, stretch.last)
        }
        if rest.from < row.to { add(until: row.to) }
        return isCut ? parts : nil
    }

    private func gap(_ row: Row, _ reason: GapReason) -> Gap {
        Gap(
            after: row.after, begin: UTCTime(milliseconds: row.from),
            end: row.lasts ? nil : UTCTime(milliseconds: row.to), duration: row.to - row.from,
            reason: reason)
    }

    /// Where the segments lie among which the run recorded, with a neighbour on either side; `nil` where it kept nothing.
    private func stretches() throws(StoreError) -> [Stretch]? {
        guard
            let begin = try database.number(
                "SELECT min(sequence) FROM clock WHERE run = \(run)")
        else { return nil }
        let span = try Statement(
            """
            SELECT min(time_from), max(time_to) FROM segment WHERE last_sequence >= ?
            """, on: database)
        span.bind(1, begin)
        guard try span.step(), let from = span.optional(0), let to = span.optional(1) else {
            return nil
        }
        let rows = try Statement(
            """
            SELECT time_from, time_to, first_sequence, last_sequence FROM segment
            WHERE last_sequence NOT NULL AND time_from <= coalesce(
            (SELECT min(time_from) FROM segment WHERE time_from > ?2), ?2)
            AND time_to >= coalesce((SELECT max(time_to) FROM segment WHERE time_to < ?1), ?1)
            ORDER BY time_from
            """, on: database)
        rows.bind(1, from)
        rows.bind(2, to)
        var found: [Stretch] = []
        while try rows.step() {
            let next = Stretch(
                from: rows.number(0), to: rows.number(1), first: rows.number(2),
                last: rows.number(3))
            guard let end = found.last?.to, next.from <= end else {
                found.append(next)
                continue
            }
            guard next.to > end else { continue }
            found[found.count - 1].to = next.to
            found[found.count - 1].last = next.last
        }
        return found
    }

    /// Holes between two times, but for those that a segment goes on over.
    private func rows(from: Int64, until: Int64) throws(StoreError) -> [Row] {
        let rows = try Statement(
            """
            SELECT id, run, after_sequence, time_from, coalesce(time_to, time_from + duration),
            time_to IS NULL, reason FROM gap
            WHERE after_sequence NOT NULL AND time_from < ?2
            AND coalesce(time_to, time_from + duration) > ?1
            AND after_sequence >= coalesce((SELECT last_sequence FROM segment
            WHERE first_sequence <= after_sequence ORDER BY first_sequence DESC LIMIT 1), 0)
            ORDER BY time_from
            """, on: database)
        rows.bind(1, from)
        rows.bind(2, until)
        var found: [Row] = []
        while try rows.step() {
            found.append(
                Row(
                    id: rows.number(0), run: Int32(truncatingIfNeeded: rows.number(1)),
                    after: rows.number(2), from: rows.number(3), to: rows.number(4),
                    lasts: rows.number(5) == 1,
                    reason: GapReason(rawValue: UInt8(clamping: rows.number(6)))))
        }
        return found
    }

    /// Whether one of two stretches is the run's and the other is not.
    private func meets(_ before: Stretch, _ after: Stretch) throws(StoreError) -> Bool {
        let runs = try [before.last, after.first].map { (sequence) throws(StoreError) in
            try database.number(
                """
                SELECT run FROM clock WHERE sequence <= \(sequence) ORDER BY sequence DESC LIMIT 1
                """)
        }
        return runs[0] != runs[1] && runs.contains(Int64(run))
    }
}

extension TrackStore {
    /// Lets the rows of holes say what is left of them, now that the run has recorded all it had.
    func repairHoles(shortest: Int64) throws(StoreError) {
        guard let database = writer?.database else { return }
        let repair = HoleRepair(database: database, run: run, shortest: shortest)
        let entries = try repair.entries {
            ids.gap &+= 1
            return ids.gap
        }
        for entry in entries { put(entry) }
    }
}
