import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A plain connection to the status socket that knows nothing of the protocol but lines.
final class RawClient {
    private let descriptor: Int32
    private var input = Data()

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = descriptor
        let code = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0, "connect: errno \(errno)")
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The next line; fails after 20 s without one.
    func line() throws -> String {
        while true {
            if let feed = input.firstIndex(of: 10) {
                defer { input = Data(input[(feed + 1)...]) }
                return String(decoding: input[..<feed], as: UTF8.self)
            }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            try #require(count > 0, "no answer")
            input += bytes[..<count]
        }
    }

    /// The next line as an object.
    func object() throws -> [String: Any] {
        let line = try line()
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(value as? [String: Any], "\(line)")
    }

    /// Asks with parameters written as JSON; the whole reply.
    func ask(_ method: String, _ params: String = "{}") throws -> [String: Any] {
        send("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\(method)\",\"params\":\(params)}\n")
        while true {
            let reply = try object()
            if reply["id"] != nil { return reply }
        }
    }

    /// Asks, and expects a result.
    func result(_ method: String, _ params: String = "{}") throws -> [String: Any] {
        let reply = try ask(method, params)
        return try #require(reply["result"] as? [String: Any], "\(reply)")
    }

    /// Asks, and expects an error.
    func error(
        _ method: String, _ params: String = "{}"
    ) throws -> (code: Int, message: String, field: String?) {
        let reply = try ask(method, params)
        let error = try #require(reply["error"] as? [String: Any], "\(reply)")
        return (
            try #require(error["code"] as? Int), try #require(error["message"] as? String),
            (error["data"] as? [String: Any])?["field"] as? String
        )
    }
}
