import Configuration
import GNSS
import JSON
import StatusProtocol

/// Shows and changes the profile in force.
enum ProfileCommand: ToolCommand {
    static let name = "profile"
    static let command = Command(
        name, "shows the profiles, or puts one in force",
        operands: Operands("[NAME]", count: 0...1),
        options: [
            Option("keep", "let it hold after a restart too, in a drop-in file"),
            Daemon.jsonOption,
        ],
        examples: [
            ("tracklog profile", "What there is, and which is in force."),
            ("tracklog profile economy", "Saves power until the next start."),
            ("tracklog profile none", "Back to the settings files."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        var params = JSONObject()
        if let name = arguments.operands.first { params["name"] = .string(name) }
        if arguments.has("keep") { params["keep"] = .bool(true) }
        guard !arguments.has("json") else {
            return try Daemon.printAnswer(arguments, "profile", params, to: output)
        }
        let report = try Daemon.report(arguments, "profile", params) {
            (value) throws(DecodeError) in try ProfileReport(value)
        }
        if let file = report.keptIn { Tool.complain("kept in \(file)") }
        guard arguments.operands.isEmpty else {
            output.print("\(report.name ?? "the settings of the files") in force\n")
            return .ok
        }
        let style = Style(arguments)
        for profile in report.profiles {
            let mark = profile.name == report.name ? "* " : "  "
            output.print(style.bold(mark + profile.name.padded(10)) + " " + profile.meaning + "\n")
            output.print(
                style.dim("             " + profile.settings.joined(separator: " ")) + "\n")
        }
        return .ok
    }
}
