import Glibc

/// A database file that is made beside its place and takes it when it is whole and sound.
///
/// Under the final name there is never anything but the old file or the whole new one.
final class NewDatabase {
    /// Where it is made.
    let aside: String
    private let path: String
    private let place: FilePlace?
    private var isFinished = false

    /// Makes an empty file beside a path.
    ///
    /// - Parameters:
    ///   - path: the final name; what is there is replaced at the end.
    ///   - source: the database it is made from, which the path must not name.
    ///   - replaces: whether a database that is there is to go.
    convenience init(
        _ path: String, from source: String, mode: UInt32, replaces: Bool
    ) throws(StoreError) {
        // A link goes on pointing to the file.
        let path = NewDatabase.resolved(path)
        guard !StoreFile.isPart(path, of: source) else {
            throw StoreError(.occupied, path: path, detail: "it is the database itself")
        }
        try StoreFile.refuseOtherKinds(path)
        try self.init(path, FilePlace(path, for: .database(replaces: replaces)), mode: mode)
    }

    /// Makes an empty file beside one that it will replace, with its owner and mode.
    convenience init(_ path: String, replacing status: stat) throws(StoreError) {
        try self.init(path, nil, mode: status.st_mode & 0o777)
        // Only root may give a file away; anybody else owns both.
        _ = unsafe chown(aside, status.st_uid, status.st_gid)
        _ = unsafe chmod(aside, status.st_mode & 0o777)
    }

    private init(_ path: String, _ place: FilePlace?, mode: UInt32) throws(StoreError) {
        self.path = path
        self.place = place
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        aside = "\(path[..<slash]).\(path[slash...]).\(getpid()).part"
        StoreFile.removeLeftovers(of: path)
        _ = unsafe unlink(aside)
        let descriptor = unsafe open(aside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw StoreLock.error(path, "create") }
        close(descriptor)
    }

    deinit {
        guard !isFinished else { return }
        for ending in ["", "-journal", "-wal", "-shm"] { _ = unsafe unlink(aside + ending) }
    }

    /// Reads every page of it, makes it durable and gives it its name; no connection may have it open.
    func finish() throws(StoreError) {
        try verify()
        let descriptor = unsafe open(aside, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreLock.error(path, "open") }
        let isSynced = fsync(descriptor) == 0
        let failed = errno
        close(descriptor)
        guard isSynced else {
            errno = failed
            throw StoreLock.error(path, "sync")
        }
        if let place {
            try place.take(aside)
        } else {
            guard unsafe rename(aside, path) == 0 else { throw StoreLock.error(path, "rename") }
            NewDatabase.syncFolder(of: path)
        }
        isFinished = true
    }

    private func verify() throws(StoreError) {
        let database = try Database(path: aside, access: .immutable)
        let check = try Statement("PRAGMA integrity_check(1)", on: database)
        let isSound = try check.step() && check.text(0) == "ok"
        guard isSound else {
            throw StoreError(.damaged, path: path, detail: "the copy: \(check.text(0) ?? "")")
        }
    }

    /// Makes a name durable.
    static func syncFolder(of path: String) {
        let descriptor = unsafe open(
            StoreFile.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The path with its links followed, to where nothing is yet too.
    static func resolved(_ path: String) -> String {
        var path = path
        // As many links in a row as Linux follows.
        for _ in 0..<40 {
            if let real = unsafe realpath(path, nil) {
                defer { unsafe free(real) }
                return unsafe String(cString: real)
            }
            var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = unsafe target.withUnsafeMutableBytes { bytes in
                unsafe bytes.baseAddress.map { unsafe readlink(path, $0, bytes.count) } ?? 0
            }
            guard count > 0 else { return path }
            let text = String(decoding: target[..<count], as: UTF8.self)
            path = text.hasPrefix("/") ? text : "\(StoreFile.folder(of: path))/\(text)"
        }
        return path
    }
}

/// How far the making of a copy is.
public struct CopyProgress: Equatable, Sendable {
    /// What is being done.
    public enum Stage: Equatable, Sendable {
        /// Pages are written.
        case copying
        /// Every page of the copy is read.
        case verifying
    }

    /// What is being done.
    public var stage: Stage
    /// How much of it is done.
    public var done: Int64
    /// How much there is; 0 when that is not known.
    public var total: Int64
}
