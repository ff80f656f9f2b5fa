/// The name of a fix for ever: the database that recorded it, and its sequence there.
///
/// As text it is `STORE-SEQUENCE`, with which exports carry it and imports bring it back.
public struct FixID: Hashable, Sendable {
    /// Name of the database, 32 hexadecimal digits.
    public var store: String
    /// Sequence of the fix in it, from 1.
    public var sequence: Int64

    /// The name of a fix of a database.
    public init(store: String, sequence: Int64) {
        self.store = store
        self.sequence = sequence
    }

    /// Reads the name as text has it; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, FixID.isStore(parts[0]), let sequence = Int64(parts[1]),
            sequence > 0
        else { return nil }
        self.init(store: String(parts[0]), sequence: sequence)
    }

    /// Whether text can be the name of a database.
    public static func isStore(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}

extension TextBuffer {
    /// Appends a fix's name.
    public mutating func append(_ id: FixID) {
        append(text: id.store)
        append("-")
        append(id.sequence)
    }
}
