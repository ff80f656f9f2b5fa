import Configuration
import Receiver
import Storage

/// One command: its line in the table, and what it does.
protocol ToolCommand: Sendable {
    /// The word that calls it.
    static var name: String { get }
    static var command: Command { get }
    /// Runs it.
    ///
    /// - Parameter output: data for the person or program; nothing else goes there.
    /// - Throws: ``Failure``, `UsageError` and what the libraries throw.
    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode
}

/// Why a command cannot do its work: one line for a person and the exit code.
struct Failure: Error {
    var message: String
    var code: ExitCode

    init(_ message: String, _ code: ExitCode) {
        self.message = message
        self.code = code
    }
}

/// The program: its commands, and how their failures are told.
enum Tool {
    static let commands: [any ToolCommand.Type] = [
        StatusCommand.self, WatchCommand.self, SkyCommand.self, FlushCommand.self,
        LocateCommand.self, PauseCommand.self, ResumeCommand.self,
        MarkCommand.self, MarksCommand.self,
        MetricsCommand.self, ProfileCommand.self, GetCommand.self, SetCommand.self,
        ReloadCommand.self,
        DoctorCommand.self, DecodeCommand.self, ListCommand.self,
        FindCommand.self,
        StatsCommand.self, PowerCommand.self, WhyCommand.self,
        ExportCommand.self, ImportCommand.self, ConvertCommand.self,
        RecorrectCommand.self, ForgetCommand.self, DatabaseCommand.self,
        SimulateCommand.self,
        ConfigCommand.self,
        CompletionCommand.self,
        VersionCommand.self, HelpCommand.self,
    ]

    /// Everything the program takes.
    static let table = table(of: commands)

    private static func table(of commands: [any ToolCommand.Type]) -> ArgumentTable {
        ArgumentTable(
            program: "tracklog",
            summary: "shows, checks and exports what tracklogd recorded, and asks it how it is",
            options: Locations.options + [
                Option(
                    "config", short: "c", value: "FILE",
                    "take paths from the daemon's settings in FILE",
                    byDefault: SettingsLoader.defaultPath),
                Option(
                    "color", value: "WHEN", "colour what people read",
                    choices: ["auto", "always", "never"],
                    byDefault: "auto"),
            ],
            commands: commands.map { $0.command })
    }

    /// Reads a command line.
    ///
    /// Describing all commands takes as long as asking the daemon does: those come first whose names are there, and
    /// all when that is not enough, or when what is wrong is to be told.
    private static func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        let named = commands.filter { arguments.contains($0.name) }
        if let parsed = try? table(of: named).parse(arguments), parsed.command != nil {
            return parsed
        }
        return try table.parse(arguments)
    }

    static func run(_ arguments: [String]) -> ExitCode {
        let output = Output(descriptor: 1)
        do {
            let parsed = try parse(arguments)
            let code = try run(parsed, output)
            try output.flush()
            return code
        } catch {
            // What was printed before the failure is still right.
            try? output.flush()
            return report(
                error, named: arguments.first { word in commands.contains { $0.name == word } })
        }
    }

    private static func run(_ parsed: ParsedArguments, _ output: Output) throws -> ExitCode {
        if parsed.has("help") {
            output.print(table.help(for: parsed.command))
            return .ok
        }
        guard !parsed.has("version"), let command = parsed.command else {
            return try VersionCommand.run(parsed, output)
        }
        guard let runner = commands.first(where: { $0.name == command.name }) else {
            throw Failure("\(command.name) is not made", .software)
        }
        try protectDatabase(parsed)
        return try runner.run(parsed, output)
    }

    /// Refuses an output that would take the place of the database that is read, or of one of its files.
    private static func protectDatabase(_ arguments: ParsedArguments) throws {
        let outputs = arguments.values("output") + arguments.values("curve")
        guard !outputs.isEmpty else { return }
        // Settings that cannot be read name no database; the command tells of them when it needs one.
        var databases = [try? Locations.database(arguments)].compactMap(\.self)
        if arguments.command?.name == DatabaseCommand.name {
            databases += arguments.operands.dropFirst()
        }
        for output in outputs where output != "-" {
            guard databases.contains(where: { DatabaseFiles.isPart(output, of: $0) }) else {
                continue
            }
            throw Failure("\(output): it is the database itself", .cannotCreate)
        }
    }

    /// Tells of an error.
    ///
    /// - Parameter named: the command that was called, whose help is the one to read.
    private static func report(_ error: any Error, named: String?) -> ExitCode {
        switch error {
        case let error as UsageError:
            complain(
                "\(error); 'tracklog \(named.map { "\($0) " } ?? "")--help' lists what there is")
            return .usage
        case let error as Failure:
            complain(error.message)
            return error.code
        case let error as OutputError:
            guard !error.isReaderGone else { Output.endByBrokenPipe() }
            complain("\(error)")
            return .inputOutput
        case let error as SettingsError:
            complain(error.description)
            return error.isMissingInput ? .noInput : .configuration
        case let error as ReplayError:
            complain("\(error)")
            return ExitCode(rawValue: error.exitStatus) ?? .software
        case let error as StoreError:
            complain("\(error)")
            return error.exitCode
        default:
            complain("\(error)")
            return .software
        }
    }

    /// Writes lines to standard error, each after the program's name.
    static func complain(_ message: String) {
        let lines = message.split(separator: "\n").map { "tracklog: \($0)\n" }.joined()
        Output.writeToStandardError(lines)
    }
}
