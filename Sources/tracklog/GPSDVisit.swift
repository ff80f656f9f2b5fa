import Configuration
import Glibc
import JSON

/// A short visit to a gpsd: what it says of itself and of its receivers.
///
/// It asks for no reports, so that it opens no receiver that sleeps.
struct GPSDVisit {
    /// How the visit went.
    enum Outcome: Equatable {
        case unknownHost(String)
        case unreachable(Int32)
        /// It takes the connection and says nothing.
        case silent
        case answered
    }

    /// A receiver as gpsd lists it.
    struct Receiver: Equatable {
        var path: String
        var driver: String?
        var isOpen: Bool
    }

    private(set) var outcome = Outcome.unreachable(ENOENT)
    private(set) var release = ""
    private(set) var receivers: [Receiver] = []

    /// Visits a gpsd for at most some seconds.
    init(_ server: HostPort, seconds: Int = 3) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(server.host, "\(server.port)", &hints, &list)
        guard code == 0 else {
            outcome = .unknownHost(unsafe String(cString: gai_strerror(code)))
            return
        }
        defer { unsafe freeaddrinfo(list) }
        var next = unsafe list
        while let address = unsafe next?.pointee {
            unsafe next = unsafe address.ai_next
            let descriptor = unsafe socket(
                address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            // They bound the time that connect(2) and recv(2) may take (socket(7)).
            var limit = timeval(tv_sec: seconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            guard unsafe connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
                outcome = .unreachable(errno)
                continue
            }
            outcome = .silent
            ask(descriptor)
            return
        }
    }

    private mutating func ask(_ descriptor: Int32) {
        let request = Array("?DEVICES;\r\n".utf8)
        guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return
        }
        var input: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while input.count < 1 << 20 {
            let count = unsafe recv(descriptor, &block, block.count, 0)
            guard count > 0 else { return }
            input += block.prefix(count)
            while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(input[..<end])
                input.removeFirst(end + 1)
                if take(line) { return }
            }
        }
    }

    /// Takes one report; true when it was the last that is waited for.
    private mutating func take(_ line: [UInt8]) -> Bool {
        guard let report = try? JSONValue.parse(line) else { return false }
        switch report["class"]?.string {
        case "VERSION":
            outcome = .answered
            release = report["release"]?.string ?? ""
        case "DEVICES":
            outcome = .answered
            receivers = (report["devices"]?.array ?? []).compactMap { device in
                guard let path = device["path"]?.string else { return nil }
                return Receiver(
                    path: path, driver: device["driver"]?.string,
                    isOpen: device["activated"]?.string?.isEmpty == false)
            }
            return true
        default: break
        }
        return false
    }
}
