public import GNSS

/// The result of `fix`: the last fix that was seen, and the last that no power cut takes away.
public struct FixAnswer: Equatable, Sendable {
    /// The last kept fix that was seen.
    public var last: FixReport
    /// The last kept fix that is on the disk; `nil` before the first.
    public var durable: FixReport?

    /// An answer.
    public init(_ last: FixReport, durable: FixReport? = nil) {
        self.last = last
        self.durable = durable
    }
}

extension FixAnswer: Report {
    init() {
        self.init(FixReport())
    }

    mutating func visit(_ visitor: inout some FieldVisitor) {
        last.visit(&visitor)
        visitor.report(
            "last_durable", &durable, "The last fix that is on the disk; absent before the first.")
    }
}

extension TextBuffer {
    /// Appends the result of `fix`.
    public mutating func append(_ answer: FixAnswer) {
        FieldWriter.append(answer, to: &self)
    }
}
