/// Goes through fixes in recording order, those in table `fix` and those that are sealed.
final class RowCursor {
    private let statement: Statement
    private let blocks: SealedCursor?
    private var pending: (sequence: Int64, row: FixRow)?
    private var hasBegun = false
    /// The row that was given last with its rows of the side tables, when it came out of a block.
    private(set) var sealed: SealedRow?

    init(_ database: Database, from: Int64, through: Int64) throws(StoreError) {
        statement = try RowCursor.rows("ASC", database, from, through)
        blocks = try SealedCursor(database, from: from, through: through)
    }

    /// From the newest to the oldest; `nil` when some of them are sealed.
    init?(newestFirst database: Database, from: Int64, through: Int64) throws(StoreError) {
        guard try !database.hasBlocks(from: from, through: through) else { return nil }
        statement = try RowCursor.rows("DESC", database, from, through)
        blocks = nil
    }

    private static func rows(
        _ order: String, _ database: Database, _ from: Int64, _ through: Int64
    ) throws(StoreError) -> Statement {
        let statement = try Statement(
            """
            SELECT sequence, time, ms_lag, lat, lon, heights, speed_course, dop, eph_epv_climb,
            eps_epc_ept, quality, flags FROM fix WHERE sequence BETWEEN ?1 AND ?2
            ORDER BY sequence \(order)
            """, on: database)
        statement.bind(1, from)
        statement.bind(2, through)
        return statement
    }

    func next() throws(StoreError) -> (sequence: Int64, row: FixRow)? {
        guard let blocks else { return try step() }
        if !hasBegun {
            hasBegun = true
            pending = try step()
        }
        sealed = nil
        if let head = blocks.head, head.sequence < pending?.sequence ?? .max {
            sealed = head
            try blocks.advance()
            return (head.sequence, head.row)
        }
        guard let row = pending else { return nil }
        pending = try step()
        return row
    }

    private func step() throws(StoreError) -> (sequence: Int64, row: FixRow)? {
        guard try statement.step() else { return nil }
        var row = FixRow()
        row.time = statement.optional(1)
        row.millisecondsAndLag = statement.number(2)
        row.latitude = statement.number(3)
        row.longitude = statement.number(4)
        row.heights = statement.optional(5)
        row.speedAndCourse = statement.optional(6)
        row.dop = statement.optional(7)
        row.ephEpvClimb = statement.optional(8)
        row.epsEpcEpt = statement.optional(9)
        row.quality = statement.number(10)
        row.flags = statement.number(11)
        return (statement.number(0), row)
    }
}

extension Database {
    /// The least sequence, sealed ones included; `nil` when nothing is stored.
    func firstSequence() throws(StoreError) -> Int64? {
        let plain = try number("SELECT min(sequence) FROM fix")
        // The order of the numbers of blocks is that of their sequences; looking at all takes a page each.
        guard hasBlocks,
            let sealed = try number("SELECT first_sequence FROM block ORDER BY id LIMIT 1")
        else { return plain }
        return min(plain ?? sealed, sealed)
    }

    /// The greatest sequence, sealed ones included; 0 when nothing is stored.
    func newestSequence() throws(StoreError) -> Int64 {
        let plain = try number("SELECT max(sequence) FROM fix") ?? 0
        guard hasBlocks else { return plain }
        let sealed = try number("SELECT last_sequence FROM block ORDER BY id DESC LIMIT 1")
        return max(plain, sealed ?? 0)
    }
}
