/// Coordinates of a stretch of a table, blanked while rows of it are removed and put back afterwards.
///
/// SQLite's `secure_delete` clears what a removed row took, yet a page that becomes half empty is merged with its
/// neighbours, and the copies its rows leave behind in the free middle of a page are not cleared. So every row that
/// may move is blanked first, in place, by numbers of the same length (SQLite file format, section 2.1); what moves
/// and stays behind is blank.
struct Scrubbing {
    /// A table with coordinates, all of them integers.
    enum Table {
        case fix
        case corrected
        case chunk
        case group
        case segment
        case mark
        case block

        var name: String {
            switch self {
            case .fix: "fix"
            case .corrected: "corrected"
            case .chunk: "chunk"
            case .group: "chunk_group"
            case .segment: "segment"
            case .mark: "mark"
            case .block: "block"
            }
        }

        /// Rows on either side that a merge of pages may move: more than three pages of the smallest ones.
        fileprivate var margin: Int { self == .block ? 2 : 512 }

        fileprivate var key: String {
            switch self {
            case .fix, .corrected: "sequence"
            case .chunk, .group, .mark, .block: "id"
            case .segment: "first_sequence"
            }
        }

        fileprivate var coordinates: [String] {
            switch self {
            case .fix, .corrected, .mark: ["lat", "lon"]
            case .chunk, .group, .segment, .block: ["south", "west", "north", "east"]
            }
        }
    }

    private let table: Table
    private let database: Database
    /// The rows as they were, the key first.
    private var rows: [[Int64?]] = []

    /// Blanks rows with keys in a range, and their neighbours.
    init(
        _ table: Table, _ range: ClosedRange<Int64>, in database: Database
    ) throws(StoreError) {
        self.table = table
        self.database = database
        let key = table.key
        let from =
            try database.number(
                """
                SELECT min(\(key)) FROM (SELECT \(key) FROM \(table.name)
                WHERE \(key) < \(range.lowerBound) ORDER BY \(key) DESC LIMIT \(table.margin))
                """) ?? range.lowerBound
        let through =
            try database.number(
                """
                SELECT max(\(key)) FROM (SELECT \(key) FROM \(table.name)
                WHERE \(key) > \(range.upperBound) ORDER BY \(key) LIMIT \(table.margin))
                """) ?? range.upperBound
        let read = try Statement(
            """
            SELECT \(key), \(table.coordinates.joined(separator: ", ")) FROM \(table.name)
            WHERE \(key) BETWEEN ? AND ?
            """, on: database)
        read.bind(1, from)
        read.bind(2, through)
        while try read.step() {
            rows.append((0...table.coordinates.count).map { read.optional(Int32($0)) })
        }
        let blank = table.coordinates.map { "\($0) = \(Scrubbing.blank($0))" }
        let update = try Statement(
            "UPDATE \(table.name) SET \(blank.joined(separator: ", ")) WHERE \(key) BETWEEN ? AND ?",
            on: database)
        update.bind(1, from)
        update.bind(2, through)
        try update.run()
    }

    /// Puts the coordinates back of rows that are still there, but those that were written anew.
    func restore(except isNew: (_ key: Int64) -> Bool = { _ in false }) throws(StoreError) {
        let places = table.coordinates.map { "\($0) = ?" }.joined(separator: ", ")
        let update = try Statement(
            "UPDATE \(table.name) SET \(places) WHERE \(table.key) = ?", on: database)
        for row in rows {
            guard let key = row[0], !isNew(key) else { continue }
            for index in 1..<row.count { update.bind(Int32(index), row[index]) }
            update.bind(Int32(row.count), key)
            try update.run()
        }
    }

    /// SQL for a number that takes as many bytes as a column's and says nothing else.
    private static func blank(_ column: String) -> String {
        var text = "CASE WHEN \(column) IS NULL OR \(column) IN (0, 1) THEN \(column)"
        for bits in [8, 16, 24, 32, 48] {
            let limit = Int64(1) << (bits - 1)
            let less = bits == 8 ? 2 : Int64(1) << (bits == 48 ? 31 : bits - 9)
            text += " WHEN \(column) BETWEEN \(-limit) AND \(limit - 1) THEN \(less)"
        }
        return text + " ELSE \(Int64(1) << 47) END"
    }
}
