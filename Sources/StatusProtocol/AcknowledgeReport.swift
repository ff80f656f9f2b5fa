/// The result of `acknowledge`.
public struct AcknowledgeReport: Equatable, Sendable {
    /// The damaged database, as it is kept; `nil` when none waited to be noticed.
    public var damaged: String?

    /// Nothing was damaged.
    public init() {}

    /// That one was.
    public init(damaged: String?) {
        self.damaged = damaged
    }
}

extension AcknowledgeReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text(
            "damaged", &damaged, "File of the damaged or lost database; absent when there was none."
        )
    }
}
