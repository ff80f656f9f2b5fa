import GNSS

/// Goes through whole records of a range of sequences in recording order, in constant memory.
///
/// The side tables have the same order, so each is walked along beside `fix` rather than looked up.
struct RecordCursor: ~Copyable {
    private var rows: RowCursor
    private var details: SideCursor
    private var corrections: SideCursor
    private var clocks: SideCursor
    private var segments: SideCursor
    private var clock = ClockPair()
    private var segment: (id: Int32, last: Int64) = (0, 0)
    private var origins: OriginCursor?

    init(_ database: Database, from: Int64, through: Int64) throws(StoreError) {
        let rows = try RowCursor(database, from: from, through: through)
        let columns = DetailRow.columns.map(\.name).joined(separator: ", ")
        let details = try SideCursor(
            """
            SELECT sequence, \(columns) FROM detail WHERE sequence BETWEEN ?1 AND ?2
            ORDER BY sequence
            """, database, from, through)
        let corrections = try SideCursor(
            """
            SELECT sequence, lat, lon, alt_msl, alt_hae, correction FROM corrected
            WHERE sequence BETWEEN ?1 AND ?2 ORDER BY sequence
            """, database, from, through)
        let clocks = try SideCursor(
            """
            SELECT sequence, run, boot, time FROM clock WHERE sequence <= ?2 AND sequence >=
            coalesce((SELECT max(sequence) FROM clock WHERE sequence <= ?1), 0) ORDER BY sequence
            """, database, from, through)
        let segments = try SideCursor(
            """
            SELECT first_sequence, id, last_sequence FROM segment
            WHERE first_sequence <= ?2 AND first_sequence >=
            coalesce((SELECT max(first_sequence) FROM segment WHERE first_sequence <= ?1), 0)
            ORDER BY first_sequence
            """, database, from, through)
        origins = try OriginCursor(database, from, through)
        self.rows = rows
        self.details = details
        self.corrections = corrections
        self.clocks = clocks
        self.segments = segments
    }

    /// The next record; `nil` at the end of the range.
    mutating func next() throws(StoreError) -> RecordedFix? {
        guard let (sequence, row) = try rows.next() else { return nil }
        while let head = clocks.head, head <= sequence {
            clock = ClockPair(
                run: Int32(truncatingIfNeeded: clocks.statement.number(1)),
                boot: clocks.statement.number(2), time: clocks.statement.optional(3))
            try clocks.advance()
        }
        while let head = segments.head, head <= sequence {
            segment = (
                Int32(truncatingIfNeeded: segments.statement.number(1)),
                segments.statement.optional(2) ?? .max
            )
            try segments.advance()
        }
        let sealed = rows.sealed
        var detail = sealed?.detail
        if try details.reaches(sequence) {
            var found = DetailRow()
            for (index, column) in DetailRow.columns.enumerated() {
                found[keyPath: column.path] = details.statement.optional(Int32(index) + 1)
            }
            detail = found
        }
        var record = row.record(clock: clock, detail: detail)
        record.sequence = sequence
        record.run = clock.run
        if record.flags.isKept, sequence <= segment.last { record.segment = segment.id }
        record.corrected = sealed?.corrected?.position
        if try corrections.reaches(sequence) {
            record.corrected = corrections.statement.correctedPosition
        }
        record.origin = try origins?.id(of: sequence)
        return record
    }
}

/// A query beside table `fix`, whose first column is a sequence, one row ahead.
private struct SideCursor: ~Copyable {
    let statement: Statement
    /// Sequence of the row at hand; `nil` after the last.
    private(set) var head: Int64?

    init(
        _ sql: String, _ database: Database, _ from: Int64, _ through: Int64
    ) throws(StoreError) {
        let statement = try Statement(sql, on: database)
        statement.bind(1, from)
        statement.bind(2, through)
        let head = try statement.step() ? statement.number(0) : nil
        self.statement = statement
        self.head = head
    }

    mutating func advance() throws(StoreError) {
        head = try statement.step() ? statement.number(0) : nil
    }

    /// Goes on to a sequence; whether it has a row.
    mutating func reaches(_ sequence: Int64) throws(StoreError) -> Bool {
        while let head, head < sequence { try advance() }
        return head == sequence
    }
}

extension Statement {
    /// The row of table `corrected` at hand, its sequence first.
    fileprivate var correctedPosition: CorrectedPosition {
        CorrectedPosition(
            latitude: Double(number(1)) / 1e9, longitude: Double(number(2)) / 1e9,
            altitudeMSL: optional(3).map { Double($0) / 1000 },
            altitudeHAE: optional(4).map { Double($0) / 1000 },
            correction: Int32(truncatingIfNeeded: number(5)))
    }
}

extension CorrectedRow {
    fileprivate var position: CorrectedPosition {
        CorrectedPosition(
            latitude: Double(latitude) / 1e9, longitude: Double(longitude) / 1e9,
            altitudeMSL: altitudeMSL.map { Double($0) / 1000 },
            altitudeHAE: altitudeHAE.map { Double($0) / 1000 },
            correction: Int32(truncatingIfNeeded: correction))
    }
}
