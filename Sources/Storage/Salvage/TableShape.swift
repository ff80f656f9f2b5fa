/// How the rows of a table look, by which a page that has lost its place is known again.
struct TableShape {
    /// One column.
    struct Column {
        /// As declared: INTEGER, TEXT, REAL or BLOB.
        var type: String
        var isRequired: Bool
    }

    let name: String
    let columns: [Column]
    /// The column that is the row's number; `nil` when none is.
    let key: Int?

    /// Columns that a table had when it was made, where later versions have added some.
    private static let first = ["chunk": 9, "cycle": 10]

    /// The tables of a database; SQLite's own and what is made anew from others are left out.
    static func all(of database: Database) throws(StoreError) -> [TableShape] {
        let names = try Statement(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
            AND name <> 'tally' AND substr(name, 1, 6) <> 'chunk_' ORDER BY rowid
            """, on: database)
        var shapes: [TableShape] = []
        while try names.step() {
            shapes.append(try TableShape(names.text(0) ?? "", in: database))
        }
        return shapes
    }

    private init(_ name: String, in database: Database) throws(StoreError) {
        let statement = try Statement(
            "SELECT type, \"notnull\", pk FROM pragma_table_info(?1)", on: database)
        statement.bind(1, text: name)
        var columns: [Column] = []
        var key: Int?
        while try statement.step() {
            let type = statement.text(0) ?? ""
            if statement.number(2) == 1, type == "INTEGER" { key = columns.count }
            columns.append(Column(type: type, isRequired: statement.number(1) == 1))
        }
        self.name = name
        self.columns = columns
        self.key = key
    }

    /// Whether a row can be one of this table.
    ///
    /// Columns that were added to the table later are missing from older rows.
    func fits(_ row: FoundRow) -> Bool {
        let counts = (TableShape.first[name] ?? columns.count)...columns.count
        guard counts.contains(row.values.count) else { return false }
        for (index, column) in columns.prefix(row.values.count).enumerated() {
            switch row.values[index] {
            case .null: if column.isRequired, index != key { return false }
            case .integer: if column.type != "INTEGER" || index == key { return false }
            case .real: if column.type != "REAL" { return false }
            case .text: if column.type != "TEXT" { return false }
            case .blob: if column.type != "BLOB" { return false }
            }
        }
        return name != "fix" || TableShape.isFix(row)
    }

    /// Whether the numbers of a row of `fix` can be those of a fix.
    private static func isFix(_ row: FoundRow) -> Bool {
        func number(_ index: Int) -> Int64? {
            if case .integer(let number) = row.values[index] { number } else { nil }
        }
        guard row.rowid > 0, row.values.count == 12, let lag = number(2), let latitude = number(3),
            let longitude = number(4), let quality = number(10), let flags = number(11)
        else { return false }
        let scale: Int64 = quality >> FixRow.Quality.fine & 1 == 1 ? 1_000_000_000 : 10_000_000
        return lag & 1023 < 1000 && latitude.magnitude <= 90 * scale
            && longitude.magnitude <= 180 * scale && quality >= 0 && flags.magnitude < 1 << 40
            && number(1)?.magnitude ?? 0 < 1 << 36
    }
}
