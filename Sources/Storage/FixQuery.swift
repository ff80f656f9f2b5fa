public import GNSS

/// Which fixes a reader wants.
public struct FixQuery: Equatable, Sendable {
    /// From this time on.
    public var since: UTCTime?
    /// Up to and including this time.
    public var until: UTCTime?
    /// Only the newest that many of those that match, by recording order.
    public var last: Int?
    /// Whether rejected fixes are left out.
    public var keptOnly = true
    /// Only this segment.
    public var segment: Int32?
    /// Only this run.
    public var run: Int32?
    /// Only after this sequence.
    public var after: Int64 = 0
    /// Only kept positions inside, as received.
    public var bounds: StoredBounds?

    /// All kept fixes.
    public init() {}
}

extension FixQuery {
    /// The range of sequences to look at, `nil` when nothing can match.
    func range(in database: Database) throws(StoreError) -> ClosedRange<Int64>? {
        var from = max(try database.firstSequence() ?? 1, after &+ 1)
        var through = try database.newestSequence()
        func narrow(_ sql: String, _ number: Int32) throws(StoreError) {
            let statement = try Statement(sql, on: database)
            statement.bind(1, Int64(number))
            guard try statement.step(), let first = statement.optional(0) else {
                through = 0
                return
            }
            from = max(from, first)
            if let last = statement.optional(1) { through = min(through, last) }
        }
        if let segment {
            try narrow("SELECT first_sequence, last_sequence FROM segment WHERE id = ?", segment)
        }
        if let run {
            try narrow(
                """
                SELECT min(sequence), (SELECT min(sequence) - 1 FROM clock WHERE sequence >
                (SELECT max(sequence) FROM clock WHERE run = ?1)) FROM clock WHERE run = ?1
                """, run)
        }
        return from <= through ? from...through : nil
    }

    /// Whether a row is wanted, but for its segment.
    func admits(_ row: FixRow) -> Bool {
        if keptOnly || segment != nil || bounds != nil, !row.isKept { return false }
        if let bounds {
            let (latitude, longitude) = row.coarsePosition
            guard bounds.contains(Double(latitude) / 1e7, Double(longitude) / 1e7) else {
                return false
            }
        }
        guard since != nil || until != nil else { return true }
        guard let time = row.milliseconds else { return false }
        if let since, time < since.milliseconds { return false }
        if let until, time > until.milliseconds { return false }
        return true
    }

    func admits(_ record: RecordedFix) -> Bool {
        if keptOnly || bounds != nil, !record.flags.isKept { return false }
        if let bounds, !bounds.contains(record.fix.latitude, record.fix.longitude) { return false }
        if let segment, record.segment != segment { return false }
        if let since {
            guard let time = record.fix.time, time >= since else { return false }
        }
        if let until {
            guard let time = record.fix.time, time <= until else { return false }
        }
        return true
    }

    /// The kept fix with the latest time; the last one recorded when none has a date.
    static func latest(_ database: Database) throws(StoreError) -> RecordedFix? {
        let lastChunk = try database.number("SELECT max(id) FROM chunk") ?? -1
        let tail = (lastChunk &+ 1) << Schema.chunkShift
        var best: (time: Int64, sequence: Int64)?
        func scan(_ from: Int64, _ through: Int64) throws(StoreError) {
            let rows = try RowCursor(database, from: from, through: through)
            while let (sequence, row) = try rows.next() {
                guard row.isKept, let time = row.milliseconds else { continue }
                if time >= best?.time ?? .min { best = (time, sequence) }
            }
        }
        try scan(tail, .max)
        // Of full chunks only one that is later, or as late, may have it.
        let chunks = try Statement(
            "SELECT id, kept_to FROM chunk WHERE kept_to NOT NULL ORDER BY kept_to DESC, id DESC LIMIT 1",
            on: database)
        if try chunks.step(), chunks.number(1) > best?.time ?? .min {
            let first = chunks.number(0) << Schema.chunkShift
            try scan(first, first | Schema.chunkMask)
        }
        var found = best?.sequence
        if found == nil { found = try newestKept(database) }
        guard let found else { return nil }
        var records = try RecordCursor(database, from: found, through: found)
        return try records.next()
    }

    /// The kept fix that was recorded last, with a date or not.
    private static func newestKept(_ database: Database) throws(StoreError) -> Int64? {
        let plain = try database.number(
            "SELECT sequence FROM fix WHERE flags & 65535 = 0 ORDER BY sequence DESC LIMIT 1")
        guard plain == nil, database.hasBlocks,
            let block = try database.number(
                "SELECT id FROM block WHERE kept > 0 ORDER BY id DESC LIMIT 1")
        else { return plain }
        return try Sealing.rows(ofBlock: block, in: database).last { $0.row.isKept }?.sequence
    }
}
