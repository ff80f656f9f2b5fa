import Configuration
import GNSS
import Storage

/// Lists recorded fixes.
enum ListCommand: ToolCommand {
    static let command = Command(
        "list", "lists recorded fixes",
        options: TrackRange.options + [
            CoordinateChoice.option,
            Option("json", short: "j", "print JSON Lines with everything that is known"),
            Units.option,
        ],
        examples: [
            ("tracklog list --last 20", "The last twenty fixes of the track."),
            ("tracklog list --since yesterday --all", "With rejected ones and why they were."),
            ("tracklog list --since '2026-03-01 14:00' --tz local --json", "For a program."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        let query = try TrackRange.query(arguments, zone)
        let choice = try CoordinateChoice(arguments)
        let reader = try TrackReader(path: Locations.database(arguments))
        if arguments.has("json") {
            try reader.forEach(query) { record in
                // Programs get both positions as they are stored, and a third one only when they ask.
                output.text.append(json: record, shown: arguments.has("crs") ? choice : nil)
                output.print("\n")
                try output.drain()
            }
            return .ok
        }
        let table = FixTable(zone: zone, units: Units(arguments), style: Style(arguments))
        var count = 0
        try reader.forEach(query) { record in
            if count == 0 { output.print(table.heading) }
            count += 1
            output.print(table.row(choice.place(record)))
            try output.drain()
        }
        if count == 0 { Tool.complain("\(reader.path): no such fix") }
        return .ok
    }
}

/// Fixes as aligned lines.
private struct FixTable {
    let zone: Zone
    let units: Units
    let style: Style

    var heading: String {
        style.bold(
            "TIME".padded(30) + "LATITUDE".indented(12) + "LONGITUDE".indented(13)
                + "HEIGHT".indented(9)
                + units.speedUnit.uppercased().indented(8) + "COURSE".indented(8)
                + "SATS".indented(6)
                + "  FLAGS") + "\n"
    }

    func row(_ record: RecordedFix) -> String {
        let fix = record.fix
        var line = (fix.time.map(zone.text) ?? "no date").padded(30)
        line += decimal(record.corrected?.latitude ?? fix.latitude, 7).indented(12)
        line += decimal(record.corrected?.longitude ?? fix.longitude, 7).indented(13)
        let height = record.corrected?.altitudeMSL ?? fix.altitudeMSL ?? fix.altitudeHAE
        line += (height.map { units.length($0) } ?? "-").indented(9)
        line += (fix.speed.map(units.speedNumber) ?? "-").indented(8)
        line += (fix.course.map { decimal($0, 1) } ?? "-").indented(8)
        line += (fix.satellitesUsed.map { "\($0)" } ?? "-").indented(6)
        let names = record.flags.names.joined(separator: ",")
        if !names.isEmpty {
            line += "  " + (record.flags.isKept ? style.dim(names) : style.bad(names))
        }
        return line + "\n"
    }
}

extension TextBuffer {
    /// Appends a recorded fix as one JSON object, with the names of the view `fixes`.
    ///
    /// - Parameter choice: the system of a further position that is shown.
    mutating func append(json record: RecordedFix, shown choice: CoordinateChoice?) {
        append("{\"sequence\":")
        append(record.sequence)
        append(",\"run\":")
        append(record.run)
        if record.segment != 0 {
            append(",\"segment\":")
            append(record.segment)
        }
        append(",")
        appendMembers(of: record.fix)
        append(",\"received_at\":")
        append(record.receivedAt)
        append(record.flags.isKept ? ",\"kept\":true" : ",\"kept\":false")
        if let reason = record.flags.reason {
            append(",\"reason\":")
            append(json: reason.names.first ?? "")
        }
        appendMember(flags: record.flags)
        if let corrected = record.corrected {
            append(",\"corrected_lat\":")
            append(corrected.latitude, decimals: 9, trimming: true)
            append(",\"corrected_lon\":")
            append(corrected.longitude, decimals: 9, trimming: true)
            if let height = corrected.altitudeMSL {
                append(",\"corrected_alt_msl\":")
                append(height, decimals: 3, trimming: true)
            }
            if let height = corrected.altitudeHAE {
                append(",\"corrected_alt_hae\":")
                append(height, decimals: 3, trimming: true)
            }
            append(",\"correction\":")
            append(corrected.correction)
        }
        if let choice {
            let placed = choice.place(record)
            append(",\"crs\":")
            append(json: choice.word)
            append(",\"crs_lat\":")
            append(placed.corrected?.latitude ?? placed.fix.latitude, decimals: 9, trimming: true)
            append(",\"crs_lon\":")
            append(placed.corrected?.longitude ?? placed.fix.longitude, decimals: 9, trimming: true)
        }
        append("}")
    }
}
