import Configuration
import Glibc
import JSON
import Scheduling

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
        /// It takes the connection and closes it without a word.
        case closed
        /// What answers is no gpsd; what it is, where that is known by its first words.
        case other(String?)
        /// It greets as a gpsd and does not say what receivers it has.
        case greeted
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
    /// The major version of the protocol it speaks.
    private(set) var protocolMajor = 3
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
            ask(descriptor, until: Self.now + .seconds(Double(seconds)))
            return
        }
    }

    private static var now: BootTime {
        var time = timespec()
        // Fails only for a clock that does not exist.
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return BootTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    private mutating func ask(_ descriptor: Int32, until end: BootTime) {
        let request = Array("?DEVICES;\r\n".utf8)
        guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return outcome = .closed
        }
        var input: [UInt8] = []
        var first: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        // Who drips or floods is not waited for.
        while Self.now < end {
            let count = unsafe recv(descriptor, &block, block.count, 0)
            guard count > 0 else {
                let isSilent = count < 0 && (errno == EAGAIN || errno == EINTR)
                if outcome == .silent, !isSilent { outcome = .closed }
                break
            }
            if first.count < 64 { first += block.prefix(count) }
            input += block.prefix(count)
            while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(input[..<end])
                input.removeFirst(end + 1)
                if take(line) { return }
            }
            // The line of a gpsd ends before (GPS_JSON_RESPONSE_MAX is 10,240).
            if input.count > 1 << 16 { break }
        }
        if outcome != .greeted, !first.isEmpty { outcome = .other(Self.kind(first, request)) }
    }

    /// What speaks so; `nil` for what is not known.
    private static func kind(_ words: [UInt8], _ request: [UInt8]) -> String? {
        if words.starts(with: request.prefix(words.count)) { return "it repeats what it is told" }
        if words.starts(with: "SSH-".utf8) { return "it is an SSH server" }
        if words.starts(with: "HTTP/".utf8) { return "it is a web server" }
        // RFC 8446, section 5.1: an alert, version 3.x.
        if words.starts(with: [21, 3]) { return "it is a TLS server" }
        if words.starts(with: "$G".utf8) || words.starts(with: "!AI".utf8) {
            return "it speaks NMEA 0183, which gpsd reads with a device of tcp://host:port"
        }
        return nil
    }

    /// Takes one report; true when it was the last that is waited for.
    private mutating func take(_ line: [UInt8]) -> Bool {
        guard let report = try? JSONValue.parse(line) else { return false }
        switch report["class"]?.string {
        case "VERSION":
            outcome = .greeted
            release = report["release"]?.string ?? ""
            protocolMajor = Int(clamping: report["proto_major"]?.integer ?? 3)
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
