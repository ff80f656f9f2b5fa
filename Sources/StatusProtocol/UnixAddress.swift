public import Glibc

/// The address of a Unix socket: a path, absolute or relative, or an abstract name written `@name`.
public struct UnixAddress: Equatable, Sendable {
    /// Why a text is no address.
    public enum Invalid: Error, Equatable {
        /// Nothing, or nothing after `@`.
        case empty
        /// More bytes than the system takes.
        case tooLong(path: String, limit: Int)
        /// A NUL inside.
        case nul
    }

    /// The text it was made of.
    public let text: String

    // sockaddr_un has 108 bytes; the last is kept for the NUL that other programs rely on (unix(7)).
    private static let limit = 107

    /// Reads a path or `@name`.
    public init(_ text: String) throws(Invalid) {
        guard !text.isEmpty, text != "@" else { throw .empty }
        guard text.utf8.count <= UnixAddress.limit else {
            throw .tooLong(path: text, limit: UnixAddress.limit)
        }
        guard !text.utf8.contains(0) else { throw .nul }
        self.text = text
    }

    /// Whether it is an abstract name, which leaves no file behind and has no permissions.
    public var isAbstract: Bool {
        text.utf8.first == UInt8(ascii: "@")
    }

    /// Calls `body` with the address as the system takes it.
    public func withSockaddr<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            unsafe path.copyBytes(from: text.utf8)
            if isAbstract { unsafe path[0] = 0 }
        }
        // An abstract name is exactly as long as it says; a path ends with its NUL.
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = start + text.utf8.count + (isAbstract ? 0 : 1)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(length))
            }
        }
    }
}

extension UnixAddress.Invalid: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .empty: "a socket needs a path, or a name after @"
        case .tooLong(let path, let limit):
            "\(path): a socket path has at most \(limit) bytes, not \(path.utf8.count)"
        case .nul: "a socket path holds no NUL"
        }
    }
}
