import Glibc
public import StatusProtocol

/// A listening Unix stream socket made by the daemon itself; closing it removes its file.
public final class UnixListener {
    /// The socket.
    public let descriptor: Int32
    /// Where it listens.
    public let address: UnixAddress
    /// Whether the group that was asked for has it; `nil` when none was asked for.
    public private(set) var hasGroup: Bool?

    /// The file as it was made: one that somebody put there since is not removed.
    private var file: (device: dev_t, inode: ino_t)?
    private var isClosed = false

    /// Listens at an address.
    ///
    /// A socket file that nobody listens on any more is replaced; anything else in its place is left alone.
    /// - Parameters:
    ///   - mode: permissions of the file.
    ///   - group: the name of the group that owns the file; one that does not exist is passed over.
    public init(
        at address: UnixAddress, mode: UInt32 = 0o660, group: String? = nil
    ) throws(ListenError) {
        self.address = address
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(bitPattern: kind), 0)
        guard descriptor >= 0 else {
            throw .system(call: "socket", path: address.text, code: errno)
        }
        do throws(ListenError) {
            if address.isAbstract {
                try bind()
            } else {
                try bindFile(mode: mode, group: group)
            }
            guard Glibc.listen(descriptor, SOMAXCONN) == 0 else {
                throw .system(call: "listen", path: address.text, code: errno)
            }
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Stops listening and removes the file.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        // The file first: between the two a client is refused, not kept waiting.
        if let file, let status = status(), status.st_dev == file.device,
            status.st_ino == file.inode
        {
            _ = unsafe unlink(address.text)
        }
        _ = Glibc.close(descriptor)
    }

    // MARK: Binding

    private func bind() throws(ListenError) {
        let descriptor = descriptor
        let code = unsafe address.withSockaddr { pointer, length in
            unsafe Glibc.bind(descriptor, pointer, length) == 0 ? 0 : errno
        }
        switch code {
        case 0: return
        case EADDRINUSE: throw .inUse(path: address.text, pid: probe().pid)
        default: throw .system(call: "bind", path: address.text, code: code)
        }
    }

    private func bindFile(mode: UInt32, group: String?) throws(ListenError) {
        // Two daemons that start at once: one of them looks and binds first.
        let folder = unsafe open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { _ = Glibc.close(folder) } }
        if folder >= 0 { _ = flock(folder, LOCK_EX) }
        if let found = status() {
            guard found.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: address.text) }
            switch probe() {
            case (let pid, 0), (let pid, EAGAIN): throw .inUse(path: address.text, pid: pid)
            case (_, ECONNREFUSED): _ = unsafe unlink(address.text)
            case (_, let code): throw .system(call: "connect", path: address.text, code: code)
            }
        }
        // The file is born with the mode of the socket (unix(7)): open to nobody until its group is right.
        _ = fchmod(descriptor, 0o600)
        try bind()
        file = status().map { ($0.st_dev, $0.st_ino) }
        // Listening under the lock: until then a connection is refused, as by a dead daemon's socket.
        _ = Glibc.listen(descriptor, SOMAXCONN)
        if let group { hasGroup = give(to: group) }
        guard unsafe chmod(address.text, mode) == 0 else {
            throw .system(call: "chmod", path: address.text, code: errno)
        }
    }

    /// Connects to what is there: the other end's process and 0, or why not.
    private func probe() -> (pid: Int32?, code: Int32) {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, Int32(bitPattern: kind), 0)
        guard descriptor >= 0 else { return (nil, errno) }
        defer { _ = Glibc.close(descriptor) }
        let code = unsafe address.withSockaddr { pointer, length in
            unsafe connect(descriptor, pointer, length) == 0 ? 0 : errno
        }
        // Who listens, as of the time when it began to.
        let pid = code == 0 ? PeerCredentials(of: descriptor)?.pid : nil
        return (pid == 0 ? nil : pid, code)
    }

    private func give(to name: String) -> Bool {
        guard let wanted = unsafe getgrnam(name)?.pointee.gr_gid else { return false }
        // A confined service may not change owners, and has no need to: it runs under that group.
        if let found = status(), found.st_gid == wanted { return true }
        return unsafe chown(address.text, uid_t.max, wanted) == 0
    }

    private func status() -> stat? {
        var found = stat()
        return unsafe lstat(address.text, &found) == 0 ? found : nil
    }

    private var folderPath: String {
        guard let slash = address.text.lastIndex(of: "/") else { return "." }
        return slash == address.text.startIndex ? "/" : String(address.text[..<slash])
    }
}
