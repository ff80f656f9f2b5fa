import GNSS

/// Makes the sums over salvaged rows, and uses those that were found to tell a false row.
enum SalvagedSums {
    /// Removes fixes outside of the times and places their chunk says it had: a damaged page may still hold numbers.
    ///
    /// Where most fixes of a chunk are outside, or one that was sealed, it is the chunk that is wrong.
    static func dropStrangers(
        _ database: Database, _ outcome: inout Salvage.Outcome
    ) throws(StoreError) {
        let chunks = try Statement(
            """
            SELECT id, time_from, time_to, south, west, north, east FROM chunk WHERE id > ?1
            ORDER BY id LIMIT 1
            """, on: database)
        var last: Int64 = -1
        while true {
            chunks.reset()
            chunks.bind(1, last)
            guard try chunks.step() else { break }
            last = chunks.number(0)
            guard last >= 0, last < 1 << 50 else { break }
            let from = chunks.optional(1) ?? .max
            let times = from...max(from, chunks.optional(2) ?? .max)
            var box = Ledger.Summary()
            if let south = chunks.optional(3) {
                box.add(time: nil, latitude: south, longitude: chunks.number(4))
                box.add(time: nil, latitude: chunks.number(5), longitude: chunks.number(6))
            }
            try dropStrangers(chunk: last, times, box, database, &outcome)
        }
    }

    private static func dropStrangers(
        chunk: Int64, _ times: ClosedRange<Int64>, _ box: Ledger.Summary, _ database: Database,
        _ outcome: inout Salvage.Outcome
    ) throws(StoreError) {
        let first = chunk << Schema.chunkShift
        let rows = try RowCursor(database, from: first, through: first | Schema.chunkMask)
        var strangers: [Int64] = []
        var count = 0
        var isProvenWrong = false
        while let (sequence, row) = try rows.next() {
            count += 1
            let isTimely = row.milliseconds.map(times.contains) ?? true
            guard !isTimely || row.isKept && !box.holds(row) else { continue }
            strangers.append(sequence)
            if rows.sealed != nil { isProvenWrong = true }
        }
        guard strangers.count * 2 <= count, !isProvenWrong else {
            try database.execute("DELETE FROM chunk WHERE id = \(chunk)")
            return
        }
        for sequence in strangers { try drop(sequence, database, &outcome) }
    }

    /// Removes a fix that never was.
    static func drop(
        _ sequence: Int64, _ database: Database, _ outcome: inout Salvage.Outcome
    ) throws(StoreError) {
        for table in ["fix", "detail", "corrected"] {
            try database.execute("DELETE FROM \(table) WHERE sequence = \(sequence)")
        }
        outcome.lostRows += 1
        outcome.rows -= 1
    }

    /// Makes the sums that are missing and gives segments to kept fixes whose own was lost.
    static func make(_ database: Database, _ outcome: inout Salvage.Outcome) throws(StoreError) {
        let newest = try database.newestSequence()
        // The chunk that is not full yet has no row.
        try database.execute("DELETE FROM chunk WHERE id >= \(newest >> Schema.chunkShift)")
        let put = try Statement(
            """
            INSERT OR IGNORE INTO chunk (id, time_from, time_to, kept_from, kept_to, south, west,
            north, east) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, on: database)
        var ledger = Ledger()
        var segments = try LostSegments(database)
        let rows = try RowCursor(database, from: 1, through: newest)
        while let (sequence, row) = try rows.next() {
            outcome.fixes += 1
            let chunk = sequence >> Schema.chunkShift
            if ledger.chunk != chunk {
                if let full = ledger.chunk { try ledger.put(full, put) }
                // As of here the last full chunk ends.
                if chunk == newest >> Schema.chunkShift { try tally(ledger.counts, database) }
                ledger.begin(chunk: chunk)
            }
            ledger.add(row, sequence: sequence)
            try segments.take(row, sequence)
        }
        try segments.write(to: database)
        // In an older version the step to the next one does it.
        let version = try database.number("PRAGMA user_version") ?? 0
        if version >= 4 { try database.execute(Schema.fillGroups) }
        if version >= 5 { try database.execute(Schema.placeGroups) }
    }

    private static func tally(_ counts: FixCounts, _ database: Database) throws(StoreError) {
        let reasons = counts.reasons.map { (Int64($0.reason.rawValue), $0.count) }
        for (reason, count) in [(0, counts.kept)] + reasons {
            try database.execute("INSERT OR REPLACE INTO tally VALUES (\(reason), \(count))")
        }
    }
}

extension Ledger {
    /// Writes a chunk that has no row yet.
    fileprivate func put(_ chunk: Int64, _ statement: borrowing Statement) throws(StoreError) {
        statement.bind(1, chunk)
        statement.bind(2, all.timeFrom)
        statement.bind(3, all.timeTo)
        kept.bind(statement, from: 4)
        try statement.run()
    }
}

extension Ledger.Summary {
    fileprivate func holds(_ row: FixRow) -> Bool {
        let (latitude, longitude) = row.coarsePosition
        return south <= latitude && latitude <= north && west <= longitude && longitude <= east
    }
}

/// Kept fixes whose segment was lost, in new segments.
private struct LostSegments: ~Copyable {
    private let known: Statement
    private var next: (first: Int64, last: Int64)?
    private var current: (first: Int64, last: Int64) = (0, 0)
    private var found: [(first: Int64, last: Int64, summary: Ledger.Summary)] = []
    private var isOpen = false

    /// Longer silence, ms, is a hole (the default of `Tracker`).
    private static let hole: Int64 = 10_000

    init(_ database: Database) throws(StoreError) {
        let known = try Statement(
            "SELECT first_sequence, last_sequence FROM segment ORDER BY first_sequence",
            on: database)
        next = try known.step() ? (known.number(0), known.optional(1) ?? .max) : nil
        self.known = known
    }

    private mutating func advance() throws(StoreError) {
        next = try known.step() ? (known.number(0), known.optional(1) ?? .max) : nil
    }

    mutating func take(_ row: FixRow, _ sequence: Int64) throws(StoreError) {
        while let next, next.first <= sequence {
            current = next
            isOpen = false
            try advance()
        }
        guard row.isKept, sequence > current.last || current.first == 0 else { return }
        let time = row.milliseconds
        let last = found.last?.summary.timeTo
        let isNear = time.flatMap { time in last.map { time - $0 <= LostSegments.hole } } ?? true
        if !isOpen || !isNear {
            found.append((sequence, sequence, Ledger.Summary()))
            isOpen = true
        }
        let (latitude, longitude) = row.coarsePosition
        found[found.count - 1].last = sequence
        found[found.count - 1].summary.add(
            time: time, latitude: latitude, longitude: longitude)
    }

    func write(to database: Database) throws(StoreError) {
        var id = try database.number("SELECT max(id) FROM segment") ?? 0
        let put = try Statement(
            "INSERT OR IGNORE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", on: database)
        for segment in found {
            id += 1
            put.bind(1, segment.first)
            put.bind(2, segment.last)
            put.bind(3, id)
            put.bind(4, segment.summary.fixes)
            segment.summary.bind(put, from: 5)
            try put.run()
        }
    }
}
