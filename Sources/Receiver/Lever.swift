public import Scheduling

/// Something that switches a receiver off and on.
public protocol Lever: AnyObject {
    /// Switches.
    ///
    /// - Parameters:
    ///   - span: how long it will be off; `nil` when nobody knows.
    ///   - done: called once, at once or later, with `nil` or the reason why it could not.
    func set(isOn: Bool, for span: TimeSpan?, _ done: @escaping (LeverFailure?) -> Void)
}

/// Why a lever could not do its work.
public struct LeverFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// For a person, to be read after "failed:".
    public let description: String

    /// A reason in words.
    public init(_ reason: String) {
        description = reason
    }

    /// A call to the system that failed, on `subject`.
    init(_ subject: String, code: Int32) {
        description = "\(subject): \(SystemText.words(for: code))"
    }
}
