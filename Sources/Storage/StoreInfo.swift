import CSQLite
public import GNSS
import Glibc

/// What a database is and holds, told from its sums alone, whatever its size.
public struct StoreInfo: Equatable, Sendable {
    /// The database.
    public var path = ""
    /// Version of its schema.
    public var schema = 0
    /// Version of the SQLite library that reads it.
    public var library = ""
    /// Bytes of the file.
    public var bytes: Int64 = 0
    /// Bytes of its write-ahead log.
    public var logBytes: Int64 = 0
    /// Bytes in it that nothing uses.
    public var freeBytes: Int64 = 0
    /// Owner's number and the mode of the file.
    public var owner: UInt32 = 0
    /// Permissions of the file, as in `chmod`.
    public var mode: UInt32 = 0
    /// Fixes by verdict.
    public var counts = FixCounts()
    /// The sequence up to which everything is on the disk.
    public var durableSequence: Int64 = 0
    /// The earliest time of a fix.
    public var begin: UTCTime?
    /// The latest time of a fix.
    public var end: UTCTime?
    /// Segments recorded so far.
    public var segments: Int64 = 0
    /// Gaps recorded so far.
    public var gaps: Int64 = 0
    /// Receiver cycles recorded so far.
    public var cycles: Int64 = 0
    /// The last start of the daemon; `nil` when it never recorded.
    public var lastRun: StoredRun?
    /// Damaged databases that were moved aside to make place for this one.
    public var damaged: [String] = []
}

extension TrackReader {
    /// What the database is and holds.
    public func info() throws(StoreError) -> StoreInfo {
        try snapshot { () throws(StoreError) in
            var info = StoreInfo()
            info.path = path
            info.schema = schema
            info.library = unsafe String(cString: sqlite3_libversion())
            info.bytes = StoreFile.size(of: path)
            info.logBytes = StoreFile.size(of: NewDatabase.resolved(path) + "-wal")
            info.freeBytes =
                try (database.number("PRAGMA freelist_count") ?? 0)
                * (database.number("PRAGMA page_size") ?? 0)
            var status = stat()
            if unsafe stat(path, &status) == 0 {
                (info.owner, info.mode) = (status.st_uid, status.st_mode & 0o7777)
            }
            let ledger = try Ledger(of: database)
            info.counts = ledger.counts
            info.durableSequence = try newestSequence()
            (info.begin, info.end) = try FixQuery.times(ledger, in: database)
            info.segments =
                try database.number(
                    "SELECT id FROM segment ORDER BY first_sequence DESC LIMIT 1") ?? 0
            info.gaps = try database.number("SELECT max(id) FROM gap") ?? 0
            info.cycles = try database.number("SELECT max(id) FROM cycle") ?? 0
            info.lastRun = try lastRun()
            info.damaged = StoreFile.damagedCopies(of: path)
            return info
        }
    }
}

extension FixQuery {
    /// The earliest and the latest time of all fixes.
    static func times(
        _ ledger: Ledger, in database: Database
    ) throws(StoreError) -> (UTCTime?, UTCTime?) {
        var all = ledger.all
        let full = try ChunkGroups.times(in: database)
        all.widen(full.from)
        all.widen(full.to)
        return (
            all.timeFrom.map(UTCTime.init(milliseconds:)),
            all.timeTo.map(UTCTime.init(milliseconds:))
        )
    }
}
