import Glibc

/// The word beside a database that a damaged one was moved aside and nobody has said yet to have noticed.
///
/// A file `PATH.degraded` that holds the name of the damaged one, or of the database itself when it was removed or
/// replaced under the daemon; it outlives the daemon.
public enum DamageNote {
    /// The damaged database that waits to be noticed; `nil` when there is none.
    public static func read(_ path: String) -> String? {
        guard let size = fileSize(path), size > 0, size < 8192 else { return nil }
        let descriptor = unsafe open(note(path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let bytes = PageImage.read(descriptor, at: 0, size) else { return nil }
        return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    }

    /// Takes note that somebody has noticed.
    ///
    /// - Returns: the damaged database; `nil` when none waited.
    @discardableResult
    public static func acknowledge(_ path: String) throws(StoreError) -> String? {
        let path = NewDatabase.resolved(path)
        guard let damaged = read(path) else { return nil }
        guard unsafe unlink(note(path)) == 0 || errno == ENOENT else {
            throw StoreLock.error(note(path), "remove")
        }
        return damaged
    }

    /// Whether the word is that the database itself was removed or replaced.
    public static func isLoss(_ damaged: String, of path: String) -> Bool {
        damaged == NewDatabase.resolved(path)
    }

    /// Leaves the word; a full disk costs it, not the recording.
    static func write(_ path: String, damaged: String) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe open(note(path), flags, 0o640)
        guard descriptor >= 0 else { return }
        let line = Array("\(damaged)\n".utf8)
        _ = unsafe Glibc.write(descriptor, line, line.count)
        close(descriptor)
    }

    private static func note(_ path: String) -> String {
        path + ".degraded"
    }

    private static func fileSize(_ path: String) -> Int? {
        let size = StoreFile.size(of: note(path), orElse: -1)
        return size < 0 ? nil : Int(size)
    }
}
