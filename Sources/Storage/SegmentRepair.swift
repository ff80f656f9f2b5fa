import GNSS

/// Makes the rows of `segment` and `gap` say again what `fix` says, after kept fixes of a chunk were removed.
struct SegmentRepair {
    let database: Database
    /// The sequence numbers of the chunk.
    let chunk: ClosedRange<Int64>
    /// Its kept fixes before the removal, and which of them are still there.
    let kept: [(sequence: Int64, stays: Bool)]

    /// A row of `segment`.
    private struct Segment {
        var first: Int64
        /// `nil` while it lasts.
        var last: Int64?
        var id: Int64
    }

    /// Sums segments up anew; where fixes are missing they go on.
    func sumUp() throws(StoreError) {
        for segment in try segments() {
            let mine = kept.filter { contains(segment, $0.sequence) && $0.stays }
            var first = segment.first
            if first >= chunk.lowerBound {
                var found = mine.first?.sequence
                if found == nil { found = try keptSequence(after: chunk.upperBound) }
                guard let found, found <= segment.last ?? .max else {
                    // Nothing of it is left, or nothing yet of one that lasts.
                    if segment.last != nil { try replace(segment, by: []) }
                    continue
                }
                first = found
            }
            var last = segment.last
            if let end = last, end <= chunk.upperBound {
                last = mine.last?.sequence
                if last == nil { last = try keptSequence(before: chunk.lowerBound) }
            }
            try replace(segment, by: [Segment(first: first, last: last, id: segment.id)])
        }
    }

    /// Cuts segments where fixes are missing, and writes the holes down.
    func cut() throws(StoreError) {
        for segment in try segments() { try cut(segment) }
        var index = 0
        while index < kept.count {
            guard !kept[index].stays else {
                index += 1
                continue
            }
            let before =
                try index > 0
                ? kept[index - 1].sequence : keptSequence(before: chunk.lowerBound)
            while index < kept.count, !kept[index].stays { index += 1 }
            let after =
                try index < kept.count
                ? kept[index].sequence : keptSequence(after: chunk.upperBound)
            try putGap(from: before, to: after)
        }
    }

    private func cut(_ segment: Segment) throws(StoreError) {
        let mine = kept.filter { contains(segment, $0.sequence) }
        guard mine.contains(where: { !$0.stays }) else { return }
        var pieces: [(first: Int64, last: Int64?)] = []
        // The piece at hand; it may have begun before the chunk.
        var first = segment.first < chunk.lowerBound ? segment.first : nil
        var last = try first == nil ? nil : keptSequence(before: chunk.lowerBound)
        for (sequence, stays) in mine {
            if stays {
                first = first ?? sequence
                last = sequence
            } else if let begun = first {
                pieces.append((begun, last))
                first = nil
            }
        }
        let next = try keptSequence(after: chunk.upperBound)
        if let next, next <= segment.last ?? .max {
            pieces.append((first ?? next, segment.last))
        } else if let first {
            pieces.append((first, segment.last == nil ? nil : last))
        }
        var number = try database.greatest("id", of: "segment")
        var rest: [Segment] = []
        for (index, piece) in pieces.enumerated() {
            // The one that lasts keeps the number, for the fixes to come; else the first one.
            let keeps = segment.last == nil ? piece.last == nil : index == 0
            if !keeps { number += 1 }
            rest.append(
                Segment(first: piece.first, last: piece.last, id: keeps ? segment.id : number))
        }
        try replace(segment, by: rest)
    }

    private func contains(_ segment: Segment, _ sequence: Int64) -> Bool {
        sequence >= segment.first && sequence <= segment.last ?? .max
    }

    /// Segments that reach into the chunk.
    private func segments() throws(StoreError) -> [Segment] {
        let statement = try Statement(
            """
            SELECT first_sequence, last_sequence, id FROM segment WHERE first_sequence <= ?2
            AND first_sequence >= coalesce(
            (SELECT max(first_sequence) FROM segment WHERE first_sequence <= ?1), 0)
            AND coalesce(last_sequence, ?1) >= ?1
            """, on: database)
        statement.bind(1, chunk.lowerBound)
        statement.bind(2, chunk.upperBound)
        var found: [Segment] = []
        while try statement.step() {
            found.append(
                Segment(
                    first: statement.number(0), last: statement.optional(1), id: statement.number(2)
                ))
        }
        return found
    }

    /// Writes what is left of a segment; the sums of one that lasts are as of the last full chunk.
    private func replace(_ segment: Segment, by rest: [Segment]) throws(StoreError) {
        let lastChunk = try database.number("SELECT max(id) FROM chunk") ?? -1
        let scrubbing = try Scrubbing(
            .segment, segment.first...(rest.last?.first ?? segment.first), in: database)
        let delete = try Statement("DELETE FROM segment WHERE first_sequence = ?", on: database)
        delete.bind(1, segment.first)
        try delete.run()
        let put = try Statement(
            "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", on: database)
        for piece in rest {
            let through = piece.last ?? ChunkRow.range(lastChunk).upperBound
            let sums = try sum(piece.first, through)
            put.bind(1, piece.first)
            put.bind(2, piece.last)
            put.bind(3, piece.id)
            put.bind(4, sums.fixes)
            sums.bind(put, from: 5)
            try put.run()
        }
        let new = rest.map(\.first)
        try scrubbing.restore { new.contains($0) }
    }

