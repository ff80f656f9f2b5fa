import GNSS

/// What the store knows in sum: counts, the open chunk and the open segment.
///
/// Written only when a chunk is full or a segment begins or ends, so that an ordinary commit touches the pages of
/// `fix` alone; whoever opens the database counts the fixes since the last full chunk again, at most 1024.
struct Ledger {
    /// Ranges over some fixes.
    struct Summary: Equatable {
        var fixes: Int64 = 0
        var timeFrom: Int64?
        var timeTo: Int64?
        var south = Int64.max
        var west = Int64.max
        var north = Int64.min
        var east = Int64.min

        mutating func add(time: Int64?, latitude: Int64, longitude: Int64) {
            fixes &+= 1
            widen(time)
            south = min(south, latitude)
            north = max(north, latitude)
            west = min(west, longitude)
            east = max(east, longitude)
        }

        mutating func widen(_ time: Int64?) {
            guard let time else { return }
            timeFrom = min(timeFrom ?? time, time)
            timeTo = max(timeTo ?? time, time)
        }
    }

    /// The segment that lasts.
    struct OpenSegment: Equatable {
        var id: Int32
        var first: Int64
        var last: Int64
        var summary = Summary()
    }

    /// The chunk being filled; `nil` before the first fix.
    var chunk: Int64?
    /// Number and times of all fixes of the chunk; no places are kept.
    var all = Summary()
    /// Ranges of its kept fixes.
    var kept = Summary()
    /// Counts of the whole database.
    var counts = FixCounts()
    /// The segment that lasts.
    var segment: OpenSegment?

    /// Takes a fix in; its chunk and segment must be the open ones.
    mutating func add(_ row: FixRow, sequence: Int64) {
        let time = row.milliseconds
        all.fixes &+= 1
        all.widen(time)
        let flags = FixFlags(rawValue: UInt32(truncatingIfNeeded: row.flags))
        counts.add(flags)
        guard flags.isKept else { return }
        let (latitude, longitude) = row.coarsePosition
        kept.add(time: time, latitude: latitude, longitude: longitude)
        segment?.summary.add(time: time, latitude: latitude, longitude: longitude)
        segment?.last = sequence
    }

    /// Starts a chunk.
    mutating func begin(chunk number: Int64) {
        chunk = number
        all = Summary()
        kept = Summary()
    }
}

extension Ledger {
    /// The sums of a database: what was written with the last full chunk, and the fixes since.
    init(of database: Database) throws(StoreError) {
        let lastChunk = try database.number("SELECT max(id) FROM chunk") ?? -1
        let tallies = try Statement("SELECT reason, fixes FROM tally", on: database)
        while try tallies.step() {
            counts.add(
                FixFlags(rawValue: UInt32(truncatingIfNeeded: tallies.number(0))),
                tallies.number(1))
        }
        segment = try Ledger.openSegment(of: database)
        let newest = try database.newestSequence()
        let from = (lastChunk &+ 1) << Schema.chunkShift
        if newest >= from { begin(chunk: newest >> Schema.chunkShift) }
        // The open segment's sums are as of the last full chunk, or empty when it began after that.
        let cursor = try RowCursor(database, from: from, through: newest)
        while let (sequence, row) = try cursor.next() {
            if row.isKept, let open = segment, sequence < open.first {
                segment = nil
                add(row, sequence: sequence)
                segment = open
            } else {
                add(row, sequence: sequence)
            }
        }
    }

    private static func openSegment(of database: Database) throws(StoreError) -> OpenSegment? {
        let statement = try Statement(
            """
            SELECT id, first_sequence, fixes, time_from, time_to, south, west, north, east,
            last_sequence FROM segment ORDER BY first_sequence DESC LIMIT 1
            """, on: database)
        // Only the last one can be open.
        guard try statement.step(), statement.optional(9) == nil else { return nil }
        var open = OpenSegment(
            id: Int32(truncatingIfNeeded: statement.number(0)), first: statement.number(1),
            last: statement.number(1))
        open.summary = Summary(statement, from: 2)
        return open
    }
}

extension Ledger.Summary {
    /// Reads the columns fixes, time_from, time_to, south, west, north, east.
    init(_ statement: borrowing Statement, from column: Int32) {
        fixes = statement.number(column)
        timeFrom = statement.optional(column + 1)
        timeTo = statement.optional(column + 2)
        if let value = statement.optional(column + 3) {
            south = value
            west = statement.number(column + 4)
            north = statement.number(column + 5)
            east = statement.number(column + 6)
        }
    }

    /// Binds times and box from parameter `index` on.
    func bind(_ statement: borrowing Statement, from index: Int32) {
        statement.bind(index, timeFrom)
        statement.bind(index + 1, timeTo)
        statement.bind(index + 2, fixes > 0 ? south : nil)
        statement.bind(index + 3, fixes > 0 ? west : nil)
        statement.bind(index + 4, fixes > 0 ? north : nil)
        statement.bind(index + 5, fixes > 0 ? east : nil)
    }

    /// The box in degrees.
    var bounds: StoredBounds? {
        fixes > 0
            ? StoredBounds(
                south: Double(south) / 1e7, west: Double(west) / 1e7, north: Double(north) / 1e7,
                east: Double(east) / 1e7)
            : nil
    }
}
