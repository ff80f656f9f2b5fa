import Configuration
import GNSS
import JSON
import StatusProtocol

/// Looks at the daemon's settings.
enum ConfigCommand: ToolCommand {
    static let name = "config"
    static let command = Command(
        name, "checks, shows and explains the daemon's settings",
        operands: Operands(
            "check [FILE] | show|explain [KEY...] | example", count: 1...20,
            words: ["check", "show", "explain", "example"] + SettingCatalog.all.map(\.name)),
        options: [
            Option("changed", "show only what is not at its default"),
            Option("running", "show what the running daemon goes by instead of the files"),
            Option("json", short: "j", "print one JSON object a setting"),
        ],
        examples: [
            (
                "tracklog config check",
                "Finds every mistake; the exit code is 78 when there is one."
            ),
            ("tracklog config check new.conf", "Checks a file before it is installed."),
            ("tracklog config show --changed", "Shows what was set, and in which file and line."),
            ("tracklog config explain CommitEvery", "Tells what a setting does."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let keys = arguments.operands.dropFirst()
        let action = arguments.operands[0]
        if action == "check", keys.count == 1, let file = keys.first, !arguments.has("config") {
            return try check(file, arguments, output)
        }
        if action != "show", action != "explain", let surplus = keys.first {
            throw UsageError("config \(action): one argument too many: '\(surplus)'")
        }
        switch action {
        case "check": return try check(arguments.value("config"), arguments, output)
        case "show": return try show(arguments, keys.map(setting), output)
        case "explain": return try explain(keys.map(setting), arguments, output)
        case "example":
            if arguments.has("json") {
                output.print(json: ["text": .string(SettingCatalog.exampleFile)])
            } else {
                output.print(SettingCatalog.exampleFile)
            }
            return .ok
        default:
            throw UsageError(
                "unknown action '\(action)' of config",
                didYouMean: Spelling.nearest(
                    to: action, among: ["check", "show", "explain", "example"]))
        }
    }

    private static func check(
        _ path: String?, _ arguments: ParsedArguments, _ output: Output
    ) throws -> ExitCode {
        let loaded = try SettingsLoader.load(path)
        for warning in loaded.warnings { Tool.complain("\(warning)") }
        let files =
            loaded.files.isEmpty
            ? "no file, the defaults hold" : loaded.files.joined(separator: ", ")
        if arguments.has("json") {
            output.print("{\"files\":")
            JSONValue.array(loaded.files.map { .string($0) }).append(to: &output.text.bytes)
            output.print(",\"warnings\":")
            JSONValue.array(loaded.warnings.map { .string("\($0)") }).append(
                to: &output.text.bytes)
            output.print("}\n")
        } else {
            let count = loaded.warnings.count
            let verdict =
                count == 0
                ? "settings are right"
                : "settings are valid, with \(count) \(count == 1 ? "warning" : "warnings")"
            output.print("\(verdict): \(files)\n")
        }
        return .ok
    }

    private static func show(
        _ arguments: ParsedArguments, _ wanted: [Setting], _ output: Output
    ) throws -> ExitCode {
        if arguments.has("running") { return try showRunning(arguments, wanted, output) }
        let loaded = try SettingsLoader.load(arguments.value("config"))
        let settings = (wanted.isEmpty ? SettingCatalog.all : wanted).filter {
            !arguments.has("changed") || loaded.origin(of: $0) != .builtIn
        }
        print(
            settings.map {
                ($0.name, $0.text(in: loaded.settings), loaded.origin(of: $0).description)
            }, arguments, output)
        return .ok
    }

    private static func showRunning(
        _ arguments: ParsedArguments, _ wanted: [Setting], _ output: Output
    ) throws -> ExitCode {
        let names = Set(wanted.map(\.name))
        let report = try Daemon.report(arguments, "config") { (value) throws(DecodeError) in
            try ConfigReport(value)
        }
        let settings = report.settings.filter {
            (names.isEmpty || names.contains($0.name))
                && (!arguments.has("changed") || $0.value != $0.byDefault)
        }
        print(settings.map { ($0.name, $0.value, $0.origin) }, arguments, output)
        for name in report.needRestart {
            Tool.complain("\(name)= in the files holds from the next start of tracklogd")
        }
        return .ok
    }

    private static func print(
        _ rows: [(name: String, value: String, origin: String)], _ arguments: ParsedArguments,
        _ output: Output
    ) {
        guard !arguments.has("json") else {
            for (name, value, origin) in rows {
                output.print("{\"name\":")
                output.text.append(json: name)
                output.print(",\"value\":")
                output.text.append(json: value)
                output.print(",\"origin\":")
                output.text.append(json: origin)
                output.print("}\n")
            }
            return
        }
        let style = Style(arguments)
        let texts = rows.map { "\($0.name)=\($0.value)" }
        let width = min(48, texts.map(\.count).max() ?? 0)
        for (text, row) in zip(texts, rows) {
            output.print(text.padded(width) + "  " + style.dim("# \(row.origin)") + "\n")
        }
    }

    private static func explain(
        _ wanted: [Setting], _ arguments: ParsedArguments, _ output: Output
    ) throws -> ExitCode {
        guard !wanted.isEmpty else { throw UsageError("config explain: KEY is missing") }
        let style = Style(arguments)
        for (index, setting) in wanted.enumerated() {
            if arguments.has("json") {
                output.print(
                    json: [
                        "name": .string(setting.name), "meaning": .string(setting.meaning),
                        "advice": .string(setting.advice), "takes": .string(setting.expects),
                        "default": .string(setting.defaultText), "since": .string(setting.since),
                        "explanation": .string(setting.explanation(heading: setting.name)),
                    ])
                continue
            }
            if index > 0 { output.print("\n") }
            output.print(
                setting.explanation(
                    heading: style.bold("[\(setting.section)] \(setting.key)=")))
        }
        return .ok
    }

    private static func setting(_ name: String) throws -> Setting {
        if let setting = SettingCatalog.setting(name) { return setting }
        throw UsageError(
            "unknown setting '\(name)'", didYouMean: SettingCatalog.nearest(to: name)?.name)
    }
}
