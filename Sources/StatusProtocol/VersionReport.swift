/// The result of `version`.
public struct VersionReport: Equatable, Sendable {
    /// The version of the program.
    public var version = ""
    /// The version of the protocol: a higher one may add members and methods.
    public var protocolVersion: Int64 = VersionReport.current

    /// What this code speaks.
    public static let current: Int64 = 1

    /// No version.
    public init() {}

    /// The report of a program.
    public init(program: String) {
        version = program
    }
}

extension VersionReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("version", &version, "Version of the program.")
        visitor.integer("protocol", &protocolVersion, nil, "Version of the protocol.")
    }
}

/// The result of `flush`.
public struct FlushReport: Equatable, Sendable {
    /// The last sequence that is certain to be on the disk.
    public var durableSequence: Int64 = 0

    /// Nothing on the disk.
    public init() {}

    /// That sequence is on the disk.
    public init(durableSequence: Int64) {
        self.durableSequence = durableSequence
    }
}

extension FlushReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer(
            "durable_sequence", &durableSequence, nil, "Last sequence certain to be on the disk.")
    }
}
