import GNSS

/// What reading every page and every row of a database has found.
public struct Checkup: Equatable, Sendable {
    /// What is not as SQLite writes it, one finding each, in words.
    public var damage: [String] = []
    /// What the sums of the database say otherwise than its rows.
    public var disagreements: [String] = []
    /// Rows of fixes that were read.
    public var rows: Int64 = 0

    /// Nothing read yet.
    public init() {}

    /// Whether nothing was found.
    public var isSound: Bool {
        damage.isEmpty && disagreements.isEmpty
    }

    /// More findings than a person reads are left out.
    static let limit = 20
}

extension TrackReader {
    /// Reads every page, then every row of the fixes, and compares them with the sums over them.
    ///
    /// - Parameter progress: told how many rows of how many were read.
    public func checkup(_ progress: (_ done: Int64, _ of: Int64) -> Void) -> Checkup {
        var found = Checkup()
        do throws(StoreError) {
            let names = try treeNames()
            let lines = try integrity(limit: Checkup.limit)
            found.damage = lines.map { Finding.words(for: $0, trees: names) }
        } catch {
            found.damage.append(error.detail.isEmpty ? error.description : error.detail)
        }
        guard found.damage.isEmpty else { return found }
        do throws(StoreError) {
            try compareSums(&found, progress)
        } catch {
            found.damage.append(error.detail.isEmpty ? error.description : error.detail)
        }
        return found
    }

    /// What `PRAGMA integrity_check` says of a file that is not sound.
    private func integrity(limit: Int) throws(StoreError) -> [String] {
        let statement = try Statement("PRAGMA integrity_check(\(limit))", on: database)
        var lines: [String] = []
        do throws(StoreError) {
            while try statement.step() {
                let text = statement.text(0) ?? ""
                lines += text.split(separator: "\n").filter { !$0.hasPrefix("***") }
                    .map(String.init)
            }
        } catch {
            // The library stumbles over what it has just reported.
            if lines.isEmpty { throw error }
        }
        return lines == ["ok"] ? [] : lines
    }

    /// The tables and indexes by the page they begin at.
    private func treeNames() throws(StoreError) -> [Int64: String] {
        let statement = try Statement(
            "SELECT rootpage, type || ' ' || name FROM sqlite_schema WHERE rootpage > 0",
            on: database)
        var names: [Int64: String] = [:]
        while try statement.step() { names[statement.number(0)] = statement.text(1) }
        return names
    }

    /// Each row must lie within the ranges of its chunk, or queries pass it by.
    private func compareSums(
        _ found: inout Checkup, _ progress: (Int64, Int64) -> Void
    ) throws(StoreError) {
        try database.execute("BEGIN")
        defer { try? database.execute("COMMIT") }
        let newest = try newestSequence()
        let chunks = try Statement(
            """
            SELECT time_from, time_to, kept_from, kept_to, south, west, north, east FROM chunk
            WHERE id = ?1
            """, on: database)
        let rows = try RowCursor(database, from: .min, through: newest)
        var chunk: Int64?
        var sums = (all: Ledger.Summary(), kept: Ledger.Summary())
        func compare() throws(StoreError) {
            guard let chunk else { return }
            chunks.reset()
            chunks.bind(1, chunk)
            guard try chunks.step() else { return }
            var all = Ledger.Summary()
            all.timeFrom = chunks.optional(0)
            all.timeTo = chunks.optional(1)
            let kept = Ledger.Summary(chunks, kept: 2)
            if !all.times(hold: sums.all) || !kept.times(hold: sums.kept)
                || !kept.box(holds: sums.kept),
                found.disagreements.count < Checkup.limit
            {
                let first = chunk << Schema.chunkShift
                found.disagreements.append(
                    "fixes \(first) to \(first | Schema.chunkMask) lie outside of what their "
                        + "chunk says: a query by time or place may pass them by")
            }
        }
        while let (sequence, row) = try rows.next() {
            if chunk != sequence >> Schema.chunkShift {
                try compare()
                chunk = sequence >> Schema.chunkShift
                sums = (Ledger.Summary(), Ledger.Summary())
                if found.rows & 0xFFFF < 1024 { progress(sequence, newest) }
            }
            found.rows += 1
            sums.all.widen(row.milliseconds)
            guard row.isKept else { continue }
            let (latitude, longitude) = row.coarsePosition
            sums.kept.add(time: row.milliseconds, latitude: latitude, longitude: longitude)
        }
        try compare()
    }
}

extension Ledger.Summary {
    /// Reads the columns kept_from, kept_to, south, west, north, east.
    fileprivate init(_ statement: borrowing Statement, kept column: Int32) {
        timeFrom = statement.optional(column)
        timeTo = statement.optional(column + 1)
        guard let value = statement.optional(column + 2) else { return }
        fixes = 1
        south = value
        west = statement.number(column + 3)
        north = statement.number(column + 4)
        east = statement.number(column + 5)
    }

    fileprivate func times(hold other: Self) -> Bool {
        guard let from = other.timeFrom, let to = other.timeTo else { return true }
        guard let timeFrom, let timeTo else { return false }
        return timeFrom <= from && to <= timeTo
    }

    fileprivate func box(holds other: Self) -> Bool {
        other.fixes == 0
            || south <= other.south && west <= other.west && other.north <= north
                && other.east <= east
    }
}

/// SQLite's findings in words that say what they mean for the track.
private enum Finding {
    /// - Parameters:
    ///   - line: of `PRAGMA integrity_check`.
    ///   - trees: the tables and indexes by the page they begin at.
    static func words(for line: String, trees: [Int64: String]) -> String {
        var text = line
        // "Tree 5 page 7 cell 3: …" in newer libraries, "On tree page 5 cell 3: …" in older ones.
        for opening in ["Tree ", "On tree page "] where line.hasPrefix(opening) {
            let digits = line.dropFirst(opening.count).prefix { $0.isNumber }
            if let name = Int64(digits).flatMap({ trees[$0] }) { text = "\(name): \(line)" }
        }
        let meaning = meanings.first { line.contains($0.words) }?.meaning
        return meaning.map { "\(text) (\($0))" } ?? text
    }

    /// What SQLite's words mean, `integrity_check` in its btree.c and pragma.c.
    private static let meanings: [(words: String, meaning: String)] = [
        ("btreeInitPage", "the page was overwritten; the rows on it are lost"),
        ("out of order", "rows are not in their order; some cannot be found"),
        ("invalid page number", "the file ends before it: it was cut off"),
        ("never used", "rows on this page are not reached any more"),
        ("2nd reference to page", "two tables claim one page: one of them was overwritten"),
        ("missing from index", "an index lacks a row; 'tracklog db vacuum' makes it anew"),
        ("wrong # of entries in index", "an index is wrong; 'tracklog db vacuum' makes it anew"),
        ("failed to get page", "the page cannot be read from the disk"),
        ("Multiple uses", "two rows claim the same bytes: the page was overwritten"),
        ("Fragmentation", "the page's own account of its bytes is wrong"),
        ("out of range", "the page was overwritten; rows on it are lost"),
        ("NULL value in", "a value that must be there is missing"),
        ("non-INTEGER value", "a value is of the wrong kind: the row was overwritten"),
        ("freelist", "the list of free pages is wrong; no row is on them"),
    ]
}
