/// The rows of `chunk_group`: by them a query by time finds its chunks without looking at every one.
///
/// A range of a group may be wider than its chunks', never narrower.
struct ChunkGroups: ~Copyable {
    private let statement: Statement

    init(_ database: Database) throws(StoreError) {
        statement = try Statement(
            """
            INSERT OR REPLACE INTO chunk_group SELECT ?1, min(time_from), max(time_to) FROM chunk
            WHERE id BETWEEN ?1 << 6 AND ?1 << 6 | 63
            """, on: database)
    }

    /// Sums a full group up.
    func run(_ group: Int64) throws(StoreError) {
        statement.bind(1, group)
        try statement.run()
    }

    /// Sums the group of a chunk up anew after fixes were removed; one without chunks goes.
    static func renew(chunk: Int64, in database: Database) throws(StoreError) {
        let group = chunk >> Schema.groupShift
        try database.execute(
            """
            UPDATE chunk_group SET (time_from, time_to) = (SELECT min(time_from), max(time_to)
            FROM chunk WHERE id BETWEEN \(group << 6) AND \(group << 6 | 63)) WHERE id = \(group);
            DELETE FROM chunk_group WHERE id = \(group) AND NOT EXISTS
            (SELECT 1 FROM chunk WHERE id BETWEEN \(group << 6) AND \(group << 6 | 63))
            """)
    }

    /// The ranges of chunks that may have a fix of a time: those of full groups that reach into it, and the rest.
    static func ranges(
        from: Int64, to: Int64, in database: Database
    ) throws(StoreError) -> [ClosedRange<Int64>] {
        // Databases of version 1 have none.
        guard try database.number("PRAGMA user_version") ?? 0 >= 4 else { return [0...Int64.max] }
        let groups = try Statement(
            "SELECT id FROM chunk_group WHERE time_to >= ?1 AND time_from <= ?2 ORDER BY id",
            on: database)
        groups.bind(1, from)
        groups.bind(2, to)
        var ranges: [ClosedRange<Int64>] = []
        while try groups.step() {
            let first = groups.number(0) << Schema.groupShift
            ranges.append(first...(first | (1 << Schema.groupShift - 1)))
        }
        ranges.append(try rest(of: database)...Int64.max)
        return ranges
    }

    /// The first chunk that belongs to no group yet.
    static func rest(of database: Database) throws(StoreError) -> Int64 {
        guard let last = try database.number("SELECT max(id) FROM chunk_group") else { return 0 }
        return (last + 1) << Schema.groupShift
    }

    /// The earliest and the latest time of all full chunks.
    static func times(in database: Database) throws(StoreError) -> (from: Int64?, to: Int64?) {
        let isGrouped = try database.number("PRAGMA user_version") ?? 0 >= 4
        let groups =
            isGrouped ? "SELECT time_from, time_to FROM chunk_group UNION ALL " : ""
        let statement = try Statement(
            """
            SELECT min(time_from), max(time_to) FROM (\(groups)
            SELECT time_from, time_to FROM chunk WHERE id >= ?1)
            """, on: database)
        statement.bind(1, isGrouped ? try rest(of: database) : 0)
        guard try statement.step() else { return (nil, nil) }
        return (statement.optional(0), statement.optional(1))
    }
}
