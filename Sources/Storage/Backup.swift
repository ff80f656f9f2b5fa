import CSQLite
import Glibc

/// A copy of a database as it was at one moment, made while the daemon records into it.
public enum Backup {
    /// Pages of one step; between steps the person is told.
    private static let pages: Int32 = 256

    /// Copies a database, reads the copy from end to end, and only then gives it its name.
    ///
    /// The copy is one file without a write-ahead log. The C functions are those of `sqlite3_backup`.
    ///
    /// - Parameters:
    ///   - path: the database.
    ///   - target: the copy; a file of that name is replaced.
    ///   - replaces: whether that file may be a database.
    ///   - progress: told how far it is.
    public static func run(
        from path: String, to target: String, replaces: Bool = false,
        progress: (CopyProgress) -> Void
    ) throws(StoreError) {
        let source = try TrackReader(path: path).database
        let copy = try NewDatabase(
            target, from: path, mode: TrackStore.Options().fileMode, replaces: replaces)
        // One snapshot for all steps: what is recorded meanwhile does not make it begin again.
        try source.execute("BEGIN")
        _ = try source.number("SELECT count(*) FROM sqlite_schema")
        try copyPages(of: source, to: copy.aside, progress)
        try source.execute("COMMIT")
        progress(CopyProgress(stage: .verifying, done: 0, total: 0))
        try copy.finish()
    }

    private static func copyPages(
        of source: Database, to path: String, _ progress: (CopyProgress) -> Void
    ) throws(StoreError) {
        let target = try Database(path: path, access: .readWrite)
        // Nothing but a whole copy is kept, so it needs no journal, and is synced once at the end.
        try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        guard let backup = unsafe sqlite3_backup_init(target.handle, "main", source.handle, "main")
        else { throw target.error(unsafe sqlite3_errcode(target.handle), "backup") }
        var code = SQLITE_OK
        while code == SQLITE_OK {
            code = unsafe sqlite3_backup_step(backup, pages)
            let total = unsafe Int64(sqlite3_backup_pagecount(backup))
            let rest = unsafe Int64(sqlite3_backup_remaining(backup))
            progress(CopyProgress(stage: .copying, done: total - rest, total: total))
        }
        let failed = code == SQLITE_DONE ? nil : target.error(code, "backup")
        unsafe sqlite3_backup_finish(backup)
        if let failed { throw failed }
        try target.execute("PRAGMA journal_mode = DELETE")
    }
}
