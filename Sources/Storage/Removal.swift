import GNSS

/// Takes fixes out of one chunk and leaves every table as if they had never been recorded, inside the caller's
/// transaction.
///
/// What is summed up (chunks, segments, counts) is summed up anew, a segment that loses its middle becomes two, a
/// hole gets its row. Nothing here looks at more than a chunk's rows and the rows of `chunk`.
struct Removal {
    /// What was removed.
    struct Outcome: Equatable {
        var fixes: Int64 = 0
        var marks: Int64 = 0

        static func += (left: inout Outcome, right: Outcome) {
            left.fixes += right.fixes
            left.marks += right.marks
        }
    }

    /// What becomes of the track where fixes are missing.
    enum Track {
        /// It has a hole with a row of `gap` there.
        case isCut
        /// It goes on as before: what was removed said nothing that its neighbours do not.
        case goesOn
    }

    let database: Database
    let track: Track

    /// Removes the rows of a chunk that `isGoing` names.
    ///
    /// - Returns: how many there were.
    func remove(
        fromChunk chunk: Int64, where isGoing: (_ sequence: Int64, _ row: FixRow) -> Bool
    ) throws(StoreError) -> Int64 {
        let range = ChunkRow.range(chunk)
        let rows = try RowCursor(database, from: range.lowerBound, through: range.upperBound)
        var going: [Int64] = []
        var counts = FixCounts()
        var sums = ChunkRow(id: chunk)
        var kept: [(sequence: Int64, stays: Bool)] = []
        while let (sequence, row) = try rows.next() {
            let goes = isGoing(sequence, row)
            if row.isKept { kept.append((sequence, !goes)) }
            if goes {
                going.append(sequence)
                counts.add(FixFlags(rawValue: UInt32(truncatingIfNeeded: row.flags)))
            } else {
                sums.add(row)
            }
        }
        guard !going.isEmpty else { return 0 }
        try noteNumbers()
        try delete(going)
        if database.hasBlocks {
            let gone = Set(going)
            try Sealing.remove(
                gone.contains, fromBlock: range.lowerBound >> Sealing.shift, in: database)
        }
        if let last = try database.number("SELECT max(id) FROM chunk"), chunk <= last {
            let scrubbing = try Scrubbing(.chunk, chunk...chunk, in: database)
            try sums.put(into: database)
            try scrubbing.restore { $0 == chunk }
            try ChunkGroups.renew(chunk: chunk, in: database)
            try subtract(counts)
        }
        if kept.contains(where: { !$0.stays }) {
            let repair = SegmentRepair(database: database, chunk: range, kept: kept)
            try track == .isCut ? repair.cut() : repair.sumUp()
        }
        return Int64(going.count)
    }

    /// Removes marks; those without a place go by their time alone.
    func removeMarks(_ scope: RemovalScope) throws(StoreError) -> Int64 {
        let marks = try Statement("SELECT id, time, lat, lon FROM mark ORDER BY id", on: database)
        var going: [Int64] = []
        while try marks.step() {
            let latitude = marks.optional(2).map { Double($0) / 1e7 }
            let longitude = marks.optional(3).map { Double($0) / 1e7 }
            if scope.covers(time: marks.optional(1), latitude, longitude) {
                going.append(marks.number(0))
            }
        }
        guard let first = going.first, let last = going.last else { return 0 }
        try noteNumbers()
        let scrubbing = try Scrubbing(.mark, first...last, in: database)
        let delete = try Statement("DELETE FROM mark WHERE id = ?", on: database)
        for id in going {
            delete.bind(1, id)
            try delete.run()
        }
        try scrubbing.restore()
        return Int64(going.count)
    }

    /// Removes what belongs to no fix any more because all fixes of its time are gone.
    func pruneBeginning() throws(StoreError) {
        guard let first = try database.firstSequence() else { return }
        let clocks = try Statement(
            "SELECT sequence, run FROM clock WHERE sequence <= ? ORDER BY sequence DESC LIMIT 1",
            on: database)
        clocks.bind(1, first)
        guard try clocks.step() else { return }
        let clock = clocks.number(0)
        let run = clocks.number(1)
        clocks.reset()
        for (sql, limit) in [
            ("DELETE FROM clock WHERE sequence < ?", clock),
            ("DELETE FROM gap WHERE after_sequence < ?", first),
            ("DELETE FROM origin WHERE last_sequence < ?", first),
            (
                "DELETE FROM cycle WHERE id IN (SELECT id FROM cycle WHERE run < ? LIMIT 1000)",
                run
            ),
            ("DELETE FROM run WHERE id < ? AND id NOT IN (SELECT run FROM cycle)", run),
        ] {
            let statement = try Statement(sql, on: database)
            statement.bind(1, limit)
            try statement.run()
        }
    }

    /// Writes down what was removed on purpose, when and why; no place is told.
    ///
    /// - Parameter row: a row of the same work, to be added to.
    /// - Returns: the row.
    func audit(
        _ outcome: Outcome, cause: String, at time: UTCTime, in row: Int64? = nil
    ) throws(StoreError) -> Int64? {
        guard outcome != Outcome() else { return row }
        let put = try Statement(
            """
            INSERT INTO removal VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (id) DO UPDATE SET fixes = fixes + ?4, marks = marks + ?5
            RETURNING id
            """, on: database)
        put.bind(1, row)
        put.bind(2, time.milliseconds)
        put.bind(3, text: cause)
        put.bind(4, outcome.fixes)
        put.bind(5, outcome.marks)
        guard try put.step() else { return row }
        let id = put.number(0)
        while try put.step() {}
        return id
    }

    /// Remembers the greatest numbers given, so that no number is given twice.
    private func noteNumbers() throws(StoreError) {
        for (table, column) in [
            ("fix", "sequence"), ("segment", "id"), ("gap", "id"), ("cycle", "id"), ("run", "id"),
            ("mark", "id"),
        ] {
            try database.execute(
                """
                INSERT INTO issued SELECT '\(table)', max(\(column)) FROM \(table)
                WHERE true HAVING max(\(column)) NOT NULL
                ON CONFLICT (name) DO UPDATE SET number = excluded.number
                WHERE number < excluded.number
                """)
        }
    }

    /// Deletes rows, neighbours together.
    func delete(_ sequences: [Int64]) throws(StoreError) {
        guard let first = sequences.first, let last = sequences.last else { return }
        let scrubbings = [
            try Scrubbing(.fix, first...last, in: database),
            try Scrubbing(.corrected, first...last, in: database),
        ]
        for table in ["fix", "detail", "corrected"] {
            let delete = try Statement(
                "DELETE FROM \(table) WHERE sequence BETWEEN ? AND ?", on: database)
            var index = 0
            while index < sequences.count {
                delete.bind(1, sequences[index])
                while index + 1 < sequences.count, sequences[index + 1] == sequences[index] + 1 {
                    index += 1
                }
                delete.bind(2, sequences[index])
                try delete.run()
                index += 1
            }
        }
        for scrubbing in scrubbings { try scrubbing.restore() }
    }

    private func subtract(_ counts: FixCounts) throws(StoreError) {
        let update = try Statement(
            "UPDATE tally SET fixes = fixes - ?2 WHERE reason = ?1", on: database)
        update.bind(1, 0)
        update.bind(2, counts.kept)
        try update.run()
        for (reason, count) in counts.reasons {
            update.bind(1, Int64(reason.rawValue))
            update.bind(2, count)
            try update.run()
        }
    }
}
