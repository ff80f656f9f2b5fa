public import GNSS
public import JSON

/// The result of `profile`.
public struct ProfileReport: Equatable, Sendable {
    /// One profile.
    public struct Entry: Equatable, Sendable {
        /// Its name.
        public var name = ""
        /// What it is for.
        public var meaning = ""
        /// What it sets, as `DutyCycle.Policy=interval`.
        public var settings: [String] = []

        /// No profile.
        public init() {}
    }

    /// The profile in force; `nil` for the settings of the files.
    public var name: String?
    /// Those there are.
    public var profiles: [Entry] = []
    /// The drop-in that the choice was written to; `nil` when it ends with the daemon.
    public var keptIn: String?

    /// None in force.
    public init() {}

    /// Reads the result of `profile`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(ProfileReport.self, from: value, at: "profile")
    }
}

extension ProfileReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text(
            "name", &name, "The profile in force; absent when the settings are those of no profile."
        )
        visitor.list("profiles", &profiles, "The profiles there are.")
        visitor.text("kept_in", &keptIn, "The drop-in a change was written to, when it was.")
    }
}

extension ProfileReport.Entry: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("name", &name, "Its name.")
        visitor.text("meaning", &meaning, "What it is for.")
        visitor.texts("settings", &settings, "What it sets, as DutyCycle.Policy=interval.")
    }
}

extension TextBuffer {
    /// Appends the result of `profile`.
    public mutating func append(_ report: ProfileReport) {
        FieldWriter.append(report, to: &self)
    }
}

extension Method {
    /// Several settings at once.
    public static let profile = Method(
        "profile", "Tells the profiles there are; with a name, puts one in force.",
        parameters: [
            Parameter(
                "name", .text(atMost: 64),
                "The profile to put in force, or none for the settings of the files; for controllers."
            ),
            Parameter(
                "keep", .flag, "Whether it holds after a restart too; not when absent."),
        ],
        resultSchema: { FieldSchema.append(ProfileReport(), to: &$0) })
}
