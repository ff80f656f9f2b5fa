import Glibc

/// The bytes of one log as they lie in a file or come down a pipe, from the beginning as often as asked.
///
/// A file is read again; what is read of a pipe is kept, in memory at first and then in a file without a
/// name, until ``keepsRead`` is cleared.
final class LogInput {
    let path: String
    /// Whether what is read of a pipe can be read again after ``rewind()``.
    var keepsRead = true
    /// How long a read of a pipe that is still written waits for more.
    var patience = Patience.forever
    /// Whether the last read gave up waiting; what it gave is not the end then.
    var isStarved = false
    /// Device and inode of a file; `nil` for pipes.
    let identity: FileIdentity?

    enum Patience: Equatable {
        case none
        case forever
        /// So many tenths of a second, those begun included.
        case tenths(Int)
    }

    let descriptor: Int32
    private let start: off_t
    private var kept: [UInt8] = []
    private var spool: Int32 = -1
    private var keptCount = 0
    private var position = 0

    /// What a pipe may leave in memory before it is spooled.
    private static let keptInMemory = 512 * 1024

    /// Opens a log; `-` is standard input.
    init(path: String) throws(ReplayError) {
        let descriptor: Int32
        if path == "-" {
            self.path = "standard input"
            descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        } else {
            self.path = path
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        }
        guard descriptor >= 0 else {
            throw ReplayError.unreadable(path: self.path, code: errno)
        }
        self.descriptor = descriptor
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw ReplayError.unreadable(path: self.path, code: code)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            close(descriptor)
            throw ReplayError.directory(path: self.path)
        case S_IFREG:
            identity = FileIdentity(
                device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
                size: Int64(status.st_size))
            start = max(0, lseek(descriptor, 0, SEEK_CUR))
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        default:
            identity = nil
            start = 0
        }
    }

    deinit {
        close(descriptor)
        if spool >= 0 { close(spool) }
    }

    /// Fills `buffer` from its front.
    ///
    /// - Returns: how many bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReplayError) -> Int {
        if identity == nil, position < keptCount {
            return try unsafe readKept(into: buffer)
        }
        isStarved = identity == nil && !becomesReady()
        if isStarved { return 0 }
        let count = try unsafe retried(buffer) {
            unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        if identity == nil, count > 0 {
            if keepsRead {
                try unsafe keep(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                position += count
            } else if keptCount > 0 {
                forget()
            }
        }
        return count
    }

    /// Whether there is something to read, the end included, before patience ends.
    private func becomesReady() -> Bool {
        while patience != .forever {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&wanted, 1, 0)
            // What poll cannot tell, read does.
            if ready > 0 || ready < 0 && errno != EINTR { return true }
            guard case .tenths(let left) = patience, left > 0 else { return false }
            patience = .tenths(left - 1)
            _ = unsafe poll(&wanted, 1, 100)
        }
        return true
    }

    /// Waits until there is something to read, the end included.
    func wait() {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&wanted, 1, -1)
    }

    /// Goes back to the first byte.
    func rewind() throws(ReplayError) {
        if identity == nil {
            precondition(keepsRead, "a pipe is rewound only while it is kept: a bug of the caller")
            position = 0
        } else if lseek(descriptor, start, SEEK_SET) < 0 {
            throw ReplayError.unreadable(path: path, code: errno)
        }
    }

    private func readKept(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(ReplayError) -> Int {
        let count: Int
        if position < kept.count {
            count = min(buffer.count, kept.count - position)
            unsafe kept.withUnsafeBytes {
                unsafe buffer.copyMemory(from: .init(rebasing: $0[position..<position + count]))
            }
        } else {
            let place = off_t(position - kept.count)
            let wanted = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<min(buffer.count, keptCount - position)])
            count = try unsafe retried(wanted) {
                unsafe pread(spool, $0.baseAddress, $0.count, place)
            }
        }
        position += count
        return count
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) throws(ReplayError) {
        if spool < 0, kept.count + bytes.count <= LogInput.keptInMemory {
            unsafe kept.append(contentsOf: bytes)
        } else {
            if spool < 0 { spool = try openSpool() }
            var written = 0
            while written < bytes.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = unsafe pwrite(
                    spool, rest.baseAddress, rest.count,
                    off_t(keptCount - kept.count + written))
                if count < 0 {
                    if errno == EINTR { continue }
                    throw ReplayError.unreadable(path: "spool of \(path)", code: errno)
                }
                written += count
            }
        }
        keptCount += bytes.count
    }

    private func forget() {
        kept = []
        keptCount = 0
        position = 0
        if spool >= 0 { close(spool) }
        spool = -1
    }

    /// A file that has no name and goes away with its descriptor.
    private func openSpool() throws(ReplayError) -> Int32 {
        var folders = ["/var/tmp", "/tmp"]
        if let folder = unsafe getenv("TMPDIR") {
            unsafe folders.insert(String(cString: folder), at: 0)
        }
        var code = ENOENT
        for folder in folders {
            var name = Array("\(folder)/tracklog-XXXXXX".utf8CString)
            let descriptor = unsafe mkstemp(&name)
            if descriptor >= 0 {
                unsafe unlink(name)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                return descriptor
            }
            code = errno
        }
        throw ReplayError.unreadable(path: "spool of \(path)", code: code)
    }

    private func retried(
        _ buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeMutableRawBufferPointer) -> Int
    ) throws(ReplayError) -> Int {
        while true {
            let count = unsafe body(buffer)
            if count >= 0 { return count }
            if errno != EINTR { throw ReplayError.unreadable(path: path, code: errno) }
        }
    }
}

/// Which file it is, whatever the path.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
}
