import Configuration
import Glibc

/// How what people read is dressed.
struct Style {
    private let isColoured: Bool

    /// Colour by `--color`, and on a terminal unless NO_COLOR (no-color.org) or TERM=dumb says otherwise.
    init(_ arguments: ParsedArguments) {
        isColoured =
            switch arguments.value("color") {
            case "always": true
            case "never": false
            default:
                isatty(1) == 1 && (Environment.value("NO_COLOR") ?? "").isEmpty
                    && Environment.value("TERM") != "dumb"
            }
    }

    func bold(_ text: String) -> String { paint("1", text) }
    func dim(_ text: String) -> String { paint("2", text) }
    func good(_ text: String) -> String { paint("32", text) }
    func doubtful(_ text: String) -> String { paint("33", text) }
    func bad(_ text: String) -> String { paint("31", text) }

    /// ECMA-48, select graphic rendition.
    private func paint(_ code: String, _ text: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

enum Environment {
    /// The value of a variable, `nil` when it is not set.
    static func value(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
