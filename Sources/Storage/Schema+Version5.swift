extension Schema {
    /// Places of groups, so that a box is found as a time is; the names that imported fixes were given elsewhere.
    static var tablesOfVersion5: String {
        """
        ALTER TABLE chunk_group ADD COLUMN south INTEGER; -- kept ones, 1e-7 degrees
        ALTER TABLE chunk_group ADD COLUMN west INTEGER;
        ALTER TABLE chunk_group ADD COLUMN north INTEGER;
        ALTER TABLE chunk_group ADD COLUMN east INTEGER;
        \(placeGroups);
        CREATE TABLE origin ( -- runs of imported fixes by the name that the database they are from gave them
            first_sequence INTEGER PRIMARY KEY,
            last_sequence INTEGER NOT NULL,
            store TEXT NOT NULL, -- name of that database
            sequence INTEGER NOT NULL -- of the first there; the others follow by one
        ) STRICT;
        CREATE INDEX origin_name ON origin (store, sequence);
        """
    }

    /// Sums the places of all groups up.
    static var placeGroups: String {
        """
        UPDATE chunk_group SET (south, west, north, east) =
        (SELECT min(south), min(west), max(north), max(east) FROM chunk
        WHERE chunk.id BETWEEN chunk_group.id << 6 AND chunk_group.id << 6 | 63)
        """
    }
}
