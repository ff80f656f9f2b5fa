/// Why bytes are not the JSON that is wanted; outside input is often broken, so callers report and carry on.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The line, 1 for the first.
    public let line: Int
    /// The character of the line at which reading stopped, 1 for the first; 0 before any.
    public let column: Int
    /// What is wrong, in words, without a piece of the input.
    public let message: String
    /// The member at which reading stopped, as `params.after`; `nil` outside of any.
    public let member: String?

    /// An error at a place.
    public init(line: Int, column: Int, message: String, member: String? = nil) {
        self.line = line
        self.column = column
        self.message = message
        self.member = member
    }

    /// The place and what is wrong, as `line 1 column 7: duplicate object key`.
    public var description: String {
        "line \(line) column \(column): \(message)"
    }
}
