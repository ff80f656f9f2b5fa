/// The blocks of a database.
enum Sealing {
    /// How many sequence numbers a block covers, as a shift: four chunks.
    static let shift: Int64 = 12

    /// The sequence numbers of a block.
    static func range(_ block: Int64) -> ClosedRange<Int64> {
        block << shift...(block << shift | (1 << shift - 1))
    }

    /// Reads the columns id, format, checksum, data.
    ///
    /// A connection for reading has the last block at hand: a query looks at it and then reads it, a part at a time.
    static func rows(
        _ statement: borrowing Statement, in database: Database
    ) throws(StoreError) -> [SealedRow] {
        let (block, sum) = (statement.number(0), statement.number(2))
        if let known = database.block, known.id == block, known.checksum == sum {
            return known.rows
        }
        guard statement.number(1) == SealedBlock.format else {
            throw StoreError(
                .damaged, path: database.path, detail: "block \(block) is of a later version")
        }
        let bytes = statement.blob(3) ?? []
        guard checksum(bytes) == sum, let rows = SealedBlock.decode(bytes)
        else { throw StoreError(.damaged, path: database.path, detail: "block \(block)") }
        if database.isReadOnly { database.block = (block, sum, rows) }
        return rows
    }

    /// The rows of one block; empty when there is none.
    static func rows(ofBlock block: Int64, in database: Database) throws(StoreError) -> [SealedRow]
    {
        guard database.hasBlocks else { return [] }
        let statement = try Statement(
            "SELECT id, format, checksum, data FROM block WHERE id = ?", on: database)
        statement.bind(1, block)
        return try statement.step() ? rows(statement, in: database) : []
    }

