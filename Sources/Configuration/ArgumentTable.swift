/// One option of a command line.
public struct Option: Sendable {
    /// The name after `--`.
    public let long: String
    /// The letter after `-`.
    public let short: Character?
    /// What stands for the value in help texts, as `FILE`; `nil` for a switch.
    public let value: String?
    /// What it does, one sentence without a full stop.
    public let help: String
    /// The words it takes; empty when any value may be given.
    public let choices: [String]
    /// What holds when it is not given, as text for the help.
    public let byDefault: String?
    /// Whether it may be given more than once.
    public let isRepeatable: Bool
    /// The setting whose value it overrides, as `Store.Database`.
    public let setting: String?

    /// An option.
    public init(
        _ long: String, short: Character? = nil, value: String? = nil, _ help: String,
        choices: [String] = [], byDefault: String? = nil, isRepeatable: Bool = false,
        setting: String? = nil
    ) {
        self.long = long
        self.short = short
        self.value = value
        self.help = help
        self.choices = choices
        self.byDefault = byDefault
        self.isRepeatable = isRepeatable
        self.setting = setting
    }
}

/// What a command takes beside options.
public struct Operands: Sendable {
    /// How help texts show them, as `FILE...`.
    public let usage: String
    /// How many there may be.
    public let count: ClosedRange<Int>
    /// Words that shells offer beside file names; others may be given too.
    public let words: [String]

    /// Operands.
    public init(_ usage: String, count: ClosedRange<Int>, words: [String] = []) {
        self.usage = usage
        self.count = count
        self.words = words
    }

    /// None.
    public static let none = Operands("", count: 0...0)
}

/// One command of a program.
public struct Command: Sendable {
    /// The word that calls it; empty in a program without commands.
    public let name: String
    /// What it does, one sentence without a full stop.
    public let summary: String
    /// What it takes beside options.
    public let operands: Operands
    /// Its own options; those of the program come to them.
    public let options: [Option]
    /// Command lines worth trying, each with what it does.
    public let examples: [(line: String, what: String)]

    /// A command.
    public init(
        _ name: String, _ summary: String, operands: Operands = .none, options: [Option] = [],
        examples: [(line: String, what: String)] = []
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.examples = examples
    }
}

/// Everything a program takes on its command line: parsing, help, completion and manuals come from it.
public struct ArgumentTable: Sendable {
    /// The program's name.
    public let program: String
    /// What it is, one sentence without a full stop.
    public let summary: String
    /// Options that stand before or after the command's name; `--help` and `--version` come to them.
    public let options: [Option]
    /// The commands; one without a name makes a program without commands.
    public let commands: [Command]

    /// A table.
    public init(program: String, summary: String, options: [Option], commands: [Command]) {
        self.program = program
        self.summary = summary
        self.options =
            options + [
                Option("help", short: "h", "show this help and exit"),
                Option("version", "show the version and exit"),
            ]
        self.commands = commands
    }

    /// Whether the program is called without a command's name.
    public var hasSingleCommand: Bool {
        commands.count == 1 && commands[0].name.isEmpty
    }

    /// The command of that name.
    public func command(_ name: String) -> Command? {
        commands.first { $0.name == name }
    }
}

/// Why a command line is refused; the exit code is ``ExitCode/usage``.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// One line without the program's name and without a full stop.
    public let description: String

    /// An error with its line, and what the person most likely meant.
    public init(_ description: String, didYouMean: String? = nil) {
        self.description =
            didYouMean.map { "\(description); did you mean '\($0)'?" } ?? description
    }
}
