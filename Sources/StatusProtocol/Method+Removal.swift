public import GNSS
public import JSON

extension Method {
    /// Fixes and marks gone.
    public static let forget = Method(
        "forget",
        "Removes fixes and marks by time, place or both, so that no byte of them is left.",
        role: .controller,
        parameters: [
            Parameter(
                "since", .text(atMost: 40),
                "From this time on, RFC 3339; from the beginning when absent."),
            Parameter(
                "until", .text(atMost: 40),
                "Up to and including this time; up to the end when absent."),
            Parameter(
                "radius", .number(1...20_100_000), unit: "m",
                "Only within this distance of lat and lon; everywhere when absent."),
            Parameter("lat", .number(-90...90), unit: "deg", "Latitude of the middle."),
            Parameter("lon", .number(-180...180), unit: "deg", "Longitude of the middle."),
        ],
        resultSchema: { FieldSchema.append(ForgetReport(), to: &$0) })
}

/// The result of `forget`.
public struct ForgetReport: Equatable, Sendable {
    /// Fixes removed.
    public var fixes: Int64 = 0
    /// Marks removed.
    public var marks: Int64 = 0
    /// Whether no byte of them is left in the database and its log.
    public var isErased = false

    /// Nothing removed.
    public init() {}

    /// Reads the result of `forget`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(ForgetReport.self, from: value, at: "forget")
    }
}

extension ForgetReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer("fixes", &fixes, nil, "Fixes removed, kept and rejected.")
        visitor.integer("marks", &marks, nil, "Marks removed.")
        visitor.flag(
            "erased", &isErased,
            "Whether no byte of them is left; false while a reader holds the log.")
    }
}

extension TextBuffer {
    /// Appends the result of `forget`.
    public mutating func append(_ report: ForgetReport) {
        FieldWriter.append(report, to: &self)
    }
}
