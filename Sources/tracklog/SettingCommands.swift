import Configuration
import GNSS
import JSON
import StatusProtocol

/// Shows one setting of the running daemon.
enum GetCommand: ToolCommand {
    static let name = "get"
    static let command = Command(
        name, "tells one setting of the running daemon",
        operands: Operands("KEY", count: 1...1, words: SettingCatalog.all.map(\.name)),
        options: [Daemon.jsonOption],
        examples: [("tracklog get Policy", "The policy in force, and where it was set.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        var params = JSONObject()
        params["name"] = .string(arguments.operands[0])
        return try show(arguments, "get", params, output)
    }

    static func show(
        _ arguments: ParsedArguments, _ method: String, _ params: JSONObject, _ output: Output
    ) throws -> ExitCode {
        guard !arguments.has("json") else {
            return try Daemon.printAnswer(arguments, method, params, to: output)
        }
        let report = try Daemon.report(arguments, method, params) {
            (value) throws(DecodeError) in try SettingReport(value)
        }
        let style = Style(arguments)
        output.print(
            "\(report.name)=\(report.value)  " + style.dim("# \(report.origin)") + "\n")
        if let warning = report.warning { Tool.complain(warning) }
        if let file = report.keptIn { Tool.complain("kept in \(file)") }
        if method == "set", !report.isLive {
            Tool.complain("it holds from the next start of tracklogd")
        }
        return .ok
    }
}

/// Changes one setting of the running daemon.
enum SetCommand: ToolCommand {
    static let name = "set"
    static let command = Command(
        name, "changes one setting of the running daemon",
        operands: Operands(
            "KEY [VALUE...]", count: 1...20, words: SettingCatalog.all.map(\.name)),
        options: [
            Option("keep", "let it hold after a restart too, in a drop-in file"),
            Option("unset", "go back to what the settings files say"),
            Daemon.jsonOption,
        ],
        examples: [
            ("tracklog set Policy interval", "Until the next start."),
            ("tracklog set --keep CommitEvery 60s", "For good."),
            ("tracklog set --unset Policy", "Back to the files."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let values = arguments.operands.dropFirst()
        var params = JSONObject()
        params["name"] = .string(arguments.operands[0])
        guard values.isEmpty == arguments.has("unset") else {
            throw UsageError(
                values.isEmpty
                    ? "set: VALUE is missing; --unset goes back to the files"
                    : "set: --unset takes no value")
        }
        let isList = SettingCatalog.setting(arguments.operands[0])?.isList == true
        if values.isEmpty {
            params["value"] = .null
        } else if isList {
            params["value"] = .array(values.map { .string($0) })
        } else {
            // A value with blanks need not be quoted.
            params["value"] = .string(values.joined(separator: " "))
        }
        if arguments.has("keep") { params["keep"] = .bool(true) }
        return try GetCommand.show(arguments, "set", params, output)
    }
}

/// Lets the daemon read its settings files anew.
enum ReloadCommand: ToolCommand {
    static let name = "reload"
    static let command = Command(
        name, "lets the daemon read its settings files anew",
        options: [Daemon.jsonOption],
        examples: [("tracklog reload", "A mistake is told and nothing changes.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        guard !arguments.has("json") else {
            return try Daemon.printAnswer(arguments, "reload", to: output)
        }
        let report = try Daemon.report(arguments, "reload") { (value) throws(DecodeError) in
            try ReloadReport(value)
        }
        for warning in report.warnings { Tool.complain(warning) }
        output.print(
            report.changed.isEmpty
                ? "nothing has changed\n" : "changed: \(report.changed.joined(separator: ", "))\n")
        for name in report.needRestart {
            Tool.complain("\(name)= holds from the next start of tracklogd")
        }
        for name in report.overridden {
            Tool.complain("\(name)= stays as it was set; 'tracklog set --unset \(name)' undoes it")
        }
        return .ok
    }
}
