/// The rows of `chunk_group`: by them a query by time or place finds its chunks without looking at every one.
///
/// A range of a group may be wider than its chunks', never narrower.
struct ChunkGroups: ~Copyable {
    private static let sums =
        "min(time_from), max(time_to), min(south), min(west), max(north), max(east)"

    private let statement: Statement

    init(_ database: Database) throws(StoreError) {
        statement = try Statement(
            """
            INSERT OR REPLACE INTO chunk_group SELECT ?1, \(ChunkGroups.sums) FROM chunk
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
        guard try database.number("SELECT 1 FROM chunk_group WHERE id = \(group)") != nil else {
            return
        }
        let scrubbing = try Scrubbing(.group, group...group, in: database)
        try database.execute(
            """
            UPDATE chunk_group SET (time_from, time_to, south, west, north, east) =
            (SELECT \(sums) FROM chunk WHERE id BETWEEN \(group << 6) AND \(group << 6 | 63))
            WHERE id = \(group);
            DELETE FROM chunk_group WHERE id = \(group) AND NOT EXISTS
            (SELECT 1 FROM chunk WHERE id BETWEEN \(group << 6) AND \(group << 6 | 63))
            """)
        try scrubbing.restore { $0 == group }
    }

    /// The ranges of chunks that may have a wanted fix: those of full groups that reach into the limits, and the rest.
    static func ranges(
        _ query: FixQuery, in database: Database
    ) throws(StoreError) -> [ClosedRange<Int64>] {
        let version = try database.number("PRAGMA user_version") ?? 0
        // Databases of version 1 have none, those of version 4 know no places of them.
        let limits = FixQuery.Limits(query, places: version >= 5)
        guard version >= 4, !limits.isEmpty else { return [0...Int64.max] }
        let groups = try Statement(
            "SELECT id FROM chunk_group WHERE \(limits.condition) ORDER BY id", on: database)
        limits.bind(groups)
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
