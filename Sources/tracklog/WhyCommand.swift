import Configuration
import GNSS
import Storage

/// Says whether there was a fix at a time, and why not.
enum WhyCommand: ToolCommand {
    static let command = Command(
        "why", "says whether a time was recorded, and if not, why",
        operands: Operands("TIME", count: 1...1),
        options: [Zone.option, Option("json", short: "j", "print one JSON object")],
        examples: [
            ("tracklog why '2026-03-01 14:00'", "The fix of that time, or the reason of the hole."),
            ("tracklog why -- -2h", "Two hours ago."),
        ])

    /// What the database says of a time.
    private struct Answer {
        var before: RecordedFix?
        var after: RecordedFix?
        var gap: Gap?
        /// Fixes between the two kept ones that were rejected, by reason.
        var rejected = FixTally()

        /// Whether the time lies within an unbroken run of fixes.
        var isRecorded: Bool {
            guard let before, let after else { return false }
            return before.segment == after.segment && before.run == after.run
        }
    }

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        guard let time = zone.time(of: arguments.operands[0]) else {
            throw UsageError("bad time '\(arguments.operands[0])': expected \(TimeText.expects)")
        }
        let reader = try TrackReader(path: Locations.database(arguments))
        let answer = try look(for: time, in: reader)
        if arguments.has("json") {
            append(answer, time, to: output)
        } else {
            for line in lines(answer, time, zone) { output.print(line + "\n") }
        }
        return .ok
    }

    private static func look(for time: UTCTime, in reader: TrackReader) throws -> Answer {
        var answer = Answer()
        try reader.fixes(until: time, last: 1) {
            answer.before = $0
            return true
        }
        try reader.fixes(since: time) {
            answer.after = $0
            return false
        }
        guard !answer.isRecorded else { return answer }
        answer.gap = try reader.gaps().last { gap in
            guard let begin = gap.begin, begin <= time else { return false }
            return gap.end.map { $0 >= time } ?? true
        }
        let (since, until) = (answer.before?.fix.time, answer.after?.fix.time)
        try reader.fixes(since: since, until: until, keptOnly: false) {
            if let reason = $0.flags.reason { answer.rejected.add(reason) }
            return true
        }
        return answer
    }

    private static func lines(_ answer: Answer, _ time: UTCTime, _ zone: Zone) -> [String] {
        func near(_ record: RecordedFix, _ word: String) -> String? {
            record.fix.time.map { found in
                let away = span(milliseconds: abs(found - time))
                return
                    "fix \(record.sequence) \(found == time ? "then" : "\(away) \(word)"), \(zone.text(found))"
            }
        }
        let neighbours = [
            answer.before.flatMap { near($0, "before") },
            answer.after.flatMap { near($0, "after") },
        ].compactMap { $0.map { "  \($0)" } }
        if answer.isRecorded {
            return ["recorded, in segment \(answer.before?.segment ?? 0):"] + neighbours
        }
        var lines: [String]
        switch (answer.gap, answer.before, answer.after) {
        case (let gap?, _, _):
            let lasted = gap.end == nil ? "lasts" : "lasted \(span(milliseconds: gap.duration))"
            lines = ["not recorded: \(reason(gap.reason)); the hole \(lasted)"]
        case (nil, nil, nil): lines = ["not recorded: there is no fix in the database"]
        case (nil, nil, _): lines = ["not recorded: before the first fix"]
        case (nil, _, nil):
            lines = ["not recorded: after the last fix; 'tracklog status' says what is now"]
        default: lines = ["not recorded: between two segments"]
        }
        let rejected = answer.rejected.named.map { "\($0.name) \($0.count)" }
        if !rejected.isEmpty {
            lines.append("  rejected meanwhile: \(rejected.joined(separator: ", "))")
        }
        return lines + neighbours
    }

    /// A reason in words.
    private static func reason(_ reason: GapReason) -> String {
        switch reason {
        case .asleep: "the receiver was asleep, as its policy says"
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

    private static func append(_ answer: Answer, _ time: UTCTime, to output: Output) {
        output.text.append("{\"time\":\"")
        output.text.append(time)
        output.text.append(answer.isRecorded ? "\",\"recorded\":true" : "\",\"recorded\":false")
        if let gap = answer.gap {
            output.text.append(",\"reason\":")
            output.text.append(json: gap.reason.name)
            output.text.append(",\"duration\":")
            output.text.append(Double(gap.duration) / 1000, decimals: 3, trimming: true)
        }
        if !answer.isRecorded {
            output.text.append(",\"rejected\":{")
            for (index, entry) in answer.rejected.named.enumerated() {
                if index > 0 { output.text.append(",") }
                output.text.append(json: entry.name)
                output.text.append(":")
                output.text.append(entry.count)
            }
            output.text.append("}")
        }
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
}

/// Rejected fixes by reason.
private struct FixTally {
    private var counts: [FixFlags: Int64] = [:]

    mutating func add(_ reason: FixFlags) {
        counts[reason, default: 0] += 1
    }

    /// The reasons that occurred, lowest bit first.
    var named: [(name: String, count: Int64)] {
        FixFlags.names.compactMap { flag, name in counts[flag].map { (name, $0) } }
    }
}
