import Glibc

/// Why the daemon cannot listen at an address.
public enum ListenError: Error, Equatable, CustomStringConvertible {
    /// Somebody listens there; its process when the kernel tells.
    case inUse(path: String, pid: Int32?)
    /// Something else than a socket is there; it was left alone.
    case notASocket(path: String)
    /// A call to the system failed.
    case system(call: String, path: String, code: Int32)

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .inUse(let path, let pid?): "\(path): process \(pid) listens there already"
        case .inUse(let path, nil): "\(path): another process listens there already"
        case .notASocket(let path): "\(path): something else than a socket is there; not replaced"
        case .system(let call, let path, let code):
            "\(path): \(call): \(unsafe strerror(code).map { unsafe String(cString: $0) } ?? "")"
        }
    }
}
