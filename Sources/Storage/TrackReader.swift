public import GNSS
import Glibc

/// The track database, opened for reading while the daemon may be writing.
///
/// Each query sees one consistent state of the database. It reads databases of every earlier schema.
public final class TrackReader {
    /// The database.
    public let path: String
    /// Version of its schema.
    public let schema: Int
    let database: Database

    /// Opens a database for reading.
    public init(path: String) throws(StoreError) {
        self.path = path
        guard try StoreFile.refuseOtherKinds(path) else {
            throw StoreError(.cannotOpen, path: path, detail: "no such file")
        }
        database = try TrackReader.open(path)
        schema = Int(try database.number("PRAGMA user_version") ?? 0)
        guard schema > 0 else {
            throw StoreError(.notADatabase, path: path, detail: StoreError.empty)
        }
        guard schema <= Schema.version else {
            throw StoreError(.newerSchema(found: schema, supported: Schema.version), path: path)
        }
    }

    /// Opens beside a writer; when nobody writes and no shared memory file can be made, the file alone.
    ///
    /// Where it has a log that can then not be read, a copy of both: without its log it lacks the newest fixes.
    private static func open(_ path: String) throws(StoreError) -> Database {
        // The log lies beside the file that a link points to.
        let file = NewDatabase.resolved(path)
        try StoreFile.refuseOtherName(path)
        do {
            try StoreFile.inspect(path)
            let database = try Database(path: path, access: .readOnly)
            try database.execute("PRAGMA busy_timeout = 1000; PRAGMA cache_size = -1024")
            _ = try database.number("PRAGMA user_version")
            return database
        } catch {
            // A full disk gives no room for that file either.
            guard [.cannotOpen, .readOnly, .diskFull, .inputOutput].contains(error.kind),
                unsafe access(path, R_OK) == 0
            else { throw error }
            guard StoreFile.logs.contains(where: { StoreFile.size(of: file + $0) > 0 }) else {
                return try Database(path: path, access: .immutable)
            }
            let copy = try ReadingCopy.open(file)
            try StoreFile.inspect(copy)
            return copy
        }
    }

    /// Gives the wanted fixes in recording order, in bounded memory.
    ///
    /// The database is let go while the body works, so that a slow one holds no checkpoint up; what is recorded after
    /// the beginning is left out.
    ///
    /// - Parameter body: returns false to stop.
    public func fixes(
        _ query: FixQuery, _ body: (RecordedFix) -> Bool
    ) throws(StoreError) {
        let pieces = try snapshot { () throws(StoreError) -> [ClosedRange<Int64>] in
            try self.pieces(of: query)
        }
        var records: [RecordedFix] = []
        for piece in pieces {
            let parts = try snapshot { () throws(StoreError) -> [ClosedRange<Int64>] in
                try query.parts(of: piece, in: database)
            }
            for part in parts {
                var from = part.lowerBound
                while from <= part.upperBound {
                    let through = min(part.upperBound, from | FixQuery.batchMask)
                    records.removeAll(keepingCapacity: true)
                    try snapshot { () throws(StoreError) -> Void in
                        try read(query, from, through, into: &records)
                    }
                    for record in records { guard body(record) else { return } }
                    from = through + 1
                }
            }
        }
    }

    private func read(
        _ query: FixQuery, _ from: Int64, _ through: Int64, into records: inout [RecordedFix]
    ) throws(StoreError) {
        guard let part = try query.narrow(from...through, in: database) else { return }
        var cursor = try RecordCursor(
            database, from: part.lowerBound, through: part.upperBound)
        while let record = try cursor.next() {
            if query.admits(record) { records.append(record) }
        }
    }

    private func pieces(of query: FixQuery) throws(StoreError) -> [ClosedRange<Int64>] {
        guard var range = try query.range(in: database) else { return [] }
        if let last = query.last {
            guard let first = try start(ofLast: last, query, in: range) else { return [] }
            range = first...range.upperBound
        }
        return try query.pieces(of: range, in: database)
    }

    /// The same with the conditions as arguments.
    public func fixes(
        since: UTCTime? = nil, until: UTCTime? = nil, last: Int? = nil, keptOnly: Bool = true,
        segment: Int32? = nil, run: Int32? = nil, _ body: (RecordedFix) -> Bool
    ) throws(StoreError) {
        var query = FixQuery()
        query.since = since
        query.until = until
        query.last = last
        query.keptOnly = keptOnly
        query.segment = segment
        query.run = run
        try fixes(query, body)
    }

    /// The kept fix with the latest time.
    public func latest() throws(StoreError) -> RecordedFix? {
        try snapshot { () throws(StoreError) in try FixQuery.latest(database) }
    }

    /// Fixes by verdict.
    public func counts() throws(StoreError) -> FixCounts {
        try snapshot { () throws(StoreError) in try Ledger(of: database).counts }
    }

