import CSQLite
import Glibc

/// One connection to a database file.
///
/// Statements keep their connection alive, so the file is closed when the last of them goes.
@safe final class Database {
    let path: String
    let handle: OpaquePointer
    /// The sealed block that was read last, where it is kept.
    var block: (id: Int64, checksum: Int64, rows: [SealedRow])?

    /// How a file is opened.
    enum Access {
        /// For writing; the file must exist.
        case readWrite
        /// For reading beside a writer.
        case readOnly
        /// For reading the file alone: no lock, no write-ahead log, nothing made beside it.
        case immutable
        /// None: what is in it goes with it.
        case memory
    }

    /// The library as it is wanted, from the first opening on.
    private static let configured: Void = CSQLite_configure()

    /// Opens a file.
    ///
    /// The C function is `sqlite3_open_v2`.
    ///
    /// - Parameter name: what it is called in errors, when that is not its path.
    init(path: String, access: Access, named name: String? = nil) throws(StoreError) {
        self.path = name ?? path
        Database.configured
        var handle: OpaquePointer?
        // One thread uses a connection, so SQLite's own mutexes are left out.
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let isWritten = access == .readWrite || access == .memory
        flags |= isWritten ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        var uri = access == .memory ? ":memory:" : Database.uri(path)
        if access == .immutable { uri += "?immutable=1" }
        let code = unsafe sqlite3_open_v2(uri, &handle, flags, nil)
        guard let opened = unsafe handle else {
            throw StoreError(.misuse, path: path, detail: "out of memory")
        }
        guard code == SQLITE_OK else {
            let error = unsafe Database.error(code, opened, path, "open")
            unsafe sqlite3_close(opened)
            throw error
        }
        unsafe self.handle = opened
        unsafe sqlite3_extended_result_codes(opened, 1)
    }

    deinit {
        unsafe sqlite3_close(handle)
    }

    /// Whether SQLite could open the file for reading only.
    var isReadOnly: Bool {
        unsafe sqlite3_db_readonly(handle, "main") == 1
    }

