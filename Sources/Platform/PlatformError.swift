import Glibc

/// A call to the system that failed.
public struct PlatformError: Error, Equatable, CustomStringConvertible {
    /// The C function.
    public let call: String
    /// What it was asked for: a path, a name, a number; empty when the call says it all.
    public let subject: String
    /// The error number, a positive `errno`.
    public let code: Int32

    /// A failed call.
    public init(call: String, subject: String = "", code: Int32) {
        self.call = call
        self.subject = subject
        self.code = code
    }

    /// The call, its subject and the reason in words.
    public var description: String {
        let place = subject.isEmpty ? call : "\(call) \(subject)"
        return "\(place): \(PlatformError.words(for: code))"
    }

    /// The system's words for an error number.
    public static func words(for code: Int32) -> String {
        guard let words = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: words)
    }
}