    /// Writes rows as a block, in the place of the one that is there.
    ///
    /// - Parameter length: bytes the block is filled up to, so that it takes the place of another one.
    static func put(
        _ rows: [SealedRow], asBlock block: Int64, length: Int = 0, in database: Database
    ) throws(StoreError) {
        var bytes = SealedBlock.encode(rows)
        // What is written is read back before the rows go.
        guard SealedBlock.decode(bytes) == rows, let first = rows.first, let last = rows.last else {
            throw StoreError(.misuse, path: database.path, detail: "block \(block)")
        }
        if bytes.count < length {
            bytes.append(contentsOf: repeatElement(0, count: length - bytes.count))
        }
        var sums = ChunkRow(id: 0)
        for row in rows { sums.add(row.row) }
        let isThere = try database.number("SELECT 1 FROM block WHERE id = \(block)") != nil
        // An update of the same length overwrites the old bytes where they are.
        let put = try Statement(
            isThere
                ? """
                UPDATE block SET first_sequence = ?2, last_sequence = ?3, fixes = ?4, kept = ?5,
                time_from = ?6, time_to = ?7, south = ?8, west = ?9, north = ?10, east = ?11,
                format = ?12, checksum = ?13, data = ?14 WHERE id = ?1
                """
                : "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            on: database)
        put.bind(1, block)
        put.bind(2, first.sequence)
        put.bind(3, last.sequence)
        put.bind(4, sums.all.fixes)
        put.bind(5, sums.kept.fixes)
        sums.kept.bind(put, from: 6)
        put.bind(6, sums.all.timeFrom)
        put.bind(7, sums.all.timeTo)
        put.bind(12, SealedBlock.format)
        put.bind(13, checksum(bytes))
        put.bind(14, blob: bytes)
        try put.run()
    }

    /// The CRC-32 and a bit above it, so that it always takes as many bytes and an update stays in its place.
    private static func checksum(_ bytes: [UInt8]) -> Int64 {
        1 << 32 | Int64(CRC32.of(bytes))
    }

    /// Takes fixes out of a block, and leaves no byte of them in it.
    static func remove(
        _ isGoing: (Int64) -> Bool, fromBlock block: Int64, in database: Database
    ) throws(StoreError) {
        let rows = try rows(ofBlock: block, in: database)
        guard rows.contains(where: { isGoing($0.sequence) }) else { return }
        let rest = rows.filter { !isGoing($0.sequence) }
        guard rest.isEmpty else {
            let length = try database.number("SELECT length(data) FROM block WHERE id = \(block)")
            return try put(rest, asBlock: block, length: Int(length ?? 0), in: database)
        }
        // Neighbours may move to other pages, and what they leave there is not cleared: see ``Scrubbing``.
        let scrubbing = try Scrubbing(.block, block...block, in: database)
        let read = try Statement(
            "SELECT id, data FROM block WHERE id BETWEEN ? AND ?", on: database)
        read.bind(1, block - 2)
        read.bind(2, block + 2)
        var neighbours: [(id: Int64, data: [UInt8])] = []
        while try read.step() { neighbours.append((read.number(0), read.blob(1) ?? [])) }
        try database.execute(
            """
            UPDATE block SET data = zeroblob(length(data))
            WHERE id BETWEEN \(block - 2) AND \(block + 2);
            DELETE FROM block WHERE id = \(block)
            """)
        let restore = try Statement("UPDATE block SET data = ?2 WHERE id = ?1", on: database)
        for neighbour in neighbours where neighbour.id != block {
            restore.bind(1, neighbour.id)
            restore.bind(2, blob: neighbour.data)
            try restore.run()
        }
        try scrubbing.restore()
    }

    /// Makes rows of a block again.
    static func unseal(_ block: Int64, in database: Database) throws(StoreError) -> Int64 {
        let rows = try rows(ofBlock: block, in: database)
        let fix = try Statement(
            "INSERT INTO fix VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", on: database)
        let places = repeatElement("?", count: DetailRow.columns.count + 1).joined(separator: ",")
        let detail = try Statement("INSERT INTO detail VALUES (\(places))", on: database)
        let corrected = try Statement(
            "INSERT OR IGNORE INTO corrected VALUES (?, ?, ?, ?, ?, ?)", on: database)
        for row in rows {
            row.row.bind(fix, after: 0, row.sequence)
            try fix.run()
            if let values = row.detail {
                detail.bind(1, row.sequence)
                for (index, column) in DetailRow.columns.enumerated() {
                    detail.bind(Int32(index) + 2, values[keyPath: column.path])
                }
                try detail.run()
            }
            if let values = row.corrected {
                corrected.bind(1, row.sequence)
                corrected.bind(2, values.latitude)
                corrected.bind(3, values.longitude)
                corrected.bind(4, values.altitudeMSL)
                corrected.bind(5, values.altitudeHAE)
                corrected.bind(6, values.correction)
                try corrected.run()
            }
        }
        try database.execute("DELETE FROM block WHERE id = \(block)")
        return Int64(rows.count)
    }

    /// Fixes of a range with their rows of the side tables, sealed or not.
    static func gather(
        _ range: ClosedRange<Int64>, in database: Database
    ) throws(StoreError) -> [SealedRow] {
        let cursor = try RowCursor(database, from: range.lowerBound, through: range.upperBound)
        var rows: [SealedRow] = []
        while let (sequence, row) = try cursor.next() {
            rows.append(cursor.sealed ?? SealedRow(sequence: sequence, row: row))
        }
        let columns = DetailRow.columns.map(\.name).joined(separator: ", ")
        let details = try Statement(
            "SELECT sequence, \(columns) FROM detail WHERE sequence BETWEEN ? AND ?", on: database)
        details.bind(1, range.lowerBound)
        details.bind(2, range.upperBound)
        let places = Dictionary(
            rows.enumerated().map { ($1.sequence, $0) }, uniquingKeysWith: { first, _ in first })
        while try details.step() {
            guard let place = places[details.number(0)] else { continue }
            var detail = DetailRow()
            for (index, column) in DetailRow.columns.enumerated() {
                detail[keyPath: column.path] = details.optional(Int32(index) + 1)
            }
            rows[place].detail = detail
        }
        let corrected = try Statement(
            """
            SELECT sequence, lat, lon, alt_msl, alt_hae, correction FROM corrected
            WHERE sequence BETWEEN ? AND ?
            """, on: database)
        corrected.bind(1, range.lowerBound)
        corrected.bind(2, range.upperBound)
        while try corrected.step() {
            guard let place = places[corrected.number(0)] else { continue }
            rows[place].corrected = CorrectedRow(
                latitude: corrected.number(1), longitude: corrected.number(2),
                altitudeMSL: corrected.optional(3), altitudeHAE: corrected.optional(4),
                correction: corrected.number(5))
        }
        return rows
    }
}

extension Database {
    /// Whether anything is sealed; databases of version 1 have no table for it.
    var hasBlocks: Bool {
        (try? number("SELECT 1 FROM block LIMIT 1")) == .some(.some(1))
    }

    /// Whether a block reaches into a range of sequences, told without reading what is in it.
    func hasBlocks(from: Int64, through: Int64) throws(StoreError) -> Bool {
        guard from <= through, hasBlocks else { return false }
        return try number(
            """
            SELECT 1 FROM block WHERE id BETWEEN \(from >> Sealing.shift) AND
            \(through >> Sealing.shift) AND last_sequence >= \(from)
            AND first_sequence <= \(through) LIMIT 1
            """) != nil
    }
}
