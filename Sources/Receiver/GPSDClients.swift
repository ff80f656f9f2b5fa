import Glibc

/// The clients of a gpsd on this machine, as the kernel lists its connections (proc(5), net/tcp).
enum GPSDClients {
    /// Connections to a server on `port`; `nil` when they cannot be seen.
    static func count(port: UInt16) -> Int? {
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].compactMap(read)
        return tables.isEmpty ? nil : tables.reduce(0) { $0 + count(port: port, in: $1) }
    }

    /// Rows whose own end is `port` and whose state is 01, established.
    static func count(port: UInt16, in table: String) -> Int {
        table.split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[3] == "01", let colon = fields[1].lastIndex(of: ":")
            else { return false }
            return UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
        }
    }

    private static func read(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count < 1 << 20 {
            let count = unsafe Glibc.read(file, &block, block.count)
            if count <= 0 { break }
            bytes += block.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
