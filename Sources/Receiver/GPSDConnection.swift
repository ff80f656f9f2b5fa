import Glibc
import Scheduling

/// One TCP connection to gpsd that never blocks.
final class GPSDConnection {
    /// What a read gave.
    enum Input {
        case bytes(Int)
        /// Nothing is there now.
        case nothing
        /// gpsd has closed the connection, or the network has: 0 or an `errno`.
        case closed(Int32)
    }

    let descriptor: Int32

    /// Begins to connect to a numeric address; the descriptor becomes writable when that has ended.
    ///
    /// - Throws: an `errno` when it fails at once.
    init(host: String, port: UInt16) throws(ConnectError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        // A numeric address is converted, not looked up.
        guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0,
            let address = unsafe found
        else { throw ConnectError(code: EADDRNOTAVAIL) }
        defer { unsafe freeaddrinfo(address) }
        let kind = unsafe address.pointee.ai_socktype | O_NONBLOCK | O_CLOEXEC
        descriptor = unsafe socket(address.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw ConnectError(code: errno) }
        // Reports wait here while the loop sleeps: room for a minute and more.
        var room: Int32 = 512 * 1024
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        let code = unsafe connect(
            descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen)
        if code != 0, errno != EINPROGRESS {
            let code = errno
            close(descriptor)
            throw ConnectError(code: code)
        }
    }

    deinit {
        close(descriptor)
    }

    /// How the connecting has ended: 0 or an `errno`.
    var connectResult: Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            return errno
        }
        return code
    }

    /// How long nothing has come from the other end, whether it was read or not; `nil` when that is not known.
    ///
    /// The call is `getsockopt` with `TCP_INFO` (tcp(7)). A buffer that is full takes nothing in either.
    var silence: TimeSpan? {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0
        else { return nil }
        return .milliseconds(Int64(info.tcpi_last_data_recv))
    }

    /// Fills `buffer` from its front with what is there.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Input {
        while true {
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .closed(0) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .nothing
            default: return .closed(errno)
            }
        }
    }

    /// Sends a short request whole; false when the connection cannot take it, which then is of no more use.
    func send(_ request: String) -> Bool {
        let bytes = Array(request.utf8)
        let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        return count == bytes.count
    }
}

/// Why a connection cannot be made.
struct ConnectError: Error {
    let code: Int32
}
