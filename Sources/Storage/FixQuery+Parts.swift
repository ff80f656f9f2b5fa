import GNSS

/// Where to look: the chunks whose ranges of time and place reach into what is wanted.
extension FixQuery {
    /// The sequence numbers that are read at once, as a mask: what is held in memory, and what the first row waits for.
    static let batchMask: Int64 = 2047

    /// What may be wanted of a range, cut into pieces that are looked at one after the other: the full groups that
    /// reach into the limits, and the rest; the range itself without limits.
    func pieces(
        of range: ClosedRange<Int64>, in database: Database
    ) throws(StoreError) -> [ClosedRange<Int64>] {
        try ChunkGroups.ranges(self, in: database).compactMap { chunks in
            let first = ChunkRow.range(chunks.lowerBound).lowerBound
            let last =
                chunks.upperBound == .max ? .max : ChunkRow.range(chunks.upperBound).upperBound
            return range.overlaps(first...last) ? range.clamped(to: first...last) : nil
        }
    }

    /// The parts of a piece in which a wanted fix may be: all of it without limits, else the chunks that reach into
    /// them and what is not summed up yet.
    func parts(
        of piece: ClosedRange<Int64>, in database: Database
    ) throws(StoreError) -> [ClosedRange<Int64>] {
        let limits = Limits(self, places: true)
        guard !limits.isEmpty else { return [piece] }
        var parts: [ClosedRange<Int64>] = []
        func add(_ part: ClosedRange<Int64>) {
            let part = part.clamped(to: piece)
            if let last = parts.last, last.upperBound &+ 1 == part.lowerBound {
                parts[parts.count - 1] = last.lowerBound...part.upperBound
            } else {
                parts.append(part)
            }
        }
        let chunks = try Statement(
            "SELECT id FROM chunk WHERE id BETWEEN ?7 AND ?8 AND \(limits.condition) ORDER BY id",
            on: database)
        limits.bind(chunks)
        chunks.bind(7, piece.lowerBound >> Schema.chunkShift)
        chunks.bind(8, piece.upperBound >> Schema.chunkShift)
        while try chunks.step() { add(ChunkRow.range(chunks.number(0))) }
        let lastChunk = try database.number("SELECT max(id) FROM chunk") ?? -1
        let tail = (lastChunk &+ 1) << Schema.chunkShift
        if tail <= piece.upperBound { add(max(tail, piece.lowerBound)...piece.upperBound) }
        return parts
    }

    /// What a row of `chunk` or `chunk_group` must reach into, as SQL.
    struct Limits {
        private let since: Int64?
        private let until: Int64?
        private let bounds: StoredBounds?

        /// The limits of a query.
        ///
        /// - Parameter places: whether the rows have places.
        init(_ query: FixQuery, places: Bool) {
            since = query.since?.milliseconds
            until = query.until?.milliseconds
            bounds = places ? query.bounds : nil
        }

        /// Whether everything is wanted.
        var isEmpty: Bool {
            since == nil && until == nil && bounds == nil
        }

        /// The condition, with parameters 1 to 6.
        var condition: String {
            var conditions: [String] = []
            if since != nil || until != nil {
                conditions.append("time_to >= ?1 AND time_from <= ?2")
            }
            if let bounds {
                conditions.append("north >= ?3 AND south <= ?4")
                conditions.append(
                    bounds.west <= bounds.east
                        ? "east >= ?5 AND west <= ?6" : "(east >= ?5 OR west <= ?6)")
            }
            return conditions.joined(separator: " AND ")
        }

        func bind(_ statement: borrowing Statement) {
            if since != nil || until != nil {
                statement.bind(1, since ?? .min)
                statement.bind(2, until ?? .max)
            }
            bounds?.bind(statement, from: 3)
        }
    }

