import Configuration
import GNSS
import JSON
import Scheduling
import StatusProtocol

/// Asks the daemon how it is.
enum StatusCommand: ToolCommand {
    static let command = Command(
        "status", "tells what the daemon is doing and why",
        options: [
            Option("json", short: "j", "print the daemon's answer as one JSON object"),
            Units.option,
            Zone.option,
        ],
        examples: [
            ("tracklog status", "The daemon of this machine."),
            ("tracklog --socket ./s status --json", "Another one, for a program."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let screen = StatusScreen(
            units: Units(arguments), zone: try Zone(arguments), style: Style(arguments))
        let client = try Daemon.connect(arguments)
        if arguments.has("json") {
            let answer = try Daemon.asking { () throws(ClientError) in try client.call("status") }
            answer.append(to: &output.text.bytes)
            output.print("\n")
        } else {
            let report = try Daemon.asking { () throws(ClientError) in try client.status() }
            output.print(screen.text(of: report))
        }
        return .ok
    }
}

/// Shows what the daemon sees, as it sees it.
enum WatchCommand: ToolCommand {
    static let command = Command(
        "watch", "shows fixes and changes as they come, as JSON Lines",
        options: [
            Option(
                "kinds", value: "LIST",
                "only these kinds: \(WatchKinds.all.names.joined(separator: ","))"),
            Option(
                "after", value: "SEQUENCE",
                "fixes once they are on the disk, those after SEQUENCE first"),
            Option("interval", value: "DURATION", "leave out fixes closer together than this"),
            Option("count", short: "n", value: "N", "end after N lines"),
        ],
        examples: [
            ("tracklog watch", "Everything, until interrupted."),
            ("tracklog watch --kinds fixes --count 1", "The next fix."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        var params = JSONObject()
        if let text = arguments.value("kinds") { params["kinds"] = .array(try kinds(text)) }
        if let interval = try arguments.value(
            "interval", as: .duration(.seconds(0) ... .seconds(86_400)))
        {
            params["interval"] = .number(interval.seconds)
        }
        if let after = try arguments.value("after", as: .integer(0...Int.max)) {
            params["after"] = .integer(Int64(after))
        }
        let count = try arguments.value("count", as: .integer(1...Int(Int32.max), unit: "lines"))
        let client = try Daemon.connect(arguments)
        _ = try Daemon.asking { () throws(ClientError) in try client.call("watch", params) }
        var shown = 0
        while shown < count ?? Int.max {
            let event = try Daemon.asking { () throws(ClientError) in try client.next() }
            output.print("{\"kind\":")
            output.text.append(json: event.method)
            for member in event.params.members {
                output.print(",")
                output.text.append(json: member.name)
                output.print(":")
                member.value.append(to: &output.text.bytes)
            }
            output.print("}\n")
            try output.flush()
            shown += 1
        }
        return .ok
    }

    private static func kinds(_ text: String) throws(UsageError) -> [JSONValue] {
        let all = WatchKinds.all.names
        var kinds: [JSONValue] = []
        for word in text.split(separator: ",").map(String.init) {
            guard all.contains(word) else {
                throw UsageError(
                    "bad value '\(word)' for --kinds: expected \(all.joined(separator: ", "))",
                    didYouMean: Spelling.nearest(to: word, among: all))
            }
            kinds.append(.string(word))
        }
        return kinds
    }
}

/// The daemon as the tool reaches it, with words for what may go wrong.
enum Daemon {
    static func connect(_ arguments: ParsedArguments) throws -> StatusClient {
        let path = try Locations.socket(arguments)
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
        case .refused(let error): Failure("tracklogd refuses: \(error.message)", code(of: error))
        case .system(let call, let code): Failure("\(call): error \(code)", .inputOutput)
        }
    }
}
