public import GNSS
public import JSON

/// The result of `locate`.
public struct LocateReport: Equatable, Sendable {
    /// The best fix of the wait.
    public var fix = FixReport()
    /// How long it took, seconds.
    public var waited: Double = 0
    /// Kept fixes it was chosen from.
    public var candidates: Int64 = 0
    /// Whether it is as good as was asked.
    public var isGood = false

    /// Nothing found.
    public init() {}

    /// Reads the result of `locate`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(LocateReport.self, from: value, at: "locate")
    }
}

extension LocateReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.report("fix", &fix, "The best fix of the wait.")
        visitor.number("waited", &waited, "s", "How long it took.")
        visitor.integer("candidates", &candidates, nil, "Kept fixes it was chosen from.")
        visitor.flag("good", &isGood, "Whether it is as good as was asked.")
    }
}

/// The result of `pause` and `resume`.
public struct PauseReport: Equatable, Sendable {
    /// Whether nothing is recorded.
    public var isPaused = false
    /// Seconds since it was paused; `nil` when it is not.
    public var age: Double?
    /// Seconds until it goes on by itself; `nil` when it does not.
    public var resumesIn: Double?

    /// Not paused.
    public init() {}

    /// Reads the result of `pause` or `resume`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(PauseReport.self, from: value, at: "pause")
    }
}

extension PauseReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.flag("paused", &isPaused, "Whether recording is paused.")
        visitor.number("age", &age, "s", "Time since it was paused, when it is.")
        visitor.number(
            "resumes_in", &resumesIn, "s", "Time until it goes on; absent when it waits for resume."
        )
    }
}

/// The result of `mark`.
public struct MarkReport: Equatable, Sendable {
    /// Its number; `nil` while it waits for a fix.
    public var id: Int64?
    /// Whether it waits for a fix.
    public var isQueued = false
    /// Marks that wait for a fix, this one included.
    public var waiting: Int64 = 0
    /// The fix it was made at; `nil` while it waits.
    public var fix: FixReport?

    /// No mark.
    public init() {}

    /// Reads the result of `mark`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(MarkReport.self, from: value, at: "mark")
    }
}

extension MarkReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer("id", &id, nil, "Its number; absent while it waits for a fix.")
        visitor.flag("queued", &isQueued, "Whether it waits for a fix.")
        visitor.integer("waiting", &waiting, nil, "Marks that wait for a fix.")
        visitor.report("fix", &fix, "The fix it was made at; absent while it waits.")
    }
}

extension TextBuffer {
    /// Appends the result of `locate`.
    public mutating func append(_ report: LocateReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `pause` and `resume`.
    public mutating func append(_ report: PauseReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `mark`.
    public mutating func append(_ report: MarkReport) {
        FieldWriter.append(report, to: &self)
    }
}
