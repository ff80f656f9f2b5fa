import Configuration
import GNSS
import JSON
import StatusProtocol
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
        var answer = try reader.explain(time)
        var isRecorded = answer.isRecorded
        if answer.after == nil, let told = askDaemon(of: time, arguments, try reader.storeID()) {
            isRecorded = told.isRecorded
            answer.take(told)
        }
        if arguments.has("json") {
            append(answer, time, isRecorded, to: output)
        } else {
            for line in lines(answer, time, isRecorded, zone) { output.print(line + "\n") }
        }
        return .ok
    }

    /// After the last fix the daemon that records knows best; without one what is on the disk has to do.
    private static func askDaemon(
        of time: UTCTime, _ arguments: ParsedArguments, _ store: String?
    ) -> WhyReport? {
        var params = JSONObject()
        var text = TextBuffer()
        text.append(time)
        params["time"] = .string(text.string)
        guard let path = try? Locations.socket(arguments),
            let client = try? StatusClient(path: path),
            let status = try? StatusReport(client.call("status")),
            store != nil, status.store?.id == store
        else { return nil }
        return try? WhyReport(client.call("why", params))
    }

    private static func lines(
        _ answer: Explanation, _ time: UTCTime, _ isRecorded: Bool, _ zone: Zone
    ) -> [String] {
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
        if isRecorded {
            return ["recorded, in segment \(answer.before?.segment ?? 0):"] + neighbours
        }
        var lines: [String]
        switch (inForce(answer, time), answer.before, answer.after) {
        case (let held?, _, _):
            let lasted = hole(answer).map { "lasted \(span(milliseconds: $0))" } ?? "lasts"
            lines = ["not recorded: \(reason(held.reason)); the hole \(lasted)"]
        case (nil, nil, nil): lines = ["not recorded: there is no fix in the database"]
        case (nil, nil, _): lines = ["not recorded: before the first fix"]
        case (nil, _, nil):
            lines = ["not recorded: after the last fix; 'tracklog status' says what is now"]
        default: lines = ["not recorded: between two segments"]
        }
        for entry in answer.reasons { lines.append("  " + line(entry, zone)) }
        return lines + neighbours
    }

    /// The reason that held at a time: the last that is known, or the noted one.
    private static func inForce(_ answer: Explanation, _ time: UTCTime) -> Explanation.Reason? {
        answer.reason(at: time)
            ?? answer.gap(at: time).map { .init($0.reason, begin: $0.begin, end: $0.end) }
    }

    /// Milliseconds between the kept fixes around the time; `nil` where none follows or they tell no time.
    private static func hole(_ answer: Explanation) -> Int64? {
        guard let end = answer.after?.fix.time else { return nil }
        return answer.before?.fix.time.map { end - $0 } ?? answer.gaps.first?.duration
    }

    private static func line(_ entry: Explanation.Reason, _ zone: Zone) -> String {
        var text = reason(entry.reason)
        if entry.reason == .rejected {
            text = entry.detail.map { "rejected as \($0)" } ?? text
        }
        if let count = entry.count { text += ": \(count)" }
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
        case .passedOver: "the policy recorded none of the fixes that came"
        case .privateZone: "it was inside a zone where nothing is recorded"
        default: reason.name.split(separator: "_").joined(separator: " ")
        }
    }

    private static func append(
        _ answer: Explanation, _ time: UTCTime, _ isRecorded: Bool, to output: Output
    ) {
        output.text.append("{\"time\":\"")
        output.text.append(time)
        output.text.append(isRecorded ? "\",\"recorded\":true" : "\",\"recorded\":false")
        if let held = inForce(answer, time), !isRecorded {
            output.text.append(",\"reason\":")
            output.text.append(json: held.reason.name)
            if let length = hole(answer) {
                output.text.append(",\"duration\":")
                output.text.append(Double(length) / 1000, decimals: 3, trimming: true)
            }
        }
        if !isRecorded {
            output.text.append(",\"rejected\":{")
            let rejected = answer.reasons.filter { $0.count != nil }
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

extension Explanation {
    /// Takes over what the daemon says of the time after the last fix.
    fileprivate mutating func take(_ report: WhyReport) {
        reasons = report.reasons.compactMap { told in
            GapReason.allCases.first { $0.name == told.reason }.map {
                Reason(
                    $0, begin: told.begin, end: told.end,
                    detail: told.detail == "now" ? nil : told.detail, count: told.count)
            }
        }
    }
}
