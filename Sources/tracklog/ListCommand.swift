import Configuration
import GNSS
import Glibc
import Storage

/// Lists recorded fixes.
enum ListCommand: ToolCommand {
    static let name = "list"
    static let command = Command(
        name, "lists recorded fixes",
        options: TrackRange.options + [
            CoordinateChoice.option, PositionForm.option,
            Option("json", short: "j", "print JSON Lines with everything that is known"),
            Units.option,
        ],
        examples: [
            ("tracklog list --last 20", "The last twenty fixes of the track."),
            ("tracklog list --since yesterday --all", "With rejected ones and why they were."),
            ("tracklog list --last 1 --form mgrs", "The last place as a grid reference."),
            ("tracklog list --since '2026-03-01 14:00' --tz local --json", "For a program."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        let query = try TrackRange.query(arguments, zone)
        let reader = try TrackReader(path: Locations.database(arguments))
        let list = try FixLister(arguments, zone, output)
        try reader.forEach(query, isatty(1) == 1 ? nil : "reading", list.add)
        return try list.end(reader.path)
    }
}

/// Prints fixes as they come: aligned lines, or JSON Lines with `--json`.
class FixLister {
    let arguments: ParsedArguments
    let zone: Zone
    let output: Output
    private let choice: CoordinateChoice
    private let form: PositionForm
    private let table: FixTable
    private var count = 0

    init(_ arguments: ParsedArguments, _ zone: Zone, _ output: Output) throws {
        self.arguments = arguments
        self.zone = zone
        self.output = output
        choice = try CoordinateChoice(arguments)
        form = try PositionForm(arguments)
        table = FixTable(
            zone: zone, units: Units(arguments), style: Style(arguments), form: form)
    }

    func add(_ record: RecordedFix) throws {
        count += 1
        if arguments.has("json") {
            // Programs get both positions as they are stored, and a third one only when they ask.
            output.text.append(json: record, shown: arguments.has("crs") ? choice : nil)
            if form != .plain {
                let placed = choice.place(record)
                output.text.bytes.removeLast()
                output.print(",\"position\":")
                output.text.append(
                    json: form.text(
                        placed.corrected?.latitude ?? placed.fix.latitude,
                        placed.corrected?.longitude ?? placed.fix.longitude))
                output.print("}")
            }
            output.print("\n")
        } else {
            if count == 1 { output.print(table.heading) }
            output.print(table.row(choice.place(record)))
        }
        // The first one is shown at once: the others may take their time.
        if count == 1 { try output.flush() } else { try output.drain() }
    }

    /// Says so when there was nothing.
    func end(_ path: String) throws -> ExitCode {
        if count == 0, !arguments.has("json") { Tool.complain("\(path): no such fix") }
        return .ok
    }
}

/// Fixes as aligned lines.
private struct FixTable {
    let zone: Zone
    let units: Units
    let style: Style
    let form: PositionForm

    var heading: String {
        let position =
            form == .plain
            ? "LATITUDE".indented(12) + "LONGITUDE".indented(13) : "POSITION".padded(36)
        return style.bold(
            "TIME".padded(30) + position + "HEIGHT".indented(9)
                + units.speedUnit.uppercased().indented(8) + "COURSE".indented(8)
                + "SATS".indented(6)
                + "  FLAGS") + "\n"
    }

    func row(_ record: RecordedFix) -> String {
        let fix = record.fix
        var line = (fix.time.map(zone.text) ?? "no date").padded(30)
        let latitude = record.corrected?.latitude ?? fix.latitude
        let longitude = record.corrected?.longitude ?? fix.longitude
        if form == .plain {
            line += decimal(latitude, 7).indented(12) + decimal(longitude, 7).indented(13)
        } else {
            line += form.text(latitude, longitude).padded(36)
        }
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
