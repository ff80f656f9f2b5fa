public import GNSS

/// Rows of an earlier run that go on in the midst of what this one records: a thinned log before the full one.
///
/// A segment is an unbroken run of rows, so such a fix is recorded anew among its neighbours and its old row goes, in
/// one transaction.
extension TrackStore {
    /// What the next commit has to weave in.
    struct Weaving {
        /// New sequences by the old ones.
        var moves: [Int64: Int64] = [:]
        /// Every old sequence of the run; none is moved twice.
        var moved: Set<Int64> = []
        /// Until when the holes behind a fix turned out to be filled.
        var filled: [Int64: UTCTime] = [:]

        var isEmpty: Bool { moves.isEmpty && filled.isEmpty }
    }

    /// Records a fix in the place of a row that it has already.
    @discardableResult
    public func append(_ record: RecordedFix, replacing old: Int64) -> Int64 {
        let new = append(record)
        weaving.moves[old] = new
        weaving.moved.insert(old)
        return new
    }

    /// Whether the row of a fix was replaced by this run.
    public func isReplaced(_ sequence: Int64) -> Bool {
        weaving.moved.contains(sequence)
    }

    /// Takes note that the track goes on without a hole from a fix that was there to another one.
    public func fill(holesAfter sequence: Int64, until time: UTCTime) {
        weaving.filled[sequence] = max(weaving.filled[sequence] ?? time, time)
    }

    /// Does what was asked for within the transaction that lasts, and ends it.
    func weave(_ writer: Writer) throws(StoreError) {
        guard !weaving.isEmpty else { return }
        try writer.ensureTransaction()
        try writer.insertRows()
        let database = writer.database
        try closeHoles(in: database)
        try follow(weaving.moves, "gap", "after_sequence", in: database)
        try follow(weaving.moves, "mark", "sequence", in: database)
        let removal = Removal(database: database, track: .goesOn)
        var chunk: Int64?
        for old in weaving.moves.keys.sorted() where old >> Schema.chunkShift != chunk {
            let number = old >> Schema.chunkShift
            chunk = number
            _ = try removal.remove(fromChunk: number) { sequence, _ in
                weaving.moves[sequence] != nil
            }
        }
        try writer.commit()
        weaving.moves = [:]
        weaving.filled = [:]
        self.writer = try Writer(database)
    }

    private func closeHoles(in database: Database) throws(StoreError) {
        guard !weaving.filled.isEmpty else { return }
        let rows = try Statement(
            "SELECT id, after_sequence, coalesce(time_to, time_from + duration) FROM gap",
            on: database)
        var gone: [Int64] = []
        while try rows.step() {
            guard let after = rows.optional(1), let until = weaving.filled[after],
                let end = rows.optional(2), end <= until.milliseconds
            else { continue }
            gone.append(rows.number(0))
        }
        let delete = try Statement("DELETE FROM gap WHERE id = ?", on: database)
        for id in gone {
            delete.bind(1, id)
            try delete.run()
        }
    }

    /// Lets rows that name a fix name it where it is now.
    private func follow(
        _ moves: [Int64: Int64], _ table: String, _ column: String, in database: Database
    ) throws(StoreError) {
        guard let first = moves.keys.min(), let last = moves.keys.max() else { return }
        let rows = try Statement(
            "SELECT id, \(column) FROM \(table) WHERE \(column) BETWEEN ? AND ?", on: database)
        rows.bind(1, first)
        rows.bind(2, last)
        var found: [(id: Int64, new: Int64)] = []
        while try rows.step() {
            if let new = moves[rows.number(1)] { found.append((rows.number(0), new)) }
        }
        let update = try Statement("UPDATE \(table) SET \(column) = ? WHERE id = ?", on: database)
        for row in found {
            update.bind(1, row.new)
            update.bind(2, row.id)
            try update.run()
        }
    }
}
