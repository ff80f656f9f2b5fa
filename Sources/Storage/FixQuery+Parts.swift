import GNSS

/// Where to look: the chunks whose ranges of time and place reach into what is wanted.
extension FixQuery {
    /// The sequence numbers that are read at once, as a mask: what is held in memory, and what the first row waits for.
    static let batchMask: Int64 = 2047

    /// The parts of a range in which a wanted fix may be: all of it without limits, else the chunks that reach into
    /// them and what is not summed up yet.
    func parts(
        of range: ClosedRange<Int64>, in database: Database
    ) throws(StoreError) -> [ClosedRange<Int64>] {
        guard since != nil || until != nil || bounds != nil else { return [range] }
        var parts: [ClosedRange<Int64>] = []
        func add(_ part: ClosedRange<Int64>) {
            let part = part.clamped(to: range)
            if let last = parts.last, last.upperBound &+ 1 == part.lowerBound {
                parts[parts.count - 1] = last.lowerBound...part.upperBound
            } else {
                parts.append(part)
            }
        }
        let chunks = try chunks(in: database)
        let wanted =
            since == nil && until == nil
            ? [0...Int64.max]
            : try ChunkGroups.ranges(
                from: since?.milliseconds ?? .min, to: until?.milliseconds ?? .max, in: database)
        let all = range.lowerBound >> Schema.chunkShift...range.upperBound >> Schema.chunkShift
        for ids in wanted where ids.overlaps(all) {
            chunks.reset()
            chunks.bind(1, max(ids.lowerBound, all.lowerBound))
            chunks.bind(2, min(ids.upperBound, all.upperBound))
            while try chunks.step() { add(ChunkRow.range(chunks.number(0))) }
        }
        let lastChunk = try database.number("SELECT max(id) FROM chunk") ?? -1
        let tail = (lastChunk &+ 1) << Schema.chunkShift
        if tail <= range.upperBound { add(max(tail, range.lowerBound)...range.upperBound) }
        return parts
    }

    /// Finds chunks that reach into the limits among those numbered from parameter 1 to 2.
    private func chunks(in database: Database) throws(StoreError) -> Statement {
        var conditions = ["id BETWEEN ?1 AND ?2"]
        if since != nil || until != nil { conditions.append("time_to >= ?3 AND time_from <= ?4") }
        if let bounds {
            conditions.append("north >= ?5 AND south <= ?6")
            conditions.append(
                bounds.west <= bounds.east
                    ? "east >= ?7 AND west <= ?8" : "(east >= ?7 OR west <= ?8)")
        }
        let statement = try Statement(
            "SELECT id FROM chunk WHERE \(conditions.joined(separator: " AND ")) ORDER BY id",
            on: database)
        if since != nil || until != nil {
            statement.bind(3, since?.milliseconds ?? .min)
            statement.bind(4, until?.milliseconds ?? .max)
        }
        if let bounds { bounds.bind(statement, from: 5) }
        return statement
    }

    /// The first to the last row inside the box, found without looking at the side tables; `nil` for none.
    func narrow(
        _ part: ClosedRange<Int64>, in database: Database
    ) throws(StoreError) -> ClosedRange<Int64>? {
        guard bounds != nil else { return part }
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
        for part in try query.parts(of: range, in: database).reversed() {
            var chunk = part.upperBound >> Schema.chunkShift
            while left > 0, chunk >= part.lowerBound >> Schema.chunkShift {
                let piece = ChunkRow.range(chunk).clamped(to: part)
                var found: [Int64] = []
                if let rows = try RowCursor(
                    newestFirst: database, from: piece.lowerBound, through: piece.upperBound)
                {
                    while found.count < left, let (sequence, row) = try rows.next() {
                        if query.admits(row) { found.append(sequence) }
                    }
                    first = found.last ?? first
                } else {
                    let rows = try RowCursor(
                        database, from: piece.lowerBound, through: piece.upperBound)
                    while let (sequence, row) = try rows.next() {
                        if query.admits(row) { found.append(sequence) }
                    }
                    first = found.suffix(left).first ?? first
                }
                left -= min(left, found.count)
                chunk -= 1
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
