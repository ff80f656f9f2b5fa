import Configuration
import Export
import GNSS
import Storage

/// Writes a track for other programs.
enum ExportCommand: ToolCommand {
    static let command = Command(
        "export", "writes a track for other programs",
        options: [
            Option(
                "format", short: "f", value: "FORMAT", "write this format",
                choices: ExportFormat.allCases.map(\.rawValue),
                byDefault: "by the ending of the file"),
            Option(
                "output", short: "o", value: "FILE", "write FILE, whole or not at all",
                byDefault: "standard output"),
            Option("name", value: "TEXT", "name the track so", byDefault: "the database"),
        ] + [CoordinateChoice.option] + TrackRange.options,
        examples: [
            ("tracklog export --format gpx > track.gpx", "The whole track as GPX 1.1."),
            (
                "tracklog export --since yesterday -o yesterday.kml",
                "Since yesterday's midnight, as KML."
            ),
            (
                "tracklog export -f csv --all -o fixes.csv",
                "Every fix, rejected ones with the reason."
            ),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let target = arguments.value("output").flatMap { $0 == "-" ? nil : $0 }
        let format = try format(arguments.value("format"), target)
        let query = try TrackRange.query(arguments, Zone(arguments))
        let choice = try CoordinateChoice(arguments)
        let reader = try TrackReader(path: Locations.database(arguments))
        let file = try target.map { try AsideFile(path: $0) }
        let destination = file?.output ?? output

        let info = ExportInfo(
            name: arguments.value("name") ?? name(of: reader.path),
            creator: "tracklog \(Product.version)", coordinateSystem: choice.name)
        var exporter = TrackExporter(format, info, position: .corrected)
        func move(_ bytes: [UInt8]) throws {
            destination.text.bytes += bytes
            try destination.flush()
        }
        try reader.forEach(query) { record in
            exporter.add(choice.place(record))
            try exporter.drain(move)
        }
        exporter.end()
        try exporter.drain(over: 0, move)
        try file?.finish()
        if exporter.count == 0 { Tool.complain("\(reader.path): no such fix") }
        return .ok
    }

    private static func format(
        _ name: String?, _ target: String?
    ) throws(UsageError) -> ExportFormat {
        if let format = name.flatMap(ExportFormat.init) { return format }
        let all = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
        guard let target else {
            throw UsageError("option '--format' is missing: one of \(all)")
        }
        let ending = target.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let endings = ["json": ExportFormat.geojson, "ndjson": .jsonl]
        guard let format = ExportFormat(rawValue: ending) ?? endings[ending] else {
            throw UsageError(
                "the ending of '\(target)' names no format; give --format: one of \(all)")
        }
        return format
    }

    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".db") ? String(file.dropLast(3)) : file
    }
}
