import Glibc

/// What one client was not yet able to take.
struct OutputQueue {
    enum Progress {
        /// Everything is out.
        case done
        /// The client has taken some and its buffer is full.
        case some
        /// Its buffer is full.
        case none
        /// It is gone.
        case failed
    }

    private var bytes: [UInt8] = []
    private var head = 0
    private var isMidLine = false

    /// Bytes that are waiting.
    var count: Int {
        bytes.count - head
    }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes += more
    }

    /// Hands the client what it takes at once.
    mutating func flush(to descriptor: Int32) -> Progress {
        var progress = Progress.none
        while head < bytes.count {
            let sent = unsafe bytes[head...].withUnsafeBytes { memory in
                unsafe send(
                    descriptor, memory.baseAddress, memory.count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard sent > 0 else {
                if errno == EINTR { continue }
                guard errno == EAGAIN || errno == EWOULDBLOCK else { return .failed }
                // Moving the rest is cheaper than keeping what was sent, and rare.
                bytes.removeSubrange(..<head)
                head = 0
                return progress
            }
            head += sent
            isMidLine = bytes[head - 1] != UInt8(ascii: "\n")
            progress = .some
        }
        head = 0
        // A client that has read everything holds no memory.
        bytes = []
        return .done
    }

    /// Forgets every line of which nothing was sent; the client can read on at a line's begin.
    mutating func keepStartedLine() {
        let rest = bytes[head...]
        guard isMidLine, let feed = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            bytes = []
            head = 0
            return
        }
        bytes = Array(rest[...feed])
        head = 0
    }
}
