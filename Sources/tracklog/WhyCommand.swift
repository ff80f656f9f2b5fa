import Configuration
import GNSS
import Storage

/// Says whether there was a fix at a time, and why not.
enum WhyCommand: ToolCommand {
    static let name = "why"
    static let command = Command(
        name, "says whether a time was recorded, and if not, why",
        operands: Operands("TIME", count: 1...1),
        options: [Zone.option, Option("json", short: "j", "print one JSON object")],
        examples: [
            ("tracklog why '2026-03-01 14:00'", "The fix of that time, or the reason of the hole."),
            ("tracklog why -2h", "Two hours ago."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        guard let time = zone.time(of: arguments.operands[0]) else {
            throw UsageError("bad time '\(arguments.operands[0])': expected \(TimeText.expects)")
        }
        let reader = try TrackReader(path: Locations.database(arguments))
        let answer = try reader.explain(time)
        if arguments.has("json") {
            append(answer, time, to: output)
        } else {
            for line in lines(answer, time, zone) { output.print(line + "\n") }
        }
        return .ok
    }

    private static func lines(_ answer: Explanation, _ time: UTCTime, _ zone: Zone) -> [String] {
        func near(_ record: RecordedFix, _ word: String) -> String? {
            record.fix.time.map { found in
                let away = span(milliseconds: abs(found - time))
                return
                    "fix \(record.sequence) \(found == time ? "then" : "\(away) \(word)"), \(zone.text(found))"
            }
        }
        // A fix of that very time is its own neighbour on both sides.
        let after = answer.after?.sequence == answer.before?.sequence ? nil : answer.after
        let neighbours = [
            answer.before.flatMap { near($0, "before") }, after.flatMap { near($0, "after") },
        ].compactMap { $0.map { "  \($0)" } }
        if answer.isRecorded {
            return ["recorded, in segment \(answer.before?.segment ?? 0):"] + neighbours
        }
        var lines: [String]
        switch (answer.gap(at: time), answer.before, answer.after) {
        case (let gap?, _, _):
            let lasted = gap.end == nil ? "lasts" : "lasted \(span(milliseconds: gap.duration))"
            lines = ["not recorded: \(reason(gap.reason)); the hole \(lasted)"]
        case (nil, nil, nil): lines = ["not recorded: there is no fix in the database"]
        case (nil, nil, _): lines = ["not recorded: before the first fix"]
        case (nil, _, nil):
            lines = ["not recorded: after the last fix; 'tracklog status' says what is now"]
        default: lines = ["not recorded: between two segments"]
        }
        for entry in answer.reasons { lines.append("  " + line(entry, zone)) }
        return lines + neighbours
    }

    private static func line(_ entry: Explanation.Reason, _ zone: Zone) -> String {
        var text = reason(entry.reason)
        if entry.reason == .rejected {
            text = "rejected as \(entry.detail ?? "unknown"): \(entry.count ?? 0)"
        }
        if let begin = entry.begin { text += ", from \(zone.text(begin))" }
        if let end = entry.end { text += " to \(zone.text(end))" }
        return text
    }

    /// A reason in words.
    private static func reason(_ reason: GapReason) -> String {
        switch reason {
        case .asleep: "the receiver was asleep, as its policy says"
        case .atRest: "it stood still, as its sensor says, and the receiver was asleep"
        case .noSky: "the receiver had no fix"
        case .rejected: "fixes came and all were rejected"
        case .sourceLost: "the source delivered nothing"
        case .notRunning: "the daemon was not running"
        case .paused: "recording was paused"
        case .noData: "the log holds nothing for it"
        case .dropped: "the disk could not take it"
        case .privateZone: "it was inside a zone where nothing is recorded"
        default: reason.name.split(separator: "_").joined(separator: " ")
        }
    }

    private static func append(_ answer: Explanation, _ time: UTCTime, to output: Output) {
        output.text.append("{\"time\":\"")
        output.text.append(time)
        output.text.append(answer.isRecorded ? "\",\"recorded\":true" : "\",\"recorded\":false")
        if let gap = answer.gap(at: time), !answer.isRecorded {
            output.text.append(",\"reason\":")
            output.text.append(json: gap.reason.name)
            output.text.append(",\"duration\":")
            output.text.append(Double(gap.duration) / 1000, decimals: 3, trimming: true)
        }
        if !answer.isRecorded {
            output.text.append(",\"rejected\":{")
            let rejected = answer.reasons.filter { $0.reason == .rejected }
            for (index, entry) in rejected.enumerated() {
                if index > 0 { output.text.append(",") }
                output.text.append(json: entry.detail ?? "")
                output.text.append(":")
                output.text.append(entry.count ?? 0)
            }
            output.text.append("}")
        }
        output.text.append(",\"reasons\":[")
        for (index, entry) in answer.reasons.enumerated() {
            if index > 0 { output.text.append(",") }
            append(entry, to: output)
        }
        output.text.append("]")
        if let before = answer.before {
            output.text.append(",\"before\":")
            output.text.append(json: before, shown: nil)
        }
        if let after = answer.after {
            output.text.append(",\"after\":")
            output.text.append(json: after, shown: nil)
        }
        output.text.append("}\n")
    }

    private static func append(_ entry: Explanation.Reason, to output: Output) {
        output.text.append("{\"reason\":")
        output.text.append(json: entry.reason.name)
        for (name, time) in [("begin", entry.begin), ("end", entry.end)] {
            guard let time else { continue }
            output.print(",\"\(name)\":\"")
            output.text.append(time)
            output.text.append("\"")
        }
        if let detail = entry.detail {
            output.text.append(",\"detail\":")
            output.text.append(json: detail)
        }
        if let count = entry.count {
            output.text.append(",\"count\":")
            output.text.append(count)
        }
        output.text.append("}")
    }
}
