/// Tells a database of this program whose header is damaged from one of another program or of a later version: those have
/// other tables.
extension Schema {
    private static let tables = """
        SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema
        WHERE type IN ('table', 'index') AND sql NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY name)
        """

    /// The version whose tables and indexes a database has, to the letter; `nil` for none.
    static func version(byTablesOf database: Database) throws(StoreError) -> Int? {
        let found = try text(of: database)
        let made = try Database(path: "", access: .memory)
        for (index, step) in steps.enumerated() {
            try made.execute(step)
            if try text(of: made) == found { return index + 1 }
        }
        return nil
    }

    private static func text(of database: Database) throws(StoreError) -> String? {
        let statement = try Statement(tables, on: database)
        return try statement.step() ? statement.text(0) : nil
    }
}
