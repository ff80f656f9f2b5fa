import GNSS

/// Looks a time up without going through the fixes before or after it.
struct Explainer {
    let database: Database
    /// Parts of the hole that lasts; what the database says of them is older.
    var lasting: [Gap] = []

    func explain(_ time: UTCTime) throws(StoreError) -> Explanation {
        var answer = Explanation()
        answer.before = try record(try neighbour(before: true, time.milliseconds))
        answer.after = try record(try neighbour(before: false, time.milliseconds))
        guard !answer.isRecorded else { return answer }
        if let before = answer.before { answer.gaps = try gaps(after: before.sequence) }
        answer.reasons = answer.gaps.enumerated().map { index, gap in
            let isLast = index == answer.gaps.count - 1
            return Explanation.Reason(
                gap.reason, begin: gap.begin, end: gap.end ?? (isLast ? nil : gap.toldUntil))
        }
        var spans = try spans(in: answer)
        // The receiver's periods know nothing of what people ask for.
        for gap in answer.gaps where gap.reason == .paused || gap.reason == .privateZone {
            spans = spans.flatMap { $0.without(gap) }
        }
        // A run that was cut off never said when its last period ended.
        if let down = answer.gaps.first(where: { $0.reason == .notRunning })?.begin {
            for index in spans.indices where spans[index].end == nil { spans[index].end = down }
            spans.removeAll { span in span.begin.map { $0 >= down && span.end == down } ?? false }
        }
        // A hole has one reason; where the receiver's own periods are known they tell more.
        answer.reasons.removeAll { known in
            spans.contains { $0.reason == known.reason && $0.overlaps(known) }
        }
        answer.reasons += spans
        let rejected = try rejections(in: answer)
        // What was rejected tells more than that some were; what the policy passed over is no rejection.
        answer.reasons.removeAll { known in
            (known.reason == .rejected || known.reason == .passedOver)
                && rejected.contains { $0.reason == known.reason && $0.overlaps(known) }
        }
        answer.reasons += rejected
        if let end = try stopped(answer) { answer.reasons.append(end) }
        answer.reasons = answer.reasons.enumerated().sorted {
            let (a, b) = ($0.element.begin ?? .distantPast, $1.element.begin ?? .distantPast)
            return a == b ? $0.offset < $1.offset : a < b
        }.map(\.element)
        return answer
    }

    /// The kept fix next to a time, on one side of it or at it.
    ///
    /// It is among those that no chunk sums up yet, in a chunk that the time lies in, or in that which ends or begins
    /// next to it: tracks are recorded in any order.
    private func neighbour(before: Bool, _ time: Int64) throws(StoreError) -> Int64? {
        let tail = (try database.number("SELECT max(id) FROM chunk") ?? -1) &+ 1
        var found: (sequence: Int64, time: Int64)?
        func look(_ range: ClosedRange<Int64>) throws(StoreError) {
            let rows = try RowCursor(database, from: range.lowerBound, through: range.upperBound)
            while let (sequence, row) = try rows.next() {
                guard row.isKept, let at = row.milliseconds, before ? at <= time : at >= time
                else { continue }
                // Of fixes of one time those next to the other side: the newest before, the first after.
                guard let best = found?.time else {
                    found = (sequence, at)
                    continue
                }
                if before ? at >= best : at < best { found = (sequence, at) }
            }
        }
        let chunks = try Statement(
            before
                ? """
                SELECT id FROM chunk WHERE kept_from <= ?1 AND kept_to >= ?1
                UNION SELECT id FROM (SELECT id FROM chunk WHERE kept_to < ?1
                ORDER BY kept_to DESC LIMIT 1) ORDER BY id
                """
                : """
                SELECT id FROM chunk WHERE kept_from <= ?1 AND kept_to >= ?1
                UNION SELECT id FROM (SELECT id FROM chunk WHERE kept_from > ?1
                ORDER BY kept_from, id LIMIT 1) ORDER BY id
                """, on: database)
        chunks.bind(1, time)
        while try chunks.step() { try look(ChunkRow.range(chunks.number(0))) }
        try look(tail << Schema.chunkShift...Int64.max)
        return found?.sequence
    }

    private func record(_ sequence: Int64?) throws(StoreError) -> RecordedFix? {
        guard let sequence else { return nil }
        var records = try RecordCursor(database, from: sequence, through: sequence)
        return try records.next()
    }

