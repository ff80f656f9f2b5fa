extension Schema {
    /// Sums of chunks, so that a time is found among a hundred million fixes as fast as among one.
    static var tablesOfVersion4: String {
        """
        CREATE TABLE chunk_group ( -- times of 64 chunks each, written when they are full
            id INTEGER PRIMARY KEY, -- chunk.id >> 6
            time_from INTEGER, time_to INTEGER -- ms since 1970, all fixes
        ) STRICT;
        \(fillGroups);
        """
    }

    /// How many chunks a row of `chunk_group` covers, as a shift.
    static let groupShift: Int64 = 6

    /// Makes the rows of all groups but the last one, whose chunks may not be full.
    static var fillGroups: String {
        """
        INSERT OR REPLACE INTO chunk_group (id, time_from, time_to)
        SELECT id >> 6, min(time_from), max(time_to) FROM chunk
        WHERE id >> 6 < (SELECT max(id) >> 6 FROM chunk) GROUP BY id >> 6
        """
    }
}
