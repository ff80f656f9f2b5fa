import Configuration
import GNSS
import JSON
import Scheduling
import StatusProtocol

/// Asks for a fix now.
enum LocateCommand: ToolCommand {
    static let name = "locate"
    static let command = Command(
        name, "wakes the receiver and gives the best fix of a while",
        options: [
            Option(
                "timeout", value: "DURATION", "wait at most this long for a fix",
                byDefault: "1min"),
            Option(
                "accuracy", value: "METRES", "wait for a fix with an estimated error this small",
                byDefault: "that of the settings"),
            Daemon.jsonOption, PositionForm.option, Units.option, Zone.option,
        ],
        examples: [
            ("tracklog locate", "Where it is, whatever the policy."),
            ("tracklog locate --accuracy 3 --timeout 2min", "As good as it gets."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let screen = StatusScreen(
            units: Units(arguments), zone: try Zone(arguments), style: Style(arguments),
            form: try PositionForm(arguments))
        let limit =
            try arguments.value("timeout", as: .duration(.seconds(1) ... .seconds(600)))
            ?? .seconds(60)
        var params = JSONObject()
        params["timeout"] = .number(limit.seconds)
        if let goal = try arguments.value("accuracy", as: .number(0...100_000, unit: "metres")) {
            params["accuracy"] = .number(goal)
        }
        let patience = limit.seconds + 10
        guard !arguments.has("json") else {
            return try Daemon.printAnswer(
                arguments, "locate", params, timeout: patience, to: output)
        }
        let report = try Daemon.report(arguments, "locate", params, timeout: patience) {
            (value) throws(DecodeError) in try LocateReport(value)
        }
        for (name, text) in screen.fix(report.fix) { output.print(name.padded(5) + text + "\n") }
        output.print("     best of \(report.candidates) in \(span(seconds: report.waited))\n")
        return .ok
    }
}

/// Stops recording for a while.
enum PauseCommand: ToolCommand {
    static let name = "pause"
    static let command = Command(
        name, "switches the receiver off and records nothing until resume",
        operands: Operands("[DURATION]", count: 0...1), options: [Daemon.jsonOption],
        examples: [
            ("tracklog pause", "Until 'tracklog resume'."),
            ("tracklog pause 2h", "For two hours."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        var params = JSONObject()
        if let text = arguments.operands.first {
            let kind = ValueKind.duration(.seconds(1) ... .seconds(30 * 86_400))
            guard let duration = kind.parse(text) else {
                throw UsageError("bad value '\(text)' for pause: expected \(kind.expects)")
            }
            params["duration"] = .number(duration.seconds)
        }
        return try answer(arguments, "pause", params, output)
    }

    static func answer(
        _ arguments: ParsedArguments, _ method: String, _ params: JSONObject, _ output: Output
    ) throws -> ExitCode {
        guard !arguments.has("json") else {
            return try Daemon.printAnswer(arguments, method, params, to: output)
        }
        let report = try Daemon.report(arguments, method, params) {
            (value) throws(DecodeError) in try PauseReport(value)
        }
        let rest = report.resumesIn.map { "for \(span(seconds: $0))" } ?? "until 'tracklog resume'"
        output.print(report.isPaused ? "recording is paused \(rest)\n" : "recording goes on\n")
        return .ok
    }
}

/// Goes on recording.
enum ResumeCommand: ToolCommand {
    static let name = "resume"
    static let command = Command(
        name, "goes on recording after pause", options: [Daemon.jsonOption],
        examples: [("tracklog resume", "The receiver is on again as its policy says.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        try PauseCommand.answer(arguments, "resume", JSONObject(), output)
    }
}
