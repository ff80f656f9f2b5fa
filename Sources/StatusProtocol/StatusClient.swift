import GNSS
import Glibc
public import JSON

/// A connection to the daemon that waits for its answers; for tools, not for the daemon.
public final class StatusClient {
    /// A line that the daemon sent by itself.
    public struct Notification: Equatable, Sendable {
        /// What it is about, as `fix`, `state`, `cycle` or `event`.
        public let method: String
        /// What it says.
        public let params: JSONObject
    }

    /// Longer lines than this are no replies of this daemon.
    private static let longestLine = 4 << 20

    private let descriptor: Int32
    private var input: [UInt8] = []
    private var searched = 0
    private var lastID: Int64 = 0
    private var waiting: [Notification] = []

    /// Connects to the socket at a path or `@name`.
    ///
    /// - Parameter timeout: seconds to wait for a daemon that is busy.
    public init(path: String, timeout: Double = 5) throws(ClientError) {
        let address: UnixAddress
        do throws(UnixAddress.Invalid) {
            address = try UnixAddress(path)
        } catch {
            throw .address(error)
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        // A full queue of connections blocks connect as long as this (unix(7), socket(7)).
        var limit = StatusClient.timeval(timeout)
        let size = socklen_t(MemoryLayout.size(ofValue: limit))
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let descriptor = descriptor
        let code = unsafe address.withSockaddr { pointer, length in
            unsafe connect(descriptor, pointer, length) == 0 ? 0 : errno
        }
        switch code {
        case 0: break
        case ENOENT, ECONNREFUSED, ENOTDIR: throw .notRunning(path: path)
        case EACCES, EPERM: throw .noPermission(path: path)
        case EAGAIN: throw .timedOut
        default: throw .system(call: "connect", code: code)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Asks and waits for the answer; notifications that come in between are kept for ``next(timeout:)``.
    ///
    /// - Parameter timeout: seconds; `nil` waits for ever.
    /// - Returns: the result.
    public func call(
        _ method: String, _ params: JSONObject = JSONObject(), timeout: Double? = 5
    ) throws(ClientError) -> JSONValue {
        try ask(method, params)
        return try answer(timeout: timeout)
    }

    private func ask(_ method: String, _ params: JSONObject = JSONObject()) throws(ClientError) {
        lastID += 1
        var request = TextBuffer()
        request.append(
            request: Request(id: .integer(lastID), method: method, params: params))
        try send(request.bytes)
    }

    private func answer(timeout: Double?) throws(ClientError) -> JSONValue {
        let end = timeout.map { StatusClient.now() + $0 }
        while true {
            let message = try message(until: end)
            if let notification = Notification(message) {
                waiting.append(notification)
                continue
            }
            if let error = message["error"] {
                throw .refused(
                    RPCError(
                        code: error["code"]?.integer ?? RPCError.Code.internalError,
                        message: error["message"]?.string ?? "refused without a reason",
                        field: error["data"]?["field"]?.string))
            }
            guard message["id"]?.integer == lastID, let result = message["result"] else {
                throw .malformed("a reply to something that was not asked")
            }
            return result
        }
    }

    /// Asks for the status.
    ///
    /// - Parameter prepare: is called while the daemon looks for its answer.
    public func status(
        timeout: Double = 5, meanwhile prepare: () -> Void = {}
    ) throws(ClientError) -> StatusReport {
        try ask("status")
        prepare()
        let result = try answer(timeout: timeout)
        do throws(DecodeError) {
            return try StatusReport(result)
        } catch {
            throw .malformed(error.description)
        }
    }

    /// Waits for the next notification after a `watch`.
    ///
    /// - Parameter timeout: seconds; `nil` waits for ever.
    public func next(timeout: Double? = nil) throws(ClientError) -> Notification {
        if !waiting.isEmpty { return waiting.removeFirst() }
        let message = try message(until: timeout.map { StatusClient.now() + $0 })
        if let notification = Notification(message) { return notification }
        if let text = message["error"]?["message"]?.string {
            throw .refused(
                RPCError(
                    code: message["error"]?["code"]?.integer ?? RPCError.Code.internalError,
                    message: text))
        }
        throw .malformed("a reply to something that was not asked")
    }

    // MARK: Lines

    private func message(until end: Double?) throws(ClientError) -> JSONObject {
        let line = try line(until: end)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(line)
        } catch {
            throw .malformed(error.description)
        }
        guard let object = value.object else { throw .malformed("not an object") }
        return object
    }

    /// Waits for one line; it comes without its line feed.
    private func line(until end: Double?) throws(ClientError) -> [UInt8] {
        while true {
            if let feed = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(input[..<feed])
                input.removeSubrange(...feed)
                searched = 0
                return line
            }
            searched = input.count
            guard searched <= StatusClient.longestLine else {
                throw .malformed("a line without end")
            }
            try wait(until: end)
            try receive()
        }
    }

    private func wait(until end: Double?) throws(ClientError) {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            var patience: Int32 = -1
            if let end {
                let rest = ((end - StatusClient.now()) * 1000).rounded(.up)
                patience = rest > 0 ? Int32(min(rest, 1e9)) : 0
            }
            let count = unsafe poll(&state, 1, patience)
            if count > 0 { return }
            if count == 0 { throw .timedOut }
            if errno != EINTR { throw .system(call: "poll", code: errno) }
        }
    }

    private func receive() throws(ClientError) {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 {
            input += bytes[..<count]
        } else if count == 0 || errno == ECONNRESET {
            throw .closed
        } else if errno != EINTR {
            throw .system(call: "recv", code: errno)
        }
    }

    private func send(_ bytes: [UInt8]) throws(ClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { memory in
                unsafe Glibc.send(
                    descriptor, memory.baseAddress, memory.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE || errno == ECONNRESET {
                // It may have said why before it hung up.
                return
            } else if errno == EAGAIN {
                throw .timedOut
            } else if errno != EINTR {
                throw .system(call: "send", code: errno)
            }
        }
    }

    private static func now() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func timeval(_ seconds: Double) -> Glibc.timeval {
        let seconds = seconds > 0.001 ? min(seconds, 1e6) : 0.001
        let whole = seconds.rounded(.down)
        return Glibc.timeval(
            tv_sec: Int(whole), tv_usec: Int(((seconds - whole) * 1e6).rounded(.down)))
    }
}

extension StatusClient.Notification {
    fileprivate init?(_ message: JSONObject) {
        guard let method = message["method"]?.string else { return nil }
        self.method = method
        params = message["params"]?.object ?? JSONObject()
    }
}
