import Configuration
import GNSS
import Glibc
import JSON
import Scheduling
import StatusProtocol

/// Asks the daemon how it is.
enum StatusCommand: ToolCommand {
    static let name = "status"
    static let command = Command(
        name, "tells what the daemon is doing and why",
        options: [
            Option("json", short: "j", "print the daemon's answer as one JSON object"),
            CoordinateChoice.option, PositionForm.option,
            Units.option,
            Zone.option,
        ],
        examples: [
            ("tracklog status", "The daemon of this machine."),
            ("tracklog --socket ./s status --json", "Another one, for a program."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let screen = StatusScreen(
            units: Units(arguments), zone: try Zone(arguments), style: Style(arguments),
            form: try PositionForm(arguments))
        let client = try Daemon.connect(arguments)
        if arguments.has("json") {
            let answer = try Daemon.asking { () throws(ClientError) in try client.call("status") }
            let shown =
                arguments.has("crs") ? try CoordinateChoice(arguments).annotated(answer) : answer
            shown.append(to: &output.text.bytes)
            output.print("\n")
        } else {
            var report = try Daemon.asking { () throws(ClientError) in
                // What a first text costs, code that is read and types that are made, the answer need not wait for.
                try client.status { _ = screen.text(of: StatusReport()) }
            }
            if arguments.has("crs"), let fix = report.lastFix {
                report.lastFix = try CoordinateChoice(arguments).place(fix)
            }
            output.print(screen.text(of: report))
        }
        return .ok
    }
}

/// The daemon as the tool reaches it, with words for what may go wrong.
enum Daemon {
    static func connect(_ arguments: ParsedArguments) throws -> StatusClient {
        let path = try Locations.socket(arguments)
        // Who may open the socket that lets them change things goes through that one.
        if let control = (try? UnixAddress(path))?.control, unsafe access(control.text, W_OK) == 0,
            let client = try? StatusClient(path: control.text)
        {
            return client
        }
        return try asking { () throws(ClientError) in try StatusClient(path: path) }
    }

    /// Does something with the daemon, and tells a failure as a person can act on it.
    static func asking<Answer>(
        _ body: () throws(ClientError) -> Answer
    ) throws(Failure) -> Answer {
        do {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    private static func code(of error: RPCError) -> ExitCode {
        switch error.code {
        case RPCError.Code.notPermitted: .noPermission
        case RPCError.Code.invalidParams: .usage
        case RPCError.Code.internalError: .software
        default: .unavailable
        }
    }

    /// The protocol's words in a person's: `parameter "value" must be` is `the value must be`.
    private static func plain(_ message: String) -> String {
        let parts = message.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "parameter " else { return message }
        return "the \(parts[1])\(parts[2])"
    }

    static func failure(_ error: ClientError) -> Failure {
        switch error {
        case .address(let why): Failure("\(why)", .usage)
        case .notRunning(let path):
            Failure(
                "\(path): no tracklogd answers; start it with 'systemctl start tracklogd', "
                    + "or name its socket with --socket", .unavailable)
        case .noPermission(let path):
            Failure(
                "\(path): permission denied; join its group with 'sudo adduser $USER tracklog' "
                    + "and log in again", .noPermission)
        case .timedOut:
            Failure("tracklogd does not answer; it may be stopped or overloaded", .unavailable)
        case .closed: Failure("tracklogd closed the connection", .unavailable)
        case .malformed(let what): Failure("the answer is not tracklogd's: \(what)", .dataError)
        case .refused(let error):
            Failure("tracklogd refuses: \(plain(error.message))", code(of: error))
        case .system(let call, let code): Failure("\(call): error \(code)", .inputOutput)
        }
    }
}
