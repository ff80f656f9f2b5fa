/// A shell that completion can be made for.
public enum Shell: String, CaseIterable, Sendable {
    /// bash 4 and later.
    case bash
    /// zsh, through its emulation of bash's completion.
    case zsh
    /// fish 3 and later.
    case fish
}

extension ArgumentTable {
    /// A script that makes the shell complete commands, options, their words, and file names elsewhere.
    public func completion(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n" + bash
        case .fish: fish
        }
    }

    private var bash: String {
        func words(_ options: [Option]) -> String {
            options.map { "--\($0.long)" }.joined(separator: " ")
        }
        var text = "_\(program)() {\n"
        text +=
            "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word command=\n"
        text += "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
        text +=
            "        case $word in \(commands.map(\.name).joined(separator: "|"))) command=$word; break ;; esac\n"
        text += "    done\n    COMPREPLY=()\n    case $command:$prev in\n"
        for command in commands {
            for option in command.options where !option.choices.isEmpty {
                text += "        \(command.name):--\(option.long)) "
                text +=
                    "COMPREPLY=($(compgen -W '\(option.choices.joined(separator: " "))' -- \"$cur\")); return ;;\n"
            }
        }
        for option in options where !option.choices.isEmpty {
            text += "        *:--\(option.long)) "
            text +=
                "COMPREPLY=($(compgen -W '\(option.choices.joined(separator: " "))' -- \"$cur\")); return ;;\n"
        }
        text += "    esac\n    case $command in\n"
        text +=
            "        '') COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " ")) \(words(options))'"
        text += " -- \"$cur\")) ;;\n"
        for command in commands {
            text += "        \(command.name)) if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "
            text += "'\(words(command.options + options))' -- \"$cur\")); "
            if !command.operands.words.isEmpty {
                text += "else COMPREPLY=($(compgen -W "
                text += "'\(command.operands.words.joined(separator: " "))' -- \"$cur\")); "
            }
            text += "fi ;;\n"
        }
        return text + "    esac\n}\ncomplete -o default -F _\(program) \(program)\n"
    }

    private var fish: String {
        func quoted(_ text: String) -> String {
            "'"
                + text.split(separator: "'", omittingEmptySubsequences: false).joined(
                    separator: "\\'") + "'"
        }
        func line(_ option: Option, _ condition: String) -> String {
            var text = "complete -c \(program)\(condition) -l \(option.long)"
            if let short = option.short { text += " -s \(short)" }
            if !option.choices.isEmpty {
                text += " -x -a \(quoted(option.choices.joined(separator: " ")))"
            } else if option.value != nil {
                text += " -r"
            }
            return text + " -d \(quoted(option.help))\n"
        }
        var text = ""
        for command in commands where !command.name.isEmpty {
            text += "complete -c \(program) -n __fish_use_subcommand -f -a \(command.name)"
            text += " -d \(quoted(command.summary))\n"
            let condition = " -n '__fish_seen_subcommand_from \(command.name)'"
            for option in command.options { text += line(option, condition) }
            let words = command.operands.words
            if !words.isEmpty {
                text += "complete -c \(program)\(condition) -a "
                text += quoted(words.joined(separator: " ")) + "\n"
            }
        }
        return text + options.map { line($0, "") }.joined()
    }
}
