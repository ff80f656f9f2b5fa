import Glibc

/// A database that nobody else has open and that has no log beside it, so that another file may take its place.
///
/// A write-ahead log belongs to one file and is known by its name alone: beside another file its pages would be laid
/// over that one. So the log is moved into the old file and deleted before, which SQLite does only while nobody else
/// has it open; a power cut leaves the old file whole at each step.
final class SoleDatabase {
    /// The old one, without a write-ahead log.
    let database: Database
    private let path: String
    private let lock: StoreLock
    private let state: Int64?

    /// Takes the right to write it and brings it into one file.
    ///
    /// - Parameter path: the database, its links followed.
    init(_ path: String, mode: UInt32) throws(StoreError) {
        self.path = path
        lock = try StoreLock(database: path, mode: mode)
        database = try Database(path: path, access: .readWrite)
        guard !database.isReadOnly else { throw StoreError(.readOnly, path: path) }
        try database.execute("PRAGMA busy_timeout = 1000; PRAGMA synchronous = FULL")
        try database.execute("PRAGMA journal_mode = DELETE")
        state = try database.number("PRAGMA data_version")
    }

    /// Keeps everybody out of the old file until this goes away.
    ///
    /// - Throws: ``StoreError/Kind/busy`` when somebody has changed it meanwhile.
    func shutOthersOut() throws(StoreError) {
        try database.execute("BEGIN EXCLUSIVE")
        guard try database.number("PRAGMA data_version") == state,
            ["-wal", "-journal"].allSatisfy({ StoreFile.size(of: path + $0) == 0 })
        else { throw StoreError(.busy, path: path) }
        // That the log is gone must be on the medium before another file has the name.
        NewDatabase.syncFolder(of: path)
    }
}
