/// Where a gpsd listens.
public struct GPSDAddress: Equatable, Sendable {
    /// A host name or a numeric address, without brackets.
    public var host: String
    /// The TCP port.
    public var port: UInt16

    /// gpsd's own port, registered with IANA.
    public static let defaultPort: UInt16 = 2947

    /// A host and a port.
    public init(host: String, port: UInt16 = GPSDAddress.defaultPort) {
        self.host = host
        self.port = port
    }

    /// Reads `host`, `host:port`, `[::1]:port` or `::1`; `nil` for anything else.
    public init?(_ text: String) {
        var host = Substring(text)
        var port: Substring?
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let rest = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            if !rest.isEmpty { port = rest.dropFirst() }
        } else if host.filter({ $0 == ":" }).count == 1, let colon = host.firstIndex(of: ":") {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        let isName = host.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") }
        guard !host.isEmpty, host.utf8.count < 256, isName else { return nil }
        self.host = String(host)
        self.port = GPSDAddress.defaultPort
        if let port {
            guard port.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let number = UInt16(port),
                number > 0
            else { return nil }
            self.port = number
        }
    }
}

extension GPSDAddress: CustomStringConvertible {
    /// As `localhost:2947` or `[::1]:2947`.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
