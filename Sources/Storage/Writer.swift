import GNSS

/// A connection that writes: the statements, and the sums they keep.
///
/// It lives from one failure to the next; ``TrackStore`` makes another and gives it the records again.
final class Writer {
    let database: Database
    /// The file that it writes to, and its write-ahead log.
    let file: FileID?
    let log: FileID?
    private(set) var ledger: Ledger
    /// The pairing of clocks that holds for the next fix.
    private var clock = ClockPair()
    /// The greatest sequence in the file, durable or not.
    private(set) var newest: Int64
    private var inTransaction = false
    /// Rows of `fix` that wait to go in together, which halves what a row costs.
    private var rows: [(sequence: Int64, row: FixRow)] = []

    /// Rows of a statement; more gain little.
    private static let rowsTogether = 8

    private let insertFix: Statement
    private let insertFixes: Statement
    private let insertDetail: Statement
    private let insertCorrected: Statement
    private let insertClock: Statement
    private let putSegment: Statement
    private let putChunk: Statement
    private let putTally: Statement
    private let sumGroup: ChunkGroups
    private let begin: Statement
    private let end: Statement

    /// Takes over an opened database of the current schema.
    init(_ database: Database) throws(StoreError) {
        self.database = database
        ledger = try Ledger(of: database)
        newest = try database.newestSequence()
        func prepare(_ sql: String) throws(StoreError) -> Statement {
            try Statement(sql, on: database)
        }
        func places(_ columns: Int) -> String {
            "(" + repeatElement("?", count: columns).joined(separator: ",") + ")"
        }
        func insert(_ table: String, _ columns: Int) throws(StoreError) -> Statement {
            try prepare("INSERT OR REPLACE INTO \(table) VALUES \(places(columns))")
        }
        let together = repeatElement(places(12), count: Writer.rowsTogether)
        insertFix = try prepare("INSERT INTO fix VALUES \(places(12))")
        // A conflict is a bug; rolling back spares the statement a journal of its own.
        insertFixes = try prepare(
            "INSERT OR ROLLBACK INTO fix VALUES \(together.joined(separator: ","))")
        insertDetail = try insert("detail", DetailRow.columns.count + 1)
        insertCorrected = try insert("corrected", 6)
        insertClock = try insert("clock", 4)
        putSegment = try insert("segment", 10)
        putChunk = try insert("chunk", 11)
        putTally = try insert("tally", 2)
        sumGroup = try ChunkGroups(database)
        begin = try prepare("BEGIN IMMEDIATE")
        end = try prepare("COMMIT")
        let clocks = try prepare("SELECT run, boot, time FROM clock ORDER BY sequence DESC LIMIT 1")
        if try clocks.step() {
            clock = ClockPair(
                run: Int32(truncatingIfNeeded: clocks.number(0)), boot: clocks.number(1),
                time: clocks.optional(2))
        }
        file = FileID(database.path)
        log = FileID(database.path + "-wal")
    }

    /// Starts a transaction unless one is open.
    func ensureTransaction() throws(StoreError) {
        guard !inTransaction else { return }
        try begin.run()
        inTransaction = true
    }

    /// Makes everything since the last commit durable.
    func commit() throws(StoreError) {
        guard inTransaction else { return }
        try insertRows()
        try end.run()
        inTransaction = false
    }

    /// Writes a fix with its sequence, run and database-wide segment.
    func write(_ record: RecordedFix) throws(StoreError) {
        try ensureTransaction()
        let sequence = record.sequence
        if ledger.chunk != sequence >> Schema.chunkShift {
            try completeChunk()
            if let full = ledger.chunk,
                full >> Schema.groupShift != sequence >> (Schema.chunkShift + Schema.groupShift)
            {
                try sumGroup.run(full >> Schema.groupShift)
            }
            ledger.begin(chunk: sequence >> Schema.chunkShift)
        }
        if clock.run != record.run || clock.isOutdated(for: record) {
            try pairClocks(record)
        }
        if record.flags.isKept, record.segment != ledger.segment?.id ?? 0 {
            try beginSegment(record.segment, at: sequence)
        }
        var detail = DetailRow()
        let row = FixRow(record, clock: clock, detail: &detail)
        rows.append((sequence, row))
        if rows.count == Writer.rowsTogether { try insertRows() }
        if !detail.isEmpty {
            insertDetail.bind(1, sequence)
            for (index, column) in DetailRow.columns.enumerated() {
                insertDetail.bind(Int32(index) + 2, detail[keyPath: column.path])
            }
            try insertDetail.run()
        }
        if let corrected = record.corrected { try write(corrected, sequence) }
        ledger.add(row, sequence: sequence)
        newest = sequence
    }

    /// Puts the rows that wait into the table.
    func insertRows() throws(StoreError) {
        if rows.count == Writer.rowsTogether {
            for (index, row) in rows.enumerated() {
                row.row.bind(insertFixes, after: Int32(index) * 12, row.sequence)
            }
            try insertFixes.run()
        } else {
            for row in rows {
                row.row.bind(insertFix, after: 0, row.sequence)
                try insertFix.run()
            }
        }
        rows.removeAll(keepingCapacity: true)
    }

