extension ArgumentTable {
    /// What `--help` prints: of one command, or of the program when `command` is `nil`.
    public func help(for command: Command? = nil) -> String {
        guard let command = command ?? (hasSingleCommand ? commands[0] : nil) else {
            return programHelp
        }
        let name = command.name.isEmpty ? program : "\(program) \(command.name)"
        let operands = command.operands.usage.isEmpty ? "" : " \(command.operands.usage)"
        let summary = command.name.isEmpty ? self.summary : command.summary
        var text = "Usage: \(name) [OPTION]...\(operands)\n"
        text += ArgumentTable.wrap(ArgumentTable.sentence(summary), indent: 0)
        if !command.options.isEmpty {
            text += "\nOptions:\n" + command.options.map(ArgumentTable.row).joined()
        }
        text += command.options.isEmpty ? "\nOptions:\n" : "\n"
        text += options.map(ArgumentTable.row).joined()
        if !command.examples.isEmpty {
            text += "\nExamples:\n"
            for example in command.examples {
                text += "  \(example.line)\n" + ArgumentTable.wrap(example.what, indent: 6)
            }
        }
        return text
    }

    private var programHelp: String {
        var text = "Usage: \(program) COMMAND [OPTION]... [ARGUMENT]...\n"
        text += ArgumentTable.wrap(ArgumentTable.sentence(summary), indent: 0)
        text += "\nCommands:\n"
        for command in commands {
            text += ArgumentTable.entry(command.name, command.summary, column: 14)
        }
        text += "\nOptions:\n" + options.map(ArgumentTable.row).joined()
        text += "\n'\(program) COMMAND --help' tells more about a command.\n"
        return text
    }

    /// `-o, --output FILE` with what it does beside it.
    private static func row(_ option: Option) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.value.map { " \($0)" } ?? ""
        var help = option.help
        if !option.choices.isEmpty { help += ": " + option.choices.joined(separator: ", ") }
        if option.isRepeatable { help += "; may be given several times" }
        if let byDefault = option.byDefault { help += " [\(byDefault)]" }
        return entry("\(short)--\(option.long)\(value)", help, column: 30)
    }

    private static func entry(_ term: String, _ help: String, column: Int) -> String {
        let body = wrap(help, indent: column)
        guard term.count + 4 <= column else { return "  \(term)\n\(body)" }
        let padding = String(repeating: " ", count: column - 2 - term.count)
        return "  \(term)\(padding)\(body.dropFirst(column))"
    }

    private static func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + "."
    }

    /// Lines of at most 80 columns, each after `indent` blanks.
    static func wrap(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines = ""
        var line = margin
        for word in text.split(separator: " ") {
            if line.count > indent, line.count + 1 + word.count > 80 {
                lines += line + "\n"
                line = margin
            }
            line += (line.count > indent ? " " : "") + word
        }
        return lines + line + "\n"
    }
}
