import Configuration
import GNSS
import JSON
import StatusProtocol

/// Gives monitoring what is counted and measured.
enum MetricsCommand: ToolCommand {
    static let name = "metrics"
    static let command = Command(
        name, "prints what the daemon counts and measures as OpenMetrics text",
        options: [
            Option(
                "output", short: "o", value: "FILE",
                "write FILE, whole or not at all; a daemon that does not answer is written as down"),
            Daemon.jsonOption,
        ],
        examples: [
            ("tracklog metrics", "No coordinates are among them."),
            (
                "tracklog metrics -o /var/lib/prometheus/node-exporter/tracklog.prom",
                "For the node exporter's textfile collector, from a timer."
            ),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        if arguments.has("json") {
            guard !arguments.has("output") else {
                throw UsageError("--output is for the text; leave --json or it out")
            }
            return try Daemon.printAnswer(arguments, "metrics", to: output)
        }
        var text = TextBuffer()
        var failure: Failure?
        do {
            let report = try Daemon.report(arguments, "metrics") { (value) throws(DecodeError) in
                try MetricsReport(value)
            }
            text.append(text: report.text)
        } catch let error as Failure {
            // A file of yesterday would look like a daemon that is well.
            guard arguments.has("output") else { throw error }
            failure = error
            text.appendMetricsOfNone()
        }
        if let path = arguments.value("output"), path != "-" {
            let file = try AsideFile(path: path)
            file.output.text.bytes += text.bytes
            try file.finish()
        } else {
            output.text.bytes += text.bytes
        }
        if let failure { throw failure }
        return .ok
    }
}
