/// The name of a fix for ever: the database that recorded it, and its sequence there.
///
/// As text it is `STORE-SEQUENCE`, with which exports carry it and imports bring it back.
public struct FixID: Hashable, Sendable {
    /// Sequence of the fix in it, from 1.
    public var sequence: Int64
    // As a number: every fix has room for a name and is copied as plain memory.
    private let number: UInt128

    /// Name of the database, 32 hexadecimal digits.
    public var store: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// The name of a fix of a database.
    ///
    /// - Parameter store: as ``isStore(_:)`` has it; other text is no name, and taken for zeros.
    public init(store: some StringProtocol, sequence: Int64) {
        number = UInt128(store, radix: 16) ?? 0
        self.sequence = sequence
    }

    /// Reads the name as text has it; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, FixID.isStore(parts[0]), let sequence = Int64(parts[1]),
            sequence > 0
        else { return nil }
        self.init(store: parts[0], sequence: sequence)
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