    /// The sums of the kept fixes of a range: whole chunks by their rows, the rest by the fixes.
    private func sum(_ first: Int64, _ last: Int64) throws(StoreError) -> Ledger.Summary {
        var sums = Ledger.Summary()
        guard first <= last else { return sums }
        let from = (first &+ Schema.chunkMask) >> Schema.chunkShift
        let to = (last &+ 1) >> Schema.chunkShift
        guard from < to else {
            try add(first, last, to: &sums)
            return sums
        }
        try add(first, from << Schema.chunkShift - 1, to: &sums)
        let chunks = try Statement(
            "SELECT \(ChunkRow.columns) FROM chunk WHERE id >= ? AND id < ?", on: database)
        chunks.bind(1, from)
        chunks.bind(2, to)
        while try chunks.step() {
            let chunk = ChunkRow(chunks)
            if chunk.all.fixes > 0 {
                sums.add(chunk.kept)
            } else {
                try add(chunk.range.lowerBound, chunk.range.upperBound, to: &sums)
            }
        }
        try add(to << Schema.chunkShift, last, to: &sums)
        return sums
    }

    private func add(
        _ first: Int64, _ last: Int64, to sums: inout Ledger.Summary
    ) throws(StoreError) {
        guard first <= last else { return }
        let rows = try RowCursor(database, from: first, through: last)
        while let (_, row) = try rows.next() {
            guard row.isKept else { continue }
            let (latitude, longitude) = row.coarsePosition
            sums.add(time: row.milliseconds, latitude: latitude, longitude: longitude)
        }
    }

    /// Writes one hole in the place of those that lay in it.
    private func putGap(from before: Int64?, to after: Int64?) throws(StoreError) {
        let number = try database.greatest("id", of: "gap") + 1
        let delete = try Statement(
            "DELETE FROM gap WHERE after_sequence >= ? AND after_sequence < ?", on: database)
        delete.bind(1, before ?? 0)
        delete.bind(2, after ?? .max)
        try delete.run()
        // Before its first fix a track has no hole.
        guard let before else { return }
        let begin = try time(of: before)
        let end = try after.map { (after) throws(StoreError) in try time(of: after) } ?? nil
        let run = try Statement(
            "SELECT run FROM clock WHERE sequence <= ? ORDER BY sequence DESC LIMIT 1", on: database
        )
        run.bind(1, before)
        let put = try Statement("INSERT INTO gap VALUES (?, ?, ?, ?, ?, ?, ?)", on: database)
        put.bind(1, number)
        put.bind(2, try run.step() ? run.number(0) : 0)
        put.bind(3, before)
        put.bind(4, begin)
        put.bind(5, end)
        put.bind(6, begin.flatMap { begin in end.map { max(0, $0 &- begin) } } ?? 0)
        put.bind(7, Int64(GapReason.forgotten.rawValue))
        try put.run()
    }

    private func time(of sequence: Int64) throws(StoreError) -> Int64? {
        let rows = try RowCursor(database, from: sequence, through: sequence)
        return try rows.next()?.row.milliseconds
    }

    private func keptSequence(before sequence: Int64) throws(StoreError) -> Int64? {
        let plain = try first(
            """
            SELECT sequence FROM fix WHERE sequence < ? AND flags & 65535 = 0
            ORDER BY sequence DESC LIMIT 1
            """, sequence)
        return try nearest(
            plain,
            """
            id BETWEEN ?2 >> \(Sealing.shift) AND ?1 >> \(Sealing.shift)
            AND first_sequence < ?1 AND last_sequence > ?2 ORDER BY id DESC
            """,
            [sequence, plain ?? .min]
        ) { (rows) in rows.last { $0.sequence < sequence && $0.row.isKept }?.sequence }
    }

    private func keptSequence(after sequence: Int64) throws(StoreError) -> Int64? {
        let plain = try first(
            """
            SELECT sequence FROM fix WHERE sequence > ? AND flags & 65535 = 0
            ORDER BY sequence LIMIT 1
            """, sequence)
        return try nearest(
            plain,
            """
            id BETWEEN ?1 >> \(Sealing.shift) AND ?2 >> \(Sealing.shift)
            AND last_sequence > ?1 AND first_sequence < ?2 ORDER BY id
            """,
            [sequence, plain ?? .max]
        ) { (rows) in rows.first { $0.sequence > sequence && $0.row.isKept }?.sequence }
    }

    private func first(_ sql: String, _ sequence: Int64) throws(StoreError) -> Int64? {
        let found = try Statement(sql, on: database)
        found.bind(1, sequence)
        return try found.step() ? found.number(0) : nil
    }

    /// What the first block that has any gives, where blocks may hold something nearer than a plain row.
    private func nearest(
        _ plain: Int64?, _ condition: String, _ limits: [Int64],
        _ pick: ([SealedRow]) -> Int64?
    ) throws(StoreError) -> Int64? {
        guard database.hasBlocks else { return plain }
        let blocks = try Statement("SELECT id FROM block WHERE \(condition)", on: database)
        blocks.bind(1, limits[0])
        blocks.bind(2, limits[1])
        while try blocks.step() {
            if let found = pick(try Sealing.rows(ofBlock: blocks.number(0), in: database)) {
                return found
            }
        }
        return plain
    }
}

extension Ledger.Summary {
    /// Takes in what others sum up.
    mutating func add(_ other: Ledger.Summary) {
        fixes &+= other.fixes
        widen(other.timeFrom)
        widen(other.timeTo)
        guard other.fixes > 0 else { return }
        south = min(south, other.south)
        north = max(north, other.north)
        west = min(west, other.west)
        east = max(east, other.east)
    }
}

extension Database {
    /// The greatest number ever given in a table, 0 for none.
    func greatest(_ column: String, of table: String) throws(StoreError) -> Int64 {
        max(try number("SELECT max(\(column)) FROM \(table)") ?? 0, try issued(table))
    }
}