    /// Runs statements that give no rows.
    ///
    /// The C function is `sqlite3_exec`.
    func execute(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, "execute") }
    }

    /// Rows that the last statement changed.
    var changes: Int32 {
        unsafe sqlite3_changes(handle)
    }

    /// The first column of the first row as a number, `nil` for no row or NULL.
    func number(_ sql: String) throws(StoreError) -> Int64? {
        let statement = try Statement(sql, on: self)
        return try statement.step() ? statement.optional(0) : nil
    }

    /// Moves the write-ahead log into the file.
    ///
    /// The C function is `sqlite3_wal_checkpoint_v2`.
    ///
    /// - Returns: whether all of it was moved; a reader may hold some of it back.
    @discardableResult
    func checkpoint(truncating: Bool) throws(StoreError) -> Bool {
        try checkpoint(truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE)
    }

    /// The same, and the log begins anew without giving its room back, which a full disk would not give again.
    func checkpointInPlace() throws(StoreError) {
        try checkpoint(SQLITE_CHECKPOINT_RESTART)
    }

    @discardableResult
    private func checkpoint(_ mode: Int32) throws(StoreError) -> Bool {
        var frames: Int32 = 0
        var moved: Int32 = 0
        var code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", mode, &frames, &moved)
        if code == SQLITE_OK, frames < 0 {
            // A connection that has read nothing yet does not know that there is a log.
            _ = try number("PRAGMA schema_version")
            code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", mode, &frames, &moved)
        }
        if code & 0xFF == SQLITE_BUSY { return false }
        guard code == SQLITE_OK else { throw error(code, "checkpoint") }
        return frames == moved
    }

    /// Gives back the memory of pages that are kept to be read again.
    ///
    /// The C function is `sqlite3_db_release_memory`.
    func releaseMemory() {
        unsafe sqlite3_db_release_memory(handle)
    }

    /// The error for a result code of this connection.
    func error(_ code: Int32, _ call: String) -> StoreError {
        unsafe Database.error(code, handle, path, call)
    }

    private static func error(
        _ code: Int32, _ handle: OpaquePointer, _ path: String, _ call: String
    ) -> StoreError {
        // The library forgets the system's word when a COMMIT fails; the thread still has it.
        let known = unsafe sqlite3_system_errno(handle)
        let failed = [SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN].contains(code & 0xFF)
        let systemError = known != 0 || !failed ? known : errno
        var detail = unsafe "\(call): \(String(cString: sqlite3_errstr(code)))"
        if systemError != 0 { detail += unsafe " (\(String(cString: strerror(systemError))))" }
        let kind: StoreError.Kind
        switch code & 0xFF {
        case SQLITE_FULL: kind = .diskFull
        case SQLITE_IOERR:
            let full = [ENOSPC, EDQUOT, EFBIG].contains(systemError)
            kind = full ? .diskFull : systemError == EROFS ? .readOnly : .inputOutput
        case SQLITE_READONLY, SQLITE_PERM: kind = .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: kind = .busy
        case SQLITE_CANTOPEN: kind = .cannotOpen
        case SQLITE_NOTADB: kind = .notADatabase
        case SQLITE_CORRUPT: kind = .damaged
        default: kind = .misuse
        }
        return StoreError(kind, path: path, detail: detail)
    }

    /// The path as SQLite's URI file name, so that `?` and `%` in it mean themselves.
    private static func uri(_ path: String) -> String {
        var text = path.hasPrefix("/") ? "file://" : "file:./"
        for character in path.unicodeScalars {
            switch character {
            case "?": text += "%3f"
            case "#": text += "%23"
            case "%": text += "%25"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}

/// A prepared statement, finalized exactly once when its owner goes away.
@safe struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let database: Database

    /// Compiles `sql` for repeated use.
    ///
    /// The C function is `sqlite3_prepare_v3`.
    init(_ sql: String, on database: Database) throws(StoreError) {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let compiled = unsafe handle else {
            // What does not compile misses a table or column that its version has: the schema was damaged.
            throw database.error(code == SQLITE_ERROR ? SQLITE_CORRUPT : code, "prepare")
        }
        unsafe self.handle = compiled
        self.database = database
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Sets parameter `index` (from 1) to a number.
    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) {
        unsafe sqlite3_bind_int64(handle, index, value)
    }

    /// Sets parameter `index` (from 1) to a number or NULL.
    @inline(__always)
    func bind(_ index: Int32, _ value: Int64?) {
        if let value {
            unsafe sqlite3_bind_int64(handle, index, value)
        } else {
            unsafe sqlite3_bind_null(handle, index)
        }
    }

    /// Sets parameter `index` (from 1) to text or NULL.
    func bind(_ index: Int32, text: String?) {
        if let text {
            unsafe sqlite3_bind_text(handle, index, text, -1, CSQLite_transient())
        } else {
            unsafe sqlite3_bind_null(handle, index)
        }
    }

    /// Sets parameter `index` (from 1) to bytes.
    func bind(_ index: Int32, blob: [UInt8]) {
        unsafe sqlite3_bind_blob64(
            handle, index, blob, UInt64(blob.count), CSQLite_transient())
    }

    /// Sets parameter `index` (from 1) to a floating-point number.
    func bind(_ index: Int32, real: Double) {
        unsafe sqlite3_bind_double(handle, index, real)
    }

    /// Goes to the next row; `false` after the last.
    func step() throws(StoreError) -> Bool {
        errno = 0
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = database.error(code, "step")
            unsafe sqlite3_reset(handle)
            throw error
        }
        return false
    }

    /// Runs a statement without rows and makes it ready for the next time.
    @inline(__always)
    func run() throws(StoreError) {
        _ = try step()
        unsafe sqlite3_reset(handle)
    }

    /// Ends a query, so that it holds no snapshot.
    func reset() {
        unsafe sqlite3_reset(handle)
    }

    /// Column `index` (from 0) as a number; 0 for NULL.
    @inline(__always)
    func number(_ index: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, index)
    }

    /// Column `index` (from 0) as a number, `nil` for NULL.
    @inline(__always)
    func optional(_ index: Int32) -> Int64? {
        unsafe sqlite3_column_type(handle, index) == SQLITE_NULL
            ? nil : sqlite3_column_int64(handle, index)
    }

    /// Column `index` (from 0) as text, `nil` for NULL.
    func text(_ index: Int32) -> String? {
        unsafe sqlite3_column_text(handle, index).map { unsafe String(cString: $0) }
    }

    /// Column `index` (from 0) as bytes, `nil` for NULL.
    func blob(_ index: Int32) -> [UInt8]? {
        guard let start = unsafe sqlite3_column_blob(handle, index) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, index))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
