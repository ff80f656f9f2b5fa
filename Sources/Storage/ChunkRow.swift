/// A row of table `chunk`: what 1024 sequence numbers hold in sum.
struct ChunkRow: Equatable {
    var id: Int64
    /// Number and times of all fixes; a number of 0 with kept ones is unknown, as in version 1.
    var all = Ledger.Summary()
    /// Number, times and box of those kept.
    var kept = Ledger.Summary()

    /// The sequence numbers of it.
    var range: ClosedRange<Int64> {
        ChunkRow.range(id)
    }

    static func range(_ id: Int64) -> ClosedRange<Int64> {
        id << Schema.chunkShift...(id << Schema.chunkShift | Schema.chunkMask)
    }

    static let columns = """
        id, fixes, time_from, time_to, kept, kept_from, kept_to, south, west, north, east
        """

    /// Sums up nothing yet.
    init(id: Int64) {
        self.id = id
    }

    /// Reads ``columns``.
    init(_ statement: borrowing Statement) {
        id = statement.number(0)
        all.fixes = statement.number(1)
        all.timeFrom = statement.optional(2)
        all.timeTo = statement.optional(3)
        kept = Ledger.Summary(statement, from: 4)
    }

    mutating func add(_ row: FixRow) {
        all.fixes &+= 1
        all.widen(row.milliseconds)
        guard row.isKept else { return }
        let (latitude, longitude) = row.coarsePosition
        kept.add(time: row.milliseconds, latitude: latitude, longitude: longitude)
    }

    /// Writes it in the place of the row that is there; an empty one goes.
    func put(into database: Database) throws(StoreError) {
        guard all.fixes > 0 else {
            let delete = try Statement("DELETE FROM chunk WHERE id = ?", on: database)
            delete.bind(1, id)
            return try delete.run()
        }
        let put = try Statement(
            "INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", on: database)
        put.bind(1, id)
        put.bind(2, all.timeFrom)
        put.bind(3, all.timeTo)
        kept.bind(put, from: 4)
        put.bind(10, all.fixes)
        put.bind(11, kept.fixes)
        try put.run()
    }
}
