import Configuration
import JSON
import StatusProtocol

/// What was set on the socket while the daemon runs.
struct RunTimeSettings {
    private var values: [(setting: Setting, texts: [String], isKept: Bool)] = []
    /// Settings that have another value in the files, or were kept, and wait for the next start.
    var needRestart: [String] = []

    /// The values as they go over those of files and command line.
    var overrides: [SettingOverride] {
        values.flatMap { RunTimeSettings.overrides($0.setting, $0.texts) }
    }

    /// Names of the settings that were set.
    var names: [String] {
        values.map(\.setting.name)
    }

    /// Remembers the value of a setting; `nil` forgets it.
    mutating func note(_ setting: Setting, _ texts: [String]?, isKept: Bool) {
        values.removeAll { $0.setting.name == setting.name }
        if let texts { values.append((setting, texts, isKept)) }
    }

    /// Forgets what is kept in a file, which is read anew.
    mutating func forgetKept() {
        values.removeAll(where: \.isKept)
    }

    /// One setting's values, an empty one before those of a list.
    static func overrides(_ setting: Setting, _ texts: [String]) -> [SettingOverride] {
        (texts.isEmpty ? [""] : texts).map {
            SettingOverride(name: setting.name, value: $0, origin: .request)
        }
    }

    /// The setting that a client names.
    static func setting(named name: String) throws(RPCError) -> Setting {
        if let setting = SettingCatalog.setting(name) { return setting }
        let hint = SettingCatalog.nearest(to: name).map { "; did you mean \($0.name)?" } ?? ""
        throw .invalidParameter("name", "is no setting\(hint)")
    }

    /// The texts of a value of JSON, as lines of a file would have them; `nil` for null.
    static func texts(_ value: JSONValue, for setting: Setting) throws(RPCError) -> [String]? {
        let elements: [JSONValue]
        switch value {
        case .null: return nil
        case .array(let array):
            guard setting.isList else {
                throw .invalidParameter("value", "must be one value: \(setting.expects)")
            }
            elements = array
        default: elements = [value]
        }
        var texts: [String] = []
        for element in elements {
            let text = text(element)
            // A line feed would begin another setting in the file that keeps it.
            guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw .invalidParameter("value", "holds a control character")
            }
            guard setting.accepts(text) else {
                throw .invalidParameter("value", "must be \(setting.expects)")
            }
            texts.append(text)
        }
        return texts
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text):
            var text = text[...]
            while text.first == " " { text = text.dropFirst() }
            while text.last == " " { text = text.dropLast() }
            return String(text)
        case .bool(let flag): return flag ? "yes" : "no"
        case .integer(let number): return String(number)
        case .number(let number): return DecimalText.format(number)
        case .null, .array, .object: return ""
        }
    }
}
