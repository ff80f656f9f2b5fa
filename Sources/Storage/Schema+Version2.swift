/// What version 2 adds: marks, removal on purpose, sealed blocks, the name of the database.
extension Schema {
    static var tablesOfVersion2: String {
        """
        ALTER TABLE chunk ADD COLUMN fixes INTEGER; -- of it, NULL in chunks of version 1
        ALTER TABLE chunk ADD COLUMN kept INTEGER;
        CREATE TABLE store ( -- one row
            id TEXT NOT NULL, -- 32 hexadecimal digits, made by chance with the database
            created INTEGER NOT NULL, -- s since 1970 by the host's clock
            thinned INTEGER NOT NULL -- the last chunk that was thinned, -1 for none
        ) STRICT;
        INSERT INTO store VALUES (lower(hex(randomblob(16))), unixepoch(), -1);
        CREATE TABLE issued ( -- the greatest number given, of tables that rows were removed from
            name TEXT PRIMARY KEY, -- of the table
            number INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mark ( -- points a person asked to keep
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run,
            sequence INTEGER, -- of the fix it was made at
            time INTEGER, -- ms since 1970
            lat INTEGER, lon INTEGER, -- 1e-7 degrees, as received
            title TEXT NOT NULL,
            note TEXT,
            photo TEXT -- path or URI
        ) STRICT;
        CREATE TABLE removal ( -- what was removed on purpose, without a place
            id INTEGER PRIMARY KEY,
            time INTEGER NOT NULL, -- ms since 1970 by the host's clock
            cause TEXT NOT NULL, -- forget, keep_for, keep_rows, keep_bytes or thin
            fixes INTEGER NOT NULL,
            marks INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE block ( -- sealed fixes, compressed; tracklog db unseal makes rows of them
            id INTEGER PRIMARY KEY, -- sequence >> 12
            first_sequence INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL,
            fixes INTEGER NOT NULL,
            kept INTEGER NOT NULL,
            time_from INTEGER, time_to INTEGER, -- ms since 1970
            south INTEGER, west INTEGER, north INTEGER, east INTEGER, -- kept ones, 1e-7 degrees
            format INTEGER NOT NULL,
            checksum INTEGER NOT NULL, -- CRC-32 of data | 1 << 32
            data BLOB NOT NULL
        ) STRICT;
        """
    }
}
