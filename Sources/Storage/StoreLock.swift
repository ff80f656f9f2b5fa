import Glibc

/// The right to write one database, held by at most one open store on this machine.
///
/// An open-file-description lock on `PATH.lock`: the database itself is never opened by hand, because
/// closing it would drop SQLite's own locks (SQLite, "How To Corrupt", section 2.2). The file holds the
/// owner's process id and goes away with the lock.
final class StoreLock {
    // F_OFD_GETLK and F_OFD_SETLK of <fcntl.h>, which glibc shows with _GNU_SOURCE only.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    private let path: String
    private let descriptor: Int32

    /// Takes the lock of a database.
    ///
    /// - Throws: ``StoreError/Kind/locked(pid:)`` when another store holds it.
    init(database: String, mode: UInt32) throws(StoreError) {
        path = database + ".lock"
        while true {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
            guard descriptor >= 0 else { throw StoreLock.error(database, "lock file") }
            var request = flock()
            request.l_type = Int16(F_WRLCK)
            request.l_whence = Int16(SEEK_SET)
            guard unsafe fcntl(descriptor, StoreLock.setLock, &request) == 0 else {
                let failed = errno
                let pid = StoreLock.owner(descriptor)
                Glibc.close(descriptor)
                guard failed == EAGAIN || failed == EACCES else {
                    errno = failed
                    throw StoreLock.error(database, "lock")
                }
                throw StoreError(.locked(pid: pid), path: database)
            }
            // The owner before may have removed the file between our open and our lock.
            if let held = FileID(descriptor), held == FileID(path) {
                let text = Array("\(getpid())\n".utf8)
                ftruncate(descriptor, 0)
                // The lock counts, not the text: a full disk only costs the next one the process id.
                _ = unsafe pwrite(descriptor, text, text.count, 0)
                self.descriptor = descriptor
                return
            }
            Glibc.close(descriptor)
        }
    }

    /// Refuses a path whose database a store has open, also one that was removed under it.
    ///
    /// - Throws: ``StoreError/Kind/locked(pid:)``.
    static func refuseHeld(_ database: String) throws(StoreError) {
        let descriptor = unsafe open(database + ".lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        defer { Glibc.close(descriptor) }
        var request = flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        guard unsafe fcntl(descriptor, getLock, &request) == 0, request.l_type != Int16(F_UNLCK)
        else { return }
        throw StoreError(.locked(pid: owner(descriptor)), path: database)
    }

    /// Whether others who want the right find it taken.
    var isInPlace: Bool {
        FileID(descriptor) == FileID(path)
    }

    deinit {
        if isInPlace { _ = unsafe unlink(path) }
        Glibc.close(descriptor)
    }

    private static func owner(_ descriptor: Int32) -> Int32? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = unsafe pread(descriptor, &text, text.count, 0)
        guard count > 0 else { return nil }
        let digits = text[..<count].prefix { $0 >= 48 && $0 <= 57 }
        return Int32(String(decoding: digits, as: UTF8.self))
    }

    /// What a failed call on a file means for a person.
    static func error(_ path: String, _ call: String) -> StoreError {
        let code = errno
        let kind: StoreError.Kind =
            switch code {
            case ENOSPC, EDQUOT: .diskFull
            case EROFS, EACCES, EPERM: .readOnly
            default: .cannotOpen
            }
        var detail = unsafe "\(call): \(String(cString: strerror(code)))"
        var room = statvfs()
        if code == ENOSPC, unsafe statvfs(StoreFile.folder(of: path), &room) == 0,
            room.f_favail == 0, room.f_bavail > 0
        {
            detail += ", there is room but no inode for another file"
        }
        return StoreError(kind, path: path, detail: detail)
    }
}
