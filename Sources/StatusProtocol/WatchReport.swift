public import JSON

/// The result of `watch`.
public struct WatchReport: Equatable, Sendable {
    /// What is sent.
    public var kinds: [String] = []
    /// With `after`: the last sequence on the disk, up to which the fixes follow at once.
    public var durableSequence: Int64?

    /// Nothing.
    public init() {}

    /// Reads the result of `watch`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(WatchReport.self, from: value, at: "watch")
    }
}

extension WatchReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.texts("kinds", &kinds, "What is sent.")
        visitor.integer(
            "durable_sequence", &durableSequence, nil,
            "With after: last sequence on the disk, up to which fixes follow at once.")
    }
}
