import Glibc

/// Who is at the other end of a Unix socket, as the kernel saw it when it connected.
public struct PeerCredentials: Equatable, Sendable {
    /// The process; 0 when it lives in another pid namespace.
    public let pid: Int32
    /// The user; 65534 for every user of another user namespace (`PrivateUsers=`).
    public let uid: UInt32
    /// The main group.
    public let gid: UInt32

    /// Credentials.
    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }

    /// The groups of the process beside its main one (`SO_PEERGROUPS`); none when the kernel does not tell.
    static func groups(of descriptor: Int32) -> [UInt32] {
        // asm-generic/socket.h, which the Glibc module lacks.
        let option: Int32 = 59
        var groups = [UInt32](repeating: 0, count: 64)
        for _ in 0..<2 {
            var size = socklen_t(groups.count * 4)
            if unsafe getsockopt(descriptor, SOL_SOCKET, option, &groups, &size) == 0 {
                return Array(groups.prefix(Int(size) / 4))
            }
            // ERANGE: the size says how many there are.
            guard errno == ERANGE, size <= 65_536 * 4 else { return [] }
            groups = [UInt32](repeating: 0, count: Int(size) / 4)
        }
        return []
    }

    /// Asks the kernel (`SO_PEERCRED`); `nil` when `descriptor` is no connected Unix socket.
    init?(of descriptor: Int32) {
        // struct ucred of unix(7), which the Glibc module lacks: pid, uid, gid.
        var words: [UInt32] = [0, 0, 0]
        var size = socklen_t(MemoryLayout<UInt32>.size * words.count)
        let whole = size
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &words, &size) == 0,
            size == whole
        else { return nil }
        self.init(pid: Int32(bitPattern: words[0]), uid: words[1], gid: words[2])
    }
}
