import Glibc

/// The name that a new file shall get, where no database is lost by it.
///
/// A database, its log and the files that belong to it are never replaced but by another database, and only when a
/// person says so; one that a daemon records into is not replaced at all. A log that is left of a database which is not
/// there any more would be laid over the new one, so nothing is put beside it.
public final class FilePlace {
    /// What the new file is.
    public enum Content: Sendable {
        /// A database; it takes the place of another one when that is wanted.
        case database(replaces: Bool)
        /// Anything else.
        case other
    }

    /// The name, with its links followed.
    public let path: String
    private let content: Content
    /// The database that is there, which nobody else has open.
    private var former: SoleDatabase?

    /// Looks at what is there.
    ///
    /// - Throws: ``StoreError/Kind/occupied`` or ``StoreError/Kind/locked(pid:)`` when it has to stay.
    public init(_ path: String, for content: Content) throws(StoreError) {
        self.path = NewDatabase.resolved(path)
        self.content = content
        if try isDatabase() {
            var status = stat()
            guard unsafe stat(self.path, &status) == 0 else {
                throw StoreLock.error(self.path, "stat")
            }
            former = try SoleDatabase(self.path, mode: status.st_mode & 0o777)
        }
    }

    /// Gives a file that is whole and durable the name, and makes that durable.
    public func take(_ aside: String) throws(StoreError) {
        if let former {
            try former.shutOthersOut()
        } else if try isDatabase() {
            // Somebody was quicker.
            throw StoreError(.busy, path: path)
        } else if case .database = content {
            // Without content, both; a program that still has them open keeps them.
            for ending in ["-wal", "-shm"] { _ = unsafe unlink(path + ending) }
        }
        guard unsafe rename(aside, path) == 0 else { throw StoreLock.error(path, "rename") }
        NewDatabase.syncFolder(of: path)
    }

    /// Whether a database is there that shall be replaced.
    private func isDatabase() throws(StoreError) -> Bool {
        for ending in ["-wal", "-shm", "-journal", ".lock"] where path.hasSuffix(ending) {
            let owner = String(path.dropLast(ending.count))
            try StoreLock.refuseHeld(owner)
            guard try FilePlace.kind(owner) != .database else {
                throw StoreError(
                    .occupied, path: path, detail: "it belongs to the database \(owner)")
            }
        }
        try StoreLock.refuseHeld(path)
        switch try FilePlace.kind(path) {
        case .database:
            guard case .database(replaces: let replaces) = content else {
                throw StoreError(
                    .occupied, path: path, detail: "is a database; name another file")
            }
            guard replaces else {
                throw StoreError(
                    .occupied, path: path,
                    detail: "is a database; name another file, move it away together with "
                        + "its -wal, or give it up with --replace")
            }
            return true
        case .log:
            throw StoreError(
                .occupied, path: path, detail: "is the log of a database; name another file")
        case .other:
            for (log, _) in StoreFile.strayLogs(of: path) where try FilePlace.kind(log) == .log {
                throw StoreError(
                    .occupied, path: path,
                    detail: "beside it is \(log), the log of a database that is not there; "
                        + "move it to that database or remove it")
            }
            return false
        }
    }

    private enum Kind {
        case database
        case log
        case other
    }

    /// What a file is by its first bytes (SQLite, "Database File Format", sections 1.3.1, 3 and 4.1).
    ///
    /// A database that this process has open must not be asked for: its locks would go (see ``StoreLock``).
    private static func kind(_ path: String) throws(StoreError) -> Kind {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .other
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // It may be anything, a track too.
            throw StoreLock.error(path, "it is there and cannot be read")
        }
        defer { close(descriptor) }
        guard let bytes = PageImage.read(descriptor, at: 0, 16) else { return .other }
        if bytes.elementsEqual("SQLite format 3\0".utf8) { return .database }
        let isLog =
            bytes.starts(with: [0x37, 0x7F, 0x06, 0x82])
            || bytes.starts(with: [0x37, 0x7F, 0x06, 0x83])
            || bytes.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        return isLog ? .log : .other
    }
}
