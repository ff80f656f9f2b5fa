import Configuration
import Correction
import GNSS
import Storage

/// Computes corrected positions anew after the settings of the correction have changed.
enum RecorrectCommand: ToolCommand {
    static let name = "recorrect"
    static let command = Command(
        name, "computes corrected positions anew, from those received",
        options: [
            Option(
                "since", value: "TIME", "only fixes from then on, as 2026-03-01 or yesterday",
                byDefault: "all"),
            Zone.option,
            Option("json", short: "j", "print one JSON object"),
        ],
        examples: [
            (
                "tracklog recorrect --since 2026-03-01",
                "Applies the correction that the daemon's settings say now; stop the daemon first."
            )
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let settings = try Locations.settings(arguments)
        var chain = try CorrectionChain(settings.correction)
        let since = try Zone(arguments).time("since", in: arguments)
        let path = try Locations.database(arguments)
        let recorrection = try Recorrection(path: path)
        let bar = ProgressBar("correcting \(path)")
        let outcome = try recorrection.run(
            since: since, digest: chain.digest, text: chain.canonicalText,
            correct: { record, number in
                chain.id = number
                return chain.correct(record.fix, flags: record.flags)
            },
            progress: { done, all in bar.show(done, of: all) })
        bar.end()
        output.print(
            arguments.has("json")
                ? "{\"fixes\":\(outcome.fixes),\"changed\":\(outcome.changed)}\n"
                : "\(outcome.fixes) fixes, \(outcome.changed) corrected positions changed\n")
        return .ok
    }
}
