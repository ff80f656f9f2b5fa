import Glibc

/// Which file a name stands for.
struct FileID: Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// The file that a path leads to; `nil` when that cannot be told, with the cause in `errno`.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file that is open.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }
}