    /// That nothing runs since the end of the last run, which was live.
    private func stopped(_ answer: Explanation) throws(StoreError) -> Explanation.Reason? {
        guard answer.after == nil, let before = answer.before, lasting.isEmpty else { return nil }
        let run = try Statement(
            "SELECT ended, source FROM run ORDER BY id DESC LIMIT 1", on: database)
        guard try run.step(), run.text(0) != nil, run.text(1)?.hasPrefix("gpsd ") == true
        else { return nil }
        let since = answer.gaps.last.map { $0.end ?? $0.toldUntil } ?? before.fix.time
        return Explanation.Reason(.notRunning, begin: since)
    }

    private func gaps(after sequence: Int64) throws(StoreError) -> [Gap] {
        let rows = try Statement(
            """
            SELECT time_from, time_to, duration, reason FROM gap WHERE after_sequence = ?
            ORDER BY id
            """, on: database)
        rows.bind(1, sequence)
        var gaps: [Gap] = []
        if let first = lasting.first, first.after == sequence {
            // What runs before this one have noted.
            let begin = first.begin ?? .distantPast
            while try rows.step() {
                let gap = gap(rows, sequence)
                if let from = gap.begin, from < begin { gaps.append(gap) }
            }
            return gaps + lasting
        }
        while try rows.step() { gaps.append(gap(rows, sequence)) }
        return gaps
    }

    private func gap(_ rows: borrowing Statement, _ sequence: Int64) -> Gap {
        Gap(
            after: sequence, begin: rows.optional(0).map(UTCTime.init(milliseconds:)),
            end: rows.optional(1).map(UTCTime.init(milliseconds:)),
            duration: rows.number(2),
            reason: GapReason(rawValue: UInt8(clamping: rows.number(3))) ?? .noData)
    }

    // MARK: The receiver's periods

    /// When the receiver was off, and when it was on for nothing.
    private func spans(in answer: Explanation) throws(StoreError) -> [Explanation.Reason] {
        var spans: [Explanation.Reason] = []
        if let before = answer.before {
            let until = answer.after?.run == before.run ? answer.after?.receivedAt : nil
            spans += try periods(before, from: before.receivedAt, until: until)
        }
        if let after = answer.after, let before = answer.before, after.run != before.run {
            spans += try periods(after, from: .min, until: after.receivedAt)
        }
        return spans
    }

    /// - Parameter fix: one of the run, whose two clocks are known.
    private func periods(
        _ fix: RecordedFix, from: Int64, until: Int64?
    ) throws(StoreError) -> [Explanation.Reason] {
        guard let time = fix.fix.time else { return [] }
        func utc(_ boot: Int64) -> UTCTime {
            UTCTime(milliseconds: time.milliseconds &+ (boot &- fix.receivedAt))
        }
        let rows = try Statement(
            """
            SELECT began, ended, began_because, ended_because, kept FROM cycle
            WHERE id >= ?1 AND run = ?2 AND began <= ?3 ORDER BY id LIMIT 1000
            """, on: database)
        rows.bind(1, try firstCycle(run: Int64(fix.run), endedAfter: from))
        rows.bind(2, Int64(fix.run))
        rows.bind(3, until ?? .max)
        var spans: [Explanation.Reason] = []
        var off: (since: Int64, because: String)?
        while try rows.step() {
            let (began, ended) = (rows.number(0), rows.optional(1))
            let why = rows.text(3) ?? ""
            if let off {
                spans.append(
                    .init(
                        Explainer.reason(off: off.because), begin: utc(off.since), end: utc(began),
                        detail: "off after \(off.because), on for \(rows.text(2) ?? "")"))
            }
            guard let ended else { break }
            if rows.number(4) == 0, let reason = Explainer.reason(on: why) {
                spans.append(
                    .init(reason, begin: utc(began), end: utc(ended), detail: "on until \(why)"))
            }
            off = why == "stop" ? nil : (ended, why)
        }
        if let off, until == nil {
            spans.append(
                .init(
                    Explainer.reason(off: off.because), begin: utc(off.since),
                    detail: "off after \(off.because)"))
        }
        return spans
    }

