import Foundation
import Platform
import Scheduling
import Testing

/// A gpsd that does what a test asks, on a free port of this machine and without a thread of its own.
final class FakeGPSD {
    /// Whether it greets and answers; a gpsd that was stopped accepts connections all the same.
    var answers = true
    /// What it says it has.
    var devices = ["/dev/gnss0"]
    private(set) var connections = 0
    private(set) var requests: [String] = []
    let port: UInt16
    private let listener: Int32
    private var clients: [Int32] = []

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let name = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        precondition(name)
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        drop()
        close(listener)
    }

    /// Accepts, reads and answers what is there.
    func serve() {
        while true {
            let client = accept(listener, nil, nil)
            if client < 0 { break }
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            var one: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
            connections += 1
            clients.append(client)
            if answers {
                send(
                    "{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\","
                        + "\"proto_major\":3,\"proto_minor\":14}\r\n")
            }
        }
        for client in clients {
            var block = [UInt8](repeating: 0, count: 4096)
            let count = recv(client, &block, block.count, 0)
            guard count > 0 else { continue }
            requests.append(String(decoding: block.prefix(count), as: UTF8.self))
            guard answers, requests.last?.contains("\"enable\":true") == true else { continue }
            let list = devices.map {
                "{\"class\":\"DEVICE\",\"path\":\"\($0)\",\"activated\":\"2026-05-01T10:00:00.000Z\"}"
            }
            send(
                "{\"class\":\"DEVICES\",\"devices\":[\(list.joined(separator: ","))]}\r\n"
                    + "{\"class\":\"WATCH\",\"enable\":true,\"json\":true}\r\n")
        }
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        for client in clients {
            _ = Foundation.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Sends noise to the last client as fast as it is taken, from a thread of its own.
    func flood(bytes: Int) -> Flood { Flood(clients[clients.count - 1], bytes) }

    /// A flood under way.
    final class Flood: @unchecked Sendable {
        private let lock = NSLock()
        private var left: Int

        fileprivate init(_ client: Int32, _ bytes: Int) {
            left = bytes
            let copy = dup(client)
            Thread.detachNewThread { [self] in
                let noise = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
                while !isOver {
                    var wish = pollfd(fd: copy, events: Int16(POLLOUT), revents: 0)
                    poll(&wish, 1, 100)
                    let sent = Foundation.send(copy, noise, noise.count, Int32(MSG_NOSIGNAL))
                    if sent > 0 { lock.withLock { left -= sent } }
                }
                close(copy)
            }
        }

        /// Whether all of it was sent.
        var isOver: Bool { lock.withLock { left <= 0 } }

        func end() { lock.withLock { left = 0 } }
    }

    /// Whether all that was sent lies in the other end's sockets.
    var isDelivered: Bool {
        clients.allSatisfy { client in
            var waiting: Int32 = 0
            return ioctl(client, UInt(TIOCOUTQ), &waiting) == 0 && waiting == 0
        }
    }

    /// Closes all connections.
    func drop() {
        for client in clients { close(client) }
        clients = []
    }
}

extension EventLoop {
    /// Runs until `condition` holds; the test fails after `limit` seconds.
    func run(
        upTo limit: Double = 20, _ serve: () -> Void = {}, until condition: () -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let end = SystemClock.now + .seconds(limit)
        while !condition() {
            if SystemClock.now > end {
                Issue.record("did not happen within \(limit) s", sourceLocation: location)
                return
            }
            serve()
            try step(atMost: .milliseconds(5))
        }
    }
}