    /// Runs of kept fixes, in recording order.
    public func segments() throws(StoreError) -> [StoredSegment] {
        try snapshot { () throws(StoreError) in
            let open = try Ledger(of: database).segment
            let statement = try Statement(
                """
                SELECT id, first_sequence, last_sequence, fixes, time_from, time_to, south, west,
                north, east FROM segment ORDER BY first_sequence
                """, on: database)
            var segments: [StoredSegment] = []
            while try statement.step() {
                var summary = Ledger.Summary(statement, from: 3)
                let first = statement.number(1)
                var last = statement.optional(2)
                let lasts = last == nil
                if let open, open.first == first {
                    summary = open.summary
                    last = open.last
                }
                segments.append(
                    StoredSegment(
                        id: Int32(truncatingIfNeeded: statement.number(0)), first: first,
                        last: last ?? first, isOpen: lasts, fixes: summary.fixes,
                        begin: summary.timeFrom.map(UTCTime.init(milliseconds:)),
                        end: summary.timeTo.map(UTCTime.init(milliseconds:)),
                        bounds: summary.bounds))
            }
            return segments
        }
    }

    /// Holes in the track, in the order in which they ended.
    public func gaps() throws(StoreError) -> [Gap] {
        let statement = try Statement(
            "SELECT after_sequence, time_from, time_to, duration, reason FROM gap ORDER BY id",
            on: database)
        var gaps: [Gap] = []
        while try statement.step() {
            // A reason of a later version is not known here; the hole is there all the same.
            let reason = GapReason(rawValue: UInt8(clamping: statement.number(4))) ?? .noData
            gaps.append(
                Gap(
                    after: statement.optional(0),
                    begin: statement.optional(1).map(UTCTime.init(milliseconds:)),
                    end: statement.optional(2).map(UTCTime.init(milliseconds:)),
                    duration: statement.number(3), reason: reason))
        }
        return gaps
    }

    /// Receiver on-periods, in order.
    public func cycles() throws(StoreError) -> [StoredCycle] {
        let more = schema >= 3 ? "lever, start, heard" : "NULL, NULL, NULL"
        let statement = try Statement(
            """
            SELECT c.id, c.run, c.began, c.ended, began_because, ended_because, time_to_first_fix, fixes,
            kept, best_eph, \(more), \(Schema.cycleBegan)
            FROM cycle c LEFT JOIN run r ON r.id = c.run ORDER BY c.id
            """, on: database)
        var cycles: [StoredCycle] = []
        while try statement.step() {
            var cycle = Cycle(began: statement.number(2), because: statement.text(4) ?? "")
            cycle.ended = statement.optional(3)
            cycle.endedBecause = statement.text(5)
            cycle.timeToFirstFix = statement.optional(6)
            cycle.fixes = statement.number(7)
            cycle.kept = statement.number(8)
            cycle.bestEPH = statement.optional(9).map { Double($0) / 1000 }
            cycle.lever = statement.text(10)
            cycle.start = statement.text(11)
            cycle.heard = statement.optional(12).map { Int(clamping: $0) }
            cycles.append(
                StoredCycle(
                    id: statement.number(0), run: Int32(truncatingIfNeeded: statement.number(1)),
                    cycle: cycle,
                    time: statement.optional(13).map(UTCTime.init(milliseconds:))))
        }
        return cycles
    }

    /// Starts of the daemon, in order.
    public func runs() throws(StoreError) -> [StoredRun] {
        try runs("ORDER BY id")
    }

    /// The last start of the daemon; `nil` when it never recorded.
    func lastRun() throws(StoreError) -> StoredRun? {
        try runs("ORDER BY id DESC LIMIT 1").first
    }

    private func runs(_ tail: String) throws(StoreError) -> [StoredRun] {
        let statement = try Statement(
            """
            SELECT id, boot_id, started, started_boot, source, config, version, ended FROM run
            \(tail)
            """, on: database)
        var runs: [StoredRun] = []
        while try statement.step() {
            let run = Run(
                bootID: statement.text(1) ?? "",
                started: UTCTime(milliseconds: statement.number(2)),
                startedBoot: statement.number(3), source: statement.text(4) ?? "",
                configuration: statement.text(5) ?? "", version: statement.text(6) ?? "")
            runs.append(
                StoredRun(
                    id: Int32(truncatingIfNeeded: statement.number(0)), run: run,
                    ended: statement.text(7)))
        }
        return runs
    }

    /// What a correction's number stands for.
    public func correction(_ id: Int32) throws(StoreError) -> (digest: String, text: String)? {
        let statement = try Statement(
            "SELECT digest, text FROM correction WHERE id = ?", on: database)
        statement.bind(1, Int64(id))
        guard try statement.step() else { return nil }
        return (statement.text(0) ?? "", statement.text(1) ?? "")
    }

    /// The greatest sequence; 0 when nothing is stored.
    public func newestSequence() throws(StoreError) -> Int64 {
        try database.newestSequence()
    }

    /// Looks at every page; what is wrong, a line each, nothing for a sound file.
    public func check() throws(StoreError) -> [String] {
        let statement = try Statement("PRAGMA integrity_check", on: database)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(0) ?? "") }
        return lines == ["ok"] ? [] : lines
    }

    /// Bytes of the file and its write-ahead log.
    public var sizeOnDisk: Int64 {
        StoreFile.size(NewDatabase.resolved(path))
    }

    /// Runs several queries on one state of the database.
    func snapshot<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try database.execute("BEGIN")
        defer { try? database.execute("COMMIT") }
        return try body()
    }
}
