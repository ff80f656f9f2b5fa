/// Where the value of a setting comes from.
public enum SettingOrigin: Equatable, Sendable, CustomStringConvertible {
    /// Built in.
    case builtIn
    /// A line of a file.
    case file(path: String, line: Int)
    /// An option of the command line, as typed.
    case option(String)
    /// A request on the status socket while the program runs.
    case request

    /// For people: `default`, `/etc/tracklog/tracklogd.conf:12` or `--database`.
    public var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .option(let name): name
        case .request: "set"
        }
    }
}

/// A value for one setting from outside the files.
public struct SettingOverride: Equatable, Sendable {
    /// The setting, as `Store.Database`.
    public var name: String
    /// Its value as text.
    public var value: String
    /// Where it comes from.
    public var origin: SettingOrigin

    /// A value for the setting of that name.
    public init(name: String, value: String, origin: SettingOrigin) {
        self.name = name
        self.value = value
        self.origin = origin
    }
}

/// Something wrong or doubtful in the settings, with its place.
public struct SettingProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file; the option when it was given on the command line.
    public var place: String
    /// Line and column in the file, from 1; columns count bytes.
    public var position: (line: Int, column: Int)?
    /// What is wrong, and the nearest right thing.
    public var message: String

    /// For people: `tracklogd.conf:3:5: unknown key …`.
    public var description: String {
        position.map { "\(place):\($0.line):\($0.column): \(message)" } ?? "\(place): \(message)"
    }

    /// Whether both say the same of the same place.
    public static func == (a: SettingProblem, b: SettingProblem) -> Bool {
        a.description == b.description
    }
}

/// A settings file as lines of `Key=value` under `[Section]`, meaning not looked at.
///
/// The form is that of systemd's files: `#` and `;` begin a comment at the start of a line, blanks around key
/// and value are dropped, everything after the first `=` is the value.
struct SettingsFile {
    /// One assignment.
    struct Entry: Equatable {
        var section: String
        var key: String
        var value: String
        var line: Int
        /// Where the key and the value begin, from 1.
        var keyColumn: Int
        var valueColumn: Int
    }

    /// The assignments in order.
    var entries: [Entry] = []
    /// Lines that are none.
    var problems: [SettingProblem] = []

    /// Reads the bytes of a file; a byte order mark and CR before LF are passed over.
    init(_ bytes: [UInt8], path: String) {
        var section: String?
        var number = 0
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
        for raw in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let line = raw.last == 0x0D ? raw.dropLast() : raw
            func problem(_ index: Int, _ message: String) {
                let column = index - raw.startIndex + 1
                problems.append(
                    SettingProblem(place: path, position: (number, column), message: message))
            }
            guard let text = SettingsFile.text(line) else {
                let bad = line.firstIndex { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
                problem(bad ?? line.startIndex, "the line is not plain UTF-8 text")
                continue
            }
            let trimmed = SettingsFile.trim(line)
            guard let first = trimmed.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";")
            else { continue }
            if first == UInt8(ascii: "[") {
                guard trimmed.last == UInt8(ascii: "]"), trimmed.count > 2 else {
                    problem(trimmed.startIndex, "a section looks like [Name]")
                    section = nil
                    continue
                }
                section = SettingsFile.text(SettingsFile.trim(trimmed.dropFirst().dropLast()))
                continue
            }
            guard let equals = trimmed.firstIndex(of: UInt8(ascii: "=")) else {
                problem(trimmed.startIndex, "expected Key=value, found '\(SettingsFile.cut(text))'")
                continue
            }
            let key = SettingsFile.trim(trimmed[..<equals])
            let value = SettingsFile.trim(trimmed[(equals + 1)...])
            guard let section else {
                problem(trimmed.startIndex, "a setting before the first [Section]")
                continue
            }
            entries.append(
                Entry(
                    section: section, key: SettingsFile.text(key) ?? "",
                    value: SettingsFile.text(value) ?? "", line: number,
                    keyColumn: key.startIndex - raw.startIndex + 1,
                    valueColumn: value.startIndex - raw.startIndex + 1))
        }
    }

    /// The text of bytes without control characters but the tab, `nil` when they are not that.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }

    private static func cut(_ text: String) -> String {
        text.count > 40 ? text.prefix(40) + "…" : text
    }
}
