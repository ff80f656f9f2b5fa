import GNSS

/// The tables, and the steps from each version of them to the next.
///
/// Each step runs in one transaction. A released step is never changed; a new version is one more step.
enum Schema {
    /// `PRAGMA application_id`: the letters `trkl`.
    static let applicationID: Int64 = 0x7472_6B6C
    /// The version this program writes, `PRAGMA user_version`.
    static let version = steps.count

    /// What a later program may call its version; a greater number is none, but damage.
    static let laterVersions = version + 1...9999

    /// The steps: the first makes version 1 out of an empty file.
    ///
    /// Views are no part of them: ``StoreFile`` makes those of this program in whatever version it opens to write.
    /// Made when asked for, as all texts of the schema: only opening needs them.
    static var steps: [String] {
        [tables, tablesOfVersion2, tablesOfVersion3, tablesOfVersion4, tablesOfVersion5]
    }

    /// How many sequence numbers a row of `chunk` covers, as a shift.
    static let chunkShift: Int64 = 10
    /// The bits of a sequence within its chunk.
    static let chunkMask: Int64 = 1023

    private static var tables: String {
        """
        CREATE TABLE fix ( -- as recorded, packed; the views fixes and track have the plain values
            sequence INTEGER PRIMARY KEY, -- recording order
            time INTEGER, -- seconds since 1970, NULL while the date is unknown
            ms_lag INTEGER NOT NULL, -- milliseconds of the second | lag behind clock << 10
            lat INTEGER NOT NULL, -- 1e-7 degrees (1e-9 if quality & 16)
            lon INTEGER NOT NULL,
            heights INTEGER, -- above sea and geoid separation
            speed_course INTEGER, -- (mm/s + 1) * 36001 + 0.01 degrees + 1
            dop INTEGER, -- 10 bits each of hdop, vdop, pdop, tdop, gdop in 0.01
            eph_epv_climb INTEGER, -- 16 bits each of mm, mm, mm/s + 16384
            eps_epc_ept INTEGER, -- 16 bits each of mm/s, 0.01 degrees, us
            quality INTEGER NOT NULL, -- mode, status, satellites, receiver
            flags INTEGER NOT NULL -- 0 to 15 reject the fix, 16 to 31 are notes
        ) STRICT;
        CREATE TABLE detail ( -- what of a fix is rare or large
            sequence INTEGER PRIMARY KEY,
            \(DetailRow.columns.map { "\($0.name) INTEGER" }.joined(separator: ", "))
        ) STRICT;
        CREATE TABLE corrected ( -- 1e-9 degrees and mm
            sequence INTEGER PRIMARY KEY,
            lat INTEGER NOT NULL,
            lon INTEGER NOT NULL,
            alt_msl INTEGER,
            alt_hae INTEGER,
            correction INTEGER NOT NULL REFERENCES correction
        ) STRICT;
        CREATE TABLE correction (
            id INTEGER PRIMARY KEY, digest TEXT NOT NULL, text TEXT NOT NULL
        ) STRICT;
        CREATE TABLE run ( -- one start of tracklogd
            id INTEGER PRIMARY KEY,
            boot_id TEXT NOT NULL,
            started INTEGER NOT NULL, -- ms since 1970 by the host's clock
            started_boot INTEGER NOT NULL, -- ms since boot
            source TEXT NOT NULL,
            config TEXT NOT NULL, -- digest of the settings
            version TEXT NOT NULL,
            ended TEXT -- NULL while it runs
        ) STRICT;
        CREATE TABLE clock ( -- the host's and the fixes' clock side by side
            sequence INTEGER PRIMARY KEY, -- holds from here on
            run INTEGER NOT NULL REFERENCES run,
            boot INTEGER NOT NULL, -- ms since boot
            time INTEGER -- ms since 1970
        ) STRICT;
        CREATE TABLE source ( -- logs that were replayed and how far
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            settings TEXT NOT NULL, -- digest of the decoder's settings
            bytes INTEGER NOT NULL,
            hash INTEGER NOT NULL, -- of those bytes
            fixes INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE segment ( -- unbroken runs of kept fixes
            first_sequence INTEGER PRIMARY KEY,
            last_sequence INTEGER, -- NULL while it lasts; the rest is then as of the last chunk
            id INTEGER NOT NULL,
            fixes INTEGER NOT NULL,
            time_from INTEGER, -- ms since 1970
            time_to INTEGER,
            south INTEGER, west INTEGER, north INTEGER, east INTEGER -- 1e-7 degrees
        ) STRICT;
        CREATE TABLE gap (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run,
            after_sequence INTEGER,
            time_from INTEGER, -- ms since 1970
            time_to INTEGER,
            duration INTEGER NOT NULL, -- ms by the host's clock
            reason INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE cycle ( -- receiver on-periods
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run,
            began INTEGER NOT NULL, -- ms since boot
            ended INTEGER,
            began_because TEXT NOT NULL,
            ended_because TEXT,
            time_to_first_fix INTEGER, -- ms
            fixes INTEGER NOT NULL,
            kept INTEGER NOT NULL,
            best_eph INTEGER -- mm
        ) STRICT;
        CREATE TABLE chunk ( -- summaries of 1024 sequence numbers each, written when full
            id INTEGER PRIMARY KEY, -- sequence >> 10
            time_from INTEGER, time_to INTEGER, -- ms since 1970, all fixes
            kept_from INTEGER, kept_to INTEGER, -- kept ones
            south INTEGER, west INTEGER, north INTEGER, east INTEGER -- kept ones, 1e-7 degrees
        ) STRICT;
        CREATE INDEX chunk_kept_to ON chunk (kept_to);
        CREATE TABLE tally ( -- fixes by reason as of the last chunk
            reason INTEGER PRIMARY KEY, -- bit of fix.flags that rejected them, 0 for kept
            fixes INTEGER NOT NULL
        ) STRICT;
        """
    }
}
