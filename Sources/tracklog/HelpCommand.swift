import Configuration
import JSON

/// Shows help.
enum HelpCommand: ToolCommand {
    static let name = "help"
    static let command = Command(
        name, "shows help on a command",
        operands: Operands(
            "[COMMAND]", count: 0...1, words: Tool.commands.map { $0.name }),
        options: [Option("json", short: "j", "print one JSON object a command")],
        examples: [("tracklog help export", "The same as 'tracklog export --help'.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        guard let name = arguments.operands.first else {
            if arguments.has("json") {
                for command in Tool.table.commands { tell(command, output) }
            } else {
                output.print(Tool.table.help())
            }
            return .ok
        }
        guard let command = Tool.table.command(name) else {
            throw UsageError(
                "unknown command '\(name)'",
                didYouMean: Spelling.nearest(to: name, among: Tool.table.commands.map(\.name)))
        }
        if arguments.has("json") {
            tell(command, output)
        } else {
            output.print(Tool.table.help(for: command))
        }
        return .ok
    }

    /// What a program needs to make command lines of its own.
    private static func tell(_ command: Command, _ output: Output) {
        let options = (command.options + Tool.table.options).map { option in
            var members = JSONObject()
            members["name"] = .string(option.long)
            members["short"] = option.short.map { .string(String($0)) }
            members["value"] = option.value.map { .string($0) }
            members["help"] = .string(option.help)
            if !option.choices.isEmpty {
                members["choices"] = .array(option.choices.map { .string($0) })
            }
            members["default"] = option.byDefault.map { .string($0) }
            return JSONValue.object(members)
        }
        output.print(
            json: [
                "command": .string(command.name), "summary": .string(command.summary),
                "operands": .string(command.operands.usage), "options": .array(options),
                "examples": .array(command.examples.map { .string($0.line) }),
            ])
    }
}

/// Shows the version.
enum VersionCommand: ToolCommand {
    static let name = "version"
    static let command = Command(
        name, "shows the version",
        options: [Option("json", short: "j", "print one JSON object")],
        examples: [("tracklog version", "The version of the tool.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        output.print(
            arguments.has("json")
                ? "{\"version\":\"\(Product.version)\"}\n" : "tracklog \(Product.version)\n")
        return .ok
    }
}

/// Prints what a shell needs to complete command lines.
enum CompletionCommand: ToolCommand {
    static let name = "completion"
    static let command = Command(
        name, "prints completion for a shell",
        operands: Operands(
            "bash|zsh|fish", count: 1...1, words: Shell.allCases.map(\.rawValue)),
        options: [Option("json", short: "j", "print one JSON object")],
        examples: [
            ("source <(tracklog completion bash)", "Completes in this shell."),
            (
                "tracklog completion fish > ~/.config/fish/completions/tracklog.fish",
                "Completes in every fish from now on."
            ),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        guard let shell = Shell(rawValue: arguments.operands[0]) else {
            throw UsageError(
                "unknown shell '\(arguments.operands[0])': expected bash, zsh, fish",
                didYouMean: Spelling.nearest(
                    to: arguments.operands[0], among: Shell.allCases.map(\.rawValue)))
        }
        let script = Tool.table.completion(for: shell)
        if arguments.has("json") {
            output.print(json: ["shell": .string(shell.rawValue), "script": .string(script)])
        } else {
            output.print(script)
        }
        return .ok
    }
}