    /// The first cycle of a run that ended after a moment: they are in order, so halving finds it.
    private func firstCycle(run: Int64, endedAfter moment: Int64) throws(StoreError) -> Int64 {
        var low = try database.number("SELECT min(id) FROM cycle") ?? 0
        var high = (try database.number("SELECT max(id) FROM cycle") ?? 0) &+ 1
        let row = try Statement(
            "SELECT run, coalesce(ended, ?2) FROM cycle WHERE id >= ?1 ORDER BY id LIMIT 1",
            on: database)
        while low < high {
            let middle = low + (high - low) / 2
            row.bind(1, middle)
            row.bind(2, Int64.max)
            let isBefore =
                try row.step() && (row.number(0), row.number(1)) < (run, moment)
            row.reset()
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func reason(off why: String) -> GapReason {
        switch why {
        case "paused": .paused
        case "source_lost": .sourceLost
        default: .asleep
        }
    }

    private static func reason(on why: String) -> GapReason? {
        switch why {
        case "timeout", "false_alarm": .noSky
        case "no_data": .receiverSilent
        case "source_lost": .sourceLost
        default: nil
        }
    }

    /// What a run did after its last kept fix: its open hole, else its last periods and rejected fixes.
    func leave(after record: RecordedFix) throws(StoreError) -> Leave? {
        guard let time = record.fix.time else { return nil }
        if let noted = try gaps(after: record.sequence).last {
            return (noted.end ?? noted.toldUntil).map { Leave(until: $0, reason: nil) }
        }
        let spans = try periods(record, from: record.receivedAt, until: nil)
        var leave = (spans.last.flatMap { $0.end ?? $0.begin }).map { until in
            var spent: [GapReason: Int64] = [:]
            for span in spans {
                guard let begin = span.begin, let end = span.end else { continue }
                spent[span.reason, default: 0] &+= end - begin
            }
            let most = spent.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
            return Leave(until: until, reason: most?.key ?? .noSky)
        }
        if let newest = try self.record(try database.newestSequence()), newest.run == record.run {
            let until = UTCTime(
                milliseconds: time.milliseconds &+ (newest.receivedAt &- record.receivedAt))
            if until > leave?.until ?? time {
                leave = Leave(until: until, reason: leave?.reason ?? .rejected)
            }
        }
        return leave
    }

    // MARK: Rejected fixes

    private func rejections(in answer: Explanation) throws(StoreError) -> [Explanation.Reason] {
        let rows = try RowCursor(
            database, from: (answer.before?.sequence ?? 0) + 1,
            through: (answer.after?.sequence ?? .max) - 1)
        var reasons: [Explanation.Reason] = []
        while let (_, row) = try rows.next() {
            guard
                let name = FixFlags(rawValue: UInt32(truncatingIfNeeded: row.flags)).reason?.names
                    .first
            else { continue }
            let time = row.milliseconds.map(UTCTime.init(milliseconds:))
            // One that came late says nothing of the time after it.
            if let time, let last = answer.before?.fix.time, time < last { continue }
            if let index = reasons.firstIndex(where: { $0.detail == name }) {
                reasons[index].count = (reasons[index].count ?? 0) + 1
                reasons[index].begin = [reasons[index].begin, time].compactMap(\.self).min()
                reasons[index].end = [reasons[index].end, time].compactMap(\.self).max()
            } else {
                let reason = name == "passed_over" ? GapReason.passedOver : .rejected
                reasons.append(.init(reason, begin: time, end: time, detail: name, count: 1))
            }
        }
        return reasons
    }
}

extension Explanation.Reason {
    /// Whether both held at a time.
    fileprivate func overlaps(_ other: Self) -> Bool {
        (begin ?? .distantPast) < (other.end ?? .distantFuture)
            && (other.begin ?? .distantPast) < (end ?? .distantFuture)
    }

    /// What is left of it beside a hole that has another reason.
    fileprivate func without(_ gap: Gap) -> [Self] {
        guard let from = gap.begin, overlaps(Self(gap.reason, begin: from, end: gap.end)) else {
            return [self]
        }
        let to = gap.end ?? .distantFuture
        var (left, right) = (self, self)
        left.end = from
        right.begin = to
        return [
            (begin ?? .distantPast) < from ? left : nil, to < (end ?? .distantFuture) ? right : nil,
        ].compactMap(\.self)
    }
}

extension UTCTime {
    fileprivate static let distantPast = UTCTime(milliseconds: .min)
    fileprivate static let distantFuture = UTCTime(milliseconds: .max)
}
