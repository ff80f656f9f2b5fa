import Configuration
import GNSS
import JSON
import StatusProtocol
import Storage

/// Keeps the present place.
enum MarkCommand: ToolCommand {
    static let name = "mark"
    static let command = Command(
        name, "keeps the present place with a title",
        operands: Operands("[TITLE]", count: 0...1),
        options: [
            Option("note", value: "TEXT", "what there is to say of it"),
            Option("when-fixed", "wake the receiver and mark the next fix when there is none now"),
            Daemon.jsonOption,
        ],
        examples: [
            ("tracklog mark 'Good anchorage' --note '6 m, sand'", "Here and now."),
            ("tracklog mark --when-fixed Start", "As soon as there is a fix."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        var params = JSONObject()
        if let title = arguments.operands.first { params["title"] = .string(title) }
        if let note = arguments.value("note") { params["note"] = .string(note) }
        if arguments.has("when-fixed") { params["when_fixed"] = .bool(true) }
        guard !arguments.has("json") else {
            return try Daemon.printAnswer(arguments, "mark", params, timeout: 60, to: output)
        }
        let report = try Daemon.report(arguments, "mark", params, timeout: 60) {
            (value) throws(DecodeError) in try MarkReport(value)
        }
        if let id = report.id {
            let place = report.fix?.fix.map {
                " at \(decimal($0.latitude, 6)) \(decimal($0.longitude, 6))"
            }
            output.print("mark \(id)\(place ?? "") is on the disk\n")
        } else {
            output.print("the mark waits for a fix\n")
        }
        return .ok
    }
}

/// Lists what was marked.
enum MarksCommand: ToolCommand {
    static let name = "marks"
    static let command = Command(
        name, "lists the places that were marked",
        options: [
            Option("since", value: "TIME", "from TIME on: ISO 8601, yesterday, 14:30, -2h"),
            Option("until", value: "TIME", "up to TIME"),
            Zone.option, Option("json", short: "j", "print JSON Lines"),
        ],
        examples: [("tracklog marks --since yesterday", "What was marked since then.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        let since = try zone.time("since", in: arguments)
        let until = try zone.time("until", in: arguments)
        let reader = try TrackReader(path: Locations.database(arguments))
        let marks = try reader.marks(since: since, until: until)
        if arguments.has("json") {
            for mark in marks { output.text.append(json: mark) }
            return .ok
        }
        guard !marks.isEmpty else {
            Tool.complain("\(reader.path): nothing was marked")
            return .ok
        }
        output.print(
            Style(arguments).bold(
                "MARK".indented(5) + "  " + "TIME".padded(30) + "LATITUDE".indented(12)
                    + "LONGITUDE".indented(13) + "  TITLE") + "\n")
        for mark in marks {
            var line = "\(mark.id)".indented(5) + "  "
            line += (mark.time.map(zone.text) ?? "no date").padded(30)
            line += (mark.latitude.map { decimal($0, 7) } ?? "-").indented(12)
            line += (mark.longitude.map { decimal($0, 7) } ?? "-").indented(13)
            line += "  " + plain(mark.title)
            if let note = mark.note { line += ": " + plain(note) }
            output.print(line + "\n")
        }
        return .ok
    }

    /// Without control characters, which would move the cursor or begin a line.
    private static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }
}

extension TextBuffer {
    /// Appends a mark as one line of JSON, with the names of the view `marks`.
    fileprivate mutating func append(json mark: Mark) {
        append("{\"mark\":")
        append(mark.id)
        if let sequence = mark.sequence {
            append(",\"sequence\":")
            append(sequence)
        }
        if let time = mark.time {
            append(",\"time\":\"")
            append(time)
            append("\"")
        }
        if let latitude = mark.latitude, let longitude = mark.longitude {
            append(",\"lat\":")
            append(latitude, decimals: 7, trimming: true)
            append(",\"lon\":")
            append(longitude, decimals: 7, trimming: true)
        }
        append(",\"title\":")
        append(json: mark.title)
        if let note = mark.note {
            append(",\"note\":")
            append(json: note)
        }
        if let photo = mark.photo {
            append(",\"photo\":")
            append(json: photo)
        }
        append("}\n")
    }
}
