/// A command line that fits its table.
public struct ParsedArguments: Sendable {
    /// The command; `nil` when help or the version is asked without one.
    public internal(set) var command: Command?
    /// What was given beside options, in order.
    public internal(set) var operands: [String] = []
    /// The options given, by long name, in order; switches have an empty value.
    ///
    /// Not a dictionary: the first one of a program costs more than all else that a short command does.
    var values: [(long: String, value: String)] = []
    /// Values for settings, in the order given.
    public internal(set) var overrides: [SettingOverride] = []

    /// Whether an option was given.
    public func has(_ long: String) -> Bool {
        values.contains { $0.long == long }
    }

    /// The last value of an option, `nil` when it was not given.
    public func value(_ long: String) -> String? {
        values.last { $0.long == long }?.value
    }

    /// All values of an option, in order.
    public func values(_ long: String) -> [String] {
        values.filter { $0.long == long }.map(\.value)
    }

    /// The last value of an option as what it means.
    ///
    /// - Throws: ``UsageError`` that names the option and what it takes.
    public func value<Value>(
        _ long: String, as kind: ValueKind<Value>
    ) throws(UsageError) -> Value? {
        guard let text = value(long) else { return nil }
        guard let value = kind.parse(text) else {
            throw UsageError("bad value '\(text)' for --\(long): expected \(kind.expects)")
        }
        return value
    }
}

extension ArgumentTable {
    /// Reads a command line, without the program's name, as GNU programs do.
    ///
    /// Options and operands mix; `--` ends options; `-` is an operand; `--name=value`, `--name value`, `-xVALUE` and
    /// joined switches are taken; what follows an option with a value is its value even when it begins with `-`.
    /// With `--help` or `--version` nothing else is checked.
    /// - Throws: ``UsageError`` that names what is wrong and the nearest right word.
    public func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var parsed = ParsedArguments()
        if hasSingleCommand { parsed.command = commands[0] }
        var index = 0
        var optionsEnded = false
        // Help wins over mistakes further on: who asks for it may not know the options.
        let plain = arguments.prefix { $0 != "--" }
        let wantsHelp = plain.contains("--help") || plain.contains("-h")
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            // No option is a digit: -2h is a time.
            let isNumber = argument.dropFirst().first?.isWholeNumber ?? false
            if optionsEnded || argument == "-" || !argument.hasPrefix("-") || isNumber {
                if parsed.command == nil {
                    parsed.command = try command(named: argument, wantsHelp: wantsHelp)
                } else {
                    parsed.operands.append(argument)
                }
            } else if argument == "--" {
                optionsEnded = true
            } else if wantsHelp {
                parsed.values = [("help", "")]
            } else if argument.hasPrefix("--") {
                try takeLong(argument, arguments, &index, &parsed)
            } else {
                try takeShort(argument, arguments, &index, &parsed)
            }
        }
        guard !parsed.has("help"), !parsed.has("version") else { return parsed }
        guard let command = parsed.command else {
            throw UsageError("a command is missing")
        }
        let count = parsed.operands.count
        if count < command.operands.count.lowerBound {
            throw UsageError("\(title(command))\(command.operands.usage) is missing")
        }
        if count > command.operands.count.upperBound {
            let surplus = parsed.operands[command.operands.count.upperBound]
            throw UsageError("\(title(command))one argument too many: '\(surplus)'")
        }
        return parsed
    }

    private func title(_ command: Command) -> String {
        command.name.isEmpty ? "" : "\(command.name): "
    }

    private func command(named name: String, wantsHelp: Bool) throws(UsageError) -> Command? {
        if let command = command(name) { return command }
        if wantsHelp { return nil }
        throw UsageError(
            "unknown command '\(name)'",
            didYouMean: Spelling.nearest(to: name, among: commands.map(\.name)))
    }

    private func options(of command: Command?) -> [Option] {
        (command?.options ?? []) + options
    }

    private func takeLong(
        _ argument: String, _ arguments: [String], _ index: inout Int,
        _ parsed: inout ParsedArguments
    ) throws(UsageError) {
        let parts = argument.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let known = options(of: parsed.command)
        guard let option = known.first(where: { $0.long == name }) else {
            throw unknown("--\(name)", parsed.command, known.map { "--\($0.long)" })
        }
        if option.value == nil {
            guard parts.count == 1 else { throw UsageError("option '--\(name)' takes no value") }
            try set(option, "", "--\(name)", &parsed)
        } else if parts.count == 2 {
            try set(option, String(parts[1]), "--\(name)", &parsed)
        } else {
            let value = try next(of: option, "--\(name)", known, arguments, &index)
            try set(option, value, "--\(name)", &parsed)
        }
    }

    private func takeShort(
        _ argument: String, _ arguments: [String], _ index: inout Int,
        _ parsed: inout ParsedArguments
    ) throws(UsageError) {
        let known = options(of: parsed.command)
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = known.first(where: { $0.short == letter }) else {
                throw unknown("-\(letter)", parsed.command, known.map { "--\($0.long)" }, argument)
            }
            if option.value == nil {
                try set(option, "", "-\(letter)", &parsed)
            } else if letters.isEmpty {
                let value = try next(of: option, "-\(letter)", known, arguments, &index)
                try set(option, value, "-\(letter)", &parsed)
            } else {
                try set(option, String(letters), "-\(letter)", &parsed)
                letters = ""
            }
        }
    }

    private func unknown(
        _ name: String, _ command: Command?, _ known: [String], _ whole: String? = nil
    ) -> UsageError {
        let place = command.map { $0.name.isEmpty ? "" : " of \($0.name)" } ?? ""
        // `-json` is most often `--json`.
        let meant = whole.map { "-\($0)" } ?? name
        var nearest = known.contains(meant) ? meant : Spelling.nearest(to: meant, among: known)
        if whole?.count == 2 { nearest = nil }
        if nearest == nil, command == nil {
            let owner = commands.first { $0.options.contains { "--\($0.long)" == name } }
            if let owner { return UsageError("option '\(name)' belongs after '\(owner.name)'") }
        }
        return UsageError("unknown option '\(name)'\(place)", didYouMean: nearest)
    }

    private func next(
        of option: Option, _ name: String, _ known: [Option], _ arguments: [String],
        _ index: inout Int
    ) throws(UsageError) -> String {
        guard index < arguments.count,
            !known.contains(where: { "--\($0.long)" == arguments[index] })
        else {
            throw UsageError("option '\(name)' needs a value: \(option.value ?? "VALUE")")
        }
        index += 1
        return arguments[index - 1]
    }

    private func set(
        _ option: Option, _ value: String, _ name: String, _ parsed: inout ParsedArguments
    ) throws(UsageError) {
        // An unset variable of a script names no file; only words for people may be none.
        if value.isEmpty, let wanted = option.value, wanted != "TEXT" {
            throw UsageError("option '\(name)' needs a value: \(wanted)")
        }
        if !option.choices.isEmpty, !option.choices.contains(value) {
            throw UsageError(
                "bad value '\(value)' for \(name): expected "
                    + option.choices.joined(separator: ", "),
                didYouMean: Spelling.nearest(to: value, among: option.choices))
        }
        if option.value != nil, !option.isRepeatable, parsed.has(option.long) {
            throw UsageError("option '\(name)' was given twice")
        }
        parsed.values.append((option.long, value))
        if let setting = option.setting {
            parsed.overrides.append(
                SettingOverride(name: setting, value: value, origin: .option(name)))
        }
    }
}
