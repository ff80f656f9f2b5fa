import Glibc

extension StoreFile {
    /// What SQLite and the store keep under a database's name.
    private static let endings = ["", "-wal", "-shm", "-journal", ".lock"]

    /// Gives the names in a directory, in no order; none when it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let entries = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            names.append(
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    /// The last part of a path.
    static func name(of path: String) -> String {
        String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    }

    /// Whether a path leads to a database or a file that belongs to it, spelled or linked however; neither need exist.
    static func isPart(_ path: String, of database: String) -> Bool {
        let path = NewDatabase.resolved(path)
        let database = NewDatabase.resolved(database)
        return endings.contains { isSame(path, database + $0) }
    }

    /// Refuses a hard link to a database that is used by another name in the directory: its log is known by that name
    /// alone, so the file would be read, and written, without it.
    static func refuseOtherName(_ path: String) throws(StoreError) {
        let file = NewDatabase.resolved(path)
        var status = stat()
        guard unsafe stat(file, &status) == 0, status.st_nlink > 1 else { return }
        let own = FileID(file)
        let folder = folder(of: file)
        for name in names(in: folder) where name.hasSuffix("-wal") || name.hasSuffix("-journal") {
            let log = "\(folder)/\(name)"
            let owner = String(log[..<(log.lastIndex(of: "-") ?? log.endIndex)])
            guard owner != file, size(of: log) > 0, FileID(owner) == own else { continue }
            throw StoreError(
                .cannotOpen, path: path,
                detail: "it is another name of \(owner), which has a log; use that name")
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        if let first = identity(one), let second = identity(other) { return first == second }
        guard name(of: one) == name(of: other), let first = identity(folder(of: one)) else {
            return false
        }
        return identity(folder(of: other)).map { $0 == first } ?? false
    }

    private static func identity(_ path: String) -> [UInt64]? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    /// Removes what programs that were killed left of a new file of this name: `.NAME.PID.part` and SQLite's beside it.
    static func removeLeftovers(of path: String) {
        let folder = folder(of: path)
        let beginning = ".\(name(of: path))."
        for found in names(in: folder) where found.hasPrefix(beginning) {
            let rest = found.dropFirst(beginning.count)
            let digits = rest.prefix { "0"..."9" ~= $0 }
            guard let owner = Int32(digits),
                endings.contains(where: { rest == digits + ".part" + $0 }),
                kill(owner, 0) != 0, errno == ESRCH
            else { continue }
            _ = unsafe unlink("\(folder)/\(found)")
        }
    }
}

/// What a program that writes files beside a database asks before it does.
public enum DatabaseFiles {
    /// Whether a path leads to a database or to a file that belongs to it (log, shared memory, lock).
    ///
    /// Links and other spellings are seen through; neither file need exist.
    public static func isPart(_ path: String, of database: String) -> Bool {
        StoreFile.isPart(path, of: database)
    }

    /// Removes what programs that were killed left of a file that was made beside its place.
    public static func removeLeftovers(of path: String) {
        StoreFile.removeLeftovers(of: path)
    }
}
