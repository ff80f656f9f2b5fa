public import JSON

/// One setting as the daemon has it: the result of `get` and `set`, and one of `config`.
public struct SettingReport: Equatable, Sendable {
    /// Its name, as `Store.CommitEvery`.
    public var name = ""
    /// The value in force, as a settings file spells it; those of a list are joined by blanks.
    public var value = ""
    /// The value when nothing is set; empty when there is none.
    public var byDefault = ""
    /// Where the value comes from: `default`, a file with its line, an option, or `set`.
    public var origin = ""
    /// Whether a change takes effect at once; otherwise at the next start.
    public var isLive = false
    /// What it does; `nil` in the list of `config`.
    public var meaning: String?
    /// Type, unit and range; `nil` in the list of `config`.
    public var expects: String?
    /// What is doubtful about the value; `nil` when nothing is.
    public var warning: String?
    /// The drop-in file that a change was written to; `nil` when it ends with the daemon.
    public var keptIn: String?

    /// Nothing.
    public init() {}

    /// Reads the result of `get` or `set`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(SettingReport.self, from: value, at: "setting")
    }
}

extension SettingReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("name", &name, "Section and key, as Store.CommitEvery.")
        visitor.text("value", &value, "The value in force, spelt as in a file.")
        visitor.text("default", &byDefault, "The value when nothing is set; empty for none.")
        visitor.text(
            "origin", &origin, "Where it comes from: default, FILE:LINE, an option, or set.")
        visitor.flag("live", &isLive, "Whether a change holds at once, not at the next start.")
        visitor.text("meaning", &meaning, "What it does; absent in the list of config.")
        visitor.text("expects", &expects, "Type, unit and range; absent in the list of config.")
        visitor.text("warning", &warning, "What is doubtful about the value.")
        visitor.text("kept_in", &keptIn, "The drop-in a change was written to, when it was.")
    }
}

/// The result of `config`: every setting.
public struct ConfigReport: Equatable, Sendable {
    /// The files that were read, in order.
    public var files: [String] = []
    /// All settings in the order of the manual.
    public var settings: [SettingReport] = []
    /// Changed in the files or kept, and not in force before the next start.
    public var needRestart: [String] = []

    /// Nothing.
    public init() {}

    /// Reads the result of `config`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(ConfigReport.self, from: value, at: "config")
    }
}

extension ConfigReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.texts("files", &files, "The files that were read, in order.")
        visitor.list("settings", &settings, "All settings in the order of the manual.")
        visitor.texts("need_restart", &needRestart, "Settings that change at the next start.")
    }
}

/// The result of `reload`.
public struct ReloadReport: Equatable, Sendable {
    /// Settings that have another value now.
    public var changed: [String] = []
    /// Settings that have another value in the files and need a restart.
    public var needRestart: [String] = []
    /// Settings whose value was set over the socket and stays.
    public var overridden: [String] = []
    /// What is doubtful and does no harm.
    public var warnings: [String] = []

    /// Nothing changed.
    public init() {}

    /// Reads the result of `reload`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(ReloadReport.self, from: value, at: "reload")
    }
}

extension ReloadReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.texts("changed", &changed, "Settings that have another value now.")
        visitor.texts("need_restart", &needRestart, "Settings that change at the next start.")
        visitor.texts("overridden", &overridden, "Settings that stay as set made them.")
        visitor.texts("warnings", &warnings, "What is doubtful and does no harm.")
    }
}
