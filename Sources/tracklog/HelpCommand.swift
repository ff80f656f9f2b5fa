import Configuration

/// Shows help.
enum HelpCommand: ToolCommand {
    static let command = Command(
        "help", "shows help on a command", operands: Operands("[COMMAND]", count: 0...1),
        examples: [("tracklog help export", "The same as 'tracklog export --help'.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        guard let name = arguments.operands.first else {
            output.print(Tool.table.help())
            return .ok
        }
        guard let command = Tool.table.command(name) else {
            throw UsageError(
                "unknown command '\(name)'",
                didYouMean: Spelling.nearest(to: name, among: Tool.table.commands.map(\.name)))
        }
        output.print(Tool.table.help(for: command))
        return .ok
    }
}

/// Shows the version.
enum VersionCommand: ToolCommand {
    static let command = Command(
        "version", "shows the version",
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
    static let command = Command(
        "completion", "prints completion for a shell",
        operands: Operands("bash|zsh|fish", count: 1...1),
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
        output.print(Tool.table.completion(for: shell))
        return .ok
    }
}
