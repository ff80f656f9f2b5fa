import Glibc

/// A copy of a database and its write-ahead log, made where SQLite cannot read the log in its place.
///
/// SQLite reads a log through an index that it makes beside it. On a card that is mounted read-only after a power cut,
/// or without the right to write there, it cannot, and the file alone lacks the newest fixes. The copy is the reader's
/// own (mode 0600 in a folder of mode 0700) and is gone from its folder before anything is read of it.
enum ReadingCopy {
    private static let beginning = ".tracklog-read."

    private static let endings = [""] + StoreFile.logs

    /// Opens a copy with its log moved into it.
    ///
    /// - Throws: ``StoreError/Kind/cannotOpen`` with what is to be done, when no copy can be made.
    static func open(
        _ path: String, in places: [String] = ReadingCopy.places
    ) throws(StoreError) -> Database {
        do throws(StoreError) {
            let place = try place(
                of: places, for: endings.reduce(0) { $0 + StoreFile.size(of: path + $1) })
            removeLeftovers(in: place)
            let folder = "\(place)/\(beginning)\(getpid())"
            guard unsafe mkdir(folder, 0o700) == 0 else { throw StoreLock.error(folder, "mkdir") }
            defer { remove(folder) }
            let copy = folder + "/copy.db"
            let before = state(of: path)
            for ending in endings where StoreFile.size(of: path + ending) > 0 {
                try copyFile(path + ending, to: copy + ending)
            }
            guard before == state(of: path) else { throw StoreError(.busy, path: path) }
            try settle(copy)
            return try Database(path: copy, access: .immutable, named: path)
        } catch {
            guard error.kind != .busy, error.kind != .damaged else { throw error }
            throw StoreError(
                .cannotOpen, path: path,
                detail: "its write-ahead log can be read only where one may write, and no copy of "
                    + "both could be made (\(error)); copy \(path) and \(path)-wal to a place "
                    + "where you may write, or name one with TMPDIR")
        }
    }

    /// Moves the log into the copy, which is then one file.
    private static func settle(_ copy: String) throws(StoreError) {
        let database = try Database(path: copy, access: .readWrite)
        try database.execute(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE"
        )
    }

    /// What changes when somebody writes to either file.
    private static func state(of path: String) -> [Int64] {
        endings.flatMap { ending -> [Int64] in
            var status = stat()
            guard unsafe stat(path + ending, &status) == 0 else { return [] }
            return [
                Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
                Int64(status.st_ino),
            ]
        }
    }

    /// Where temporary files go.
    private static var places: [String] {
        let named = unsafe getenv("TMPDIR").flatMap { unsafe String(validatingCString: $0) }
        return named.map { [$0] } ?? ["/var/tmp", "/tmp"]
    }

    /// The first of some directories with so much room.
    private static func place(of places: [String], for bytes: Int64) throws(StoreError) -> String {
        for place in places {
            var room = statvfs()
            guard unsafe access(place, W_OK | X_OK) == 0, unsafe statvfs(place, &room) == 0 else {
                continue
            }
            if UInt64(room.f_bavail) &* UInt64(room.f_frsize) > UInt64(bytes) { return place }
        }
        throw StoreError(
            .diskFull, path: places.joined(separator: " and "),
            detail: "\(bytes >> 20 + 1) MiB are needed")
    }

    private static func copyFile(_ path: String, to copy: String) throws(StoreError) {
        let source = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw StoreLock.error(path, "open") }
        defer { close(source) }
        let target = unsafe Glibc.open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw StoreLock.error(copy, "create") }
        defer { close(target) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe read(source, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StoreLock.error(path, "read") }
            guard count > 0 else { return }
            var done = 0
            while done < count {
                let written = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe write(target, buffer.baseAddress.map { unsafe $0 + done }, count - done)
                }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw StoreLock.error(copy, "write") }
                done += written
            }
        }
    }

    private static func remove(_ folder: String) {
        for ending in ["", "-wal", "-shm", "-journal"] {
            _ = unsafe unlink(folder + "/copy.db" + ending)
        }
        _ = unsafe rmdir(folder)
    }

    /// Removes what programs that were killed left.
    private static func removeLeftovers(in place: String) {
        for name in StoreFile.names(in: place) where name.hasPrefix(beginning) {
            guard let owner = Int32(name.dropFirst(beginning.count)), kill(owner, 0) != 0,
                errno == ESRCH
            else { continue }
            remove("\(place)/\(name)")
        }
    }
}