    /// The first to the last row inside the box, found without looking at the side tables; `nil` for none.
    func narrow(
        _ part: ClosedRange<Int64>, in database: Database
    ) throws(StoreError) -> ClosedRange<Int64>? {
        guard let bounds else { return part }
        guard try !database.hasBlocks(from: part.lowerBound, through: part.upperBound) else {
            return try narrowSealed(part, in: database)
        }
        // SQLite leaves out most rows for a fifth of what it costs to hand them over. Finer ones are looked at later.
        let isAcross = bounds.west > bounds.east
        let rows = try Statement(
            """
            SELECT min(sequence), max(sequence) FROM fix WHERE sequence BETWEEN ?1 AND ?2
            AND (lat BETWEEN ?3 AND ?4 AND (lon >= ?5 \(isAcross ? "OR" : "AND") lon <= ?6)
            OR quality & \(1 << FixRow.Quality.fine))
            """, on: database)
        rows.bind(1, part.lowerBound)
        rows.bind(2, part.upperBound)
        bounds.bind(rows, from: 3)
        guard try rows.step(), let first = rows.optional(0), let last = rows.optional(1) else {
            return nil
        }
        return first...last
    }

    private func narrowSealed(
        _ part: ClosedRange<Int64>, in database: Database
    ) throws(StoreError) -> ClosedRange<Int64>? {
        let rows = try RowCursor(database, from: part.lowerBound, through: part.upperBound)
        var found: ClosedRange<Int64>?
        while let (sequence, row) = try rows.next() {
            if admits(row) { found = (found?.lowerBound ?? sequence)...sequence }
        }
        return found
    }
}

extension TrackReader {
    /// Whether a kept fix lies between two.
    public func hasKept(after: Int64, before: Int64) throws(StoreError) -> Bool {
        guard after + 1 < before else { return false }
        let rows = try RowCursor(database, from: after + 1, through: before - 1)
        while let (_, row) = try rows.next() { if row.isKept { return true } }
        return false
    }

    /// Sequence of the first of the last `count` wanted fixes, found backwards, a chunk at a time.
    func start(
        ofLast count: Int, _ query: FixQuery, in range: ClosedRange<Int64>
    ) throws(StoreError) -> Int64? {
        var left = count
        var first: Int64?
        for wanted in try query.pieces(of: range, in: database).reversed() {
            guard left > 0 else { break }
            first = try start(ofLast: &left, query, inPiece: wanted) ?? first
        }
        return first
    }

    private func start(
        ofLast left: inout Int, _ query: FixQuery, inPiece wanted: ClosedRange<Int64>
    ) throws(StoreError) -> Int64? {
        var first: Int64?
        for part in try query.parts(of: wanted, in: database).reversed() {
            var through = part.upperBound
            while left > 0, through >= part.lowerBound {
                var from = max(
                    part.lowerBound, ChunkRow.range(through >> Schema.chunkShift).lowerBound)
                var found: [Int64] = []
                if let rows = try RowCursor(newestFirst: database, from: from, through: through) {
                    while found.count < left, let (sequence, row) = try rows.next() {
                        if query.admits(row) { found.append(sequence) }
                    }
                    first = found.last ?? first
                } else {
                    // A block is read as a whole.
                    from = max(
                        part.lowerBound, Sealing.range(through >> Sealing.shift).lowerBound)
                    let rows = try RowCursor(database, from: from, through: through)
                    while let (sequence, row) = try rows.next() {
                        if query.admits(row) { found.append(sequence) }
                    }
                    first = found.suffix(left).first ?? first
                }
                left -= min(left, found.count)
                through = from - 1
            }
        }
        return first
    }
}

extension StoredBounds {
    /// Binds south, north, west and east in 1e-7 degrees, widened by one.
    fileprivate func bind(_ statement: borrowing Statement, from index: Int32) {
        statement.bind(index, Int64((max(south, -91) * 1e7).rounded(.down)) - 1)
        statement.bind(index + 1, Int64((min(north, 91) * 1e7).rounded(.up)) + 1)
        statement.bind(index + 2, Int64((max(west, -181) * 1e7).rounded(.down)) - 1)
        statement.bind(index + 3, Int64((min(east, 181) * 1e7).rounded(.up)) + 1)
    }
}