    /// Ends the segment that lasts, if any.
    func endSegment() throws(StoreError) {
        guard let segment = ledger.segment else { return }
        try ensureTransaction()
        try put(segment, last: segment.last)
        ledger.segment = nil
    }

    /// The segment that the track ends with, which has ended.
    func lastSegment() throws(StoreError) -> Ledger.OpenSegment? {
        let statement = try Statement(
            """
            SELECT id, first_sequence, last_sequence FROM segment ORDER BY first_sequence DESC
            LIMIT 1
            """, on: database)
        guard try statement.step(), let last = statement.optional(2) else { return nil }
        return Ledger.OpenSegment(
            id: Int32(truncatingIfNeeded: statement.number(0)), first: statement.number(1),
            last: last)
    }

    /// Lets a segment that has ended last on: its sums are then as of the last full chunk.
    func reopen(_ segment: Ledger.OpenSegment) throws(StoreError) {
        try ensureTransaction()
        var segment = segment
        let tail =
            ((try database.number("SELECT max(id) FROM chunk") ?? -1) + 1) << Schema.chunkShift
        if segment.first < tail {
            let rows = try RowCursor(
                database, from: segment.first, through: min(segment.last, tail - 1))
            while let (_, row) = try rows.next() {
                guard row.isKept else { continue }
                let (latitude, longitude) = row.coarsePosition
                segment.summary.add(
                    time: row.milliseconds, latitude: latitude, longitude: longitude)
            }
        }
        try put(segment, last: nil)
        ledger = try Ledger(of: database)
    }

    private func write(
        _ corrected: CorrectedPosition, _ sequence: Int64
    ) throws(StoreError) {
        insertCorrected.bind(1, sequence)
        insertCorrected.bind(2, scaled(corrected.latitude, 1e9) ?? 0)
        insertCorrected.bind(3, scaled(corrected.longitude, 1e9) ?? 0)
        insertCorrected.bind(4, scaled(corrected.altitudeMSL, 1000))
        insertCorrected.bind(5, scaled(corrected.altitudeHAE, 1000))
        insertCorrected.bind(6, Int64(corrected.correction))
        try insertCorrected.run()
    }

    private func pairClocks(_ record: RecordedFix) throws(StoreError) {
        clock = ClockPair(
            run: record.run, boot: record.receivedAt, time: record.fix.time?.milliseconds)
        insertClock.bind(1, record.sequence)
        insertClock.bind(2, Int64(clock.run))
        insertClock.bind(3, clock.boot)
        insertClock.bind(4, clock.time)
        try insertClock.run()
    }

    private func beginSegment(_ id: Int32, at sequence: Int64) throws(StoreError) {
        try endSegment()
        guard id != 0 else { return }
        let segment = Ledger.OpenSegment(id: id, first: sequence, last: sequence)
        try put(segment, last: nil)
        ledger.segment = segment
    }

    private func put(_ segment: Ledger.OpenSegment, last: Int64?) throws(StoreError) {
        putSegment.bind(1, segment.first)
        putSegment.bind(2, last)
        putSegment.bind(3, Int64(segment.id))
        putSegment.bind(4, segment.summary.fixes)
        segment.summary.bind(putSegment, from: 5)
        try putSegment.run()
    }

    /// Writes the sums as of the end of the open chunk.
    private func completeChunk() throws(StoreError) {
        guard let chunk = ledger.chunk else { return }
        putChunk.bind(1, chunk)
        putChunk.bind(2, ledger.all.timeFrom)
        putChunk.bind(3, ledger.all.timeTo)
        ledger.kept.bind(putChunk, from: 4)
        putChunk.bind(10, ledger.all.fixes)
        putChunk.bind(11, ledger.kept.fixes)
        try putChunk.run()
        putTally.bind(1, 0)
        putTally.bind(2, ledger.counts.kept)
        try putTally.run()
        for (reason, count) in ledger.counts.reasons {
            putTally.bind(1, Int64(reason.rawValue))
            putTally.bind(2, count)
            try putTally.run()
        }
        if let segment = ledger.segment { try put(segment, last: nil) }
    }
}

extension FixRow {
    /// Binds the columns of the table after a parameter.
    func bind(
        _ statement: borrowing Statement, after base: Int32, _ sequence: Int64
    ) {
        statement.bind(base + 1, sequence)
        statement.bind(base + 2, time)
        statement.bind(base + 3, millisecondsAndLag)
        statement.bind(base + 4, latitude)
        statement.bind(base + 5, longitude)
        statement.bind(base + 6, heights)
        statement.bind(base + 7, speedAndCourse)
        statement.bind(base + 8, dop)
        statement.bind(base + 9, ephEpvClimb)
        statement.bind(base + 10, epsEpcEpt)
        statement.bind(base + 11, quality)
        statement.bind(base + 12, flags)
    }
}
