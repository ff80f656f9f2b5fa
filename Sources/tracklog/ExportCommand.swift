import Configuration
import Export
import GNSS
import Glibc
import JSON
import Storage
import Tracking

/// Writes a track for other programs.
enum ExportCommand: ToolCommand {
    static let name = "export"
    static let command = Command(
        name, "writes a track for other programs",
        options: [
            Option(
                "format", short: "f", value: "FORMAT", "write this format",
                choices: ExportKind.names, byDefault: "by the ending of the file"),
            Option(
                "output", short: "o", value: "FILE", "write FILE, whole or not at all",
                byDefault: "standard output"),
            Option("replace", "sqlite: write FILE also where it is a database, which is lost"),
            Option("name", value: "TEXT", "name the track so", byDefault: "the database"),
            Option(
                "simplify", value: "METRES",
                "leave out fixes that move the line by no more than this; stops stay"),
            Option(
                "privacy-zone", value: "LAT,LON,RADIUS",
                "show nothing within RADIUS metres of a place", isRepeatable: true),
            Option(
                "tiles", value: "SOURCE",
                "draw a map under the picture: a .mbtiles file or an address with {z}, {x} and {y}"),
            Output.fileOption, Units.option,
        ] + [CoordinateChoice.option, TrackRange.densify] + TrackRange.options,
        examples: [
            ("tracklog export --format gpx > track.gpx", "The whole track as GPX 1.1."),
            (
                "tracklog export --since yesterday -o yesterday.kmz",
                "Since yesterday's midnight, for Google Earth."
            ),
            (
                "tracklog export --since 2026-05-01 --until 2026-05-03 -o trip.html",
                "A page with map, speed, height, stops and gaps; it asks nothing of any server."
            ),
            (
                "tracklog export -o run.gpx --simplify 5 --privacy-zone 47.3769,8.5417,300",
                "Fewer points, and none near home."
            ),
            (
                "tracklog export -f csv --all -o fixes.csv",
                "Every fix, rejected ones with the reason."
            ),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let target = try Output.target(arguments)
        let kind = try ExportKind(arguments.value("format"), target)
        let query = try TrackRange.query(arguments, Zone(arguments))
        let choice = try CoordinateChoice(arguments)
        let editor = try editor(arguments)
        if arguments.has("tiles"), kind != .svg, kind != .html {
            throw UsageError("--tiles is for svg and html")
        }
        if arguments.has("replace"), kind != .sqlite {
            throw UsageError("--replace is for sqlite; no other format replaces a database")
        }
        let reader = try TrackReader(path: Locations.database(arguments))
        var densifier: Densifier?
        var title = arguments.value("name") ?? name(of: reader.path)
        if arguments.has("densify") {
            guard kind.marksPoints else {
                throw UsageError("--densify is for gpx, geojson, kml, kmz, csv and jsonl")
            }
            densifier = Densifier(gaps: try reader.gaps())
            // Lines do not mark their points one by one.
            if [.format(.geojson), .format(.kml), .kmz].contains(kind) {
                title += " (interpolated between fixes)"
            }
        }
        var info = ExportInfo(
            name: title,
            creator: "tracklog \(Product.version)", coordinateSystem: choice.name)
        if let system = choice.name, [.format(.nmea), .format(.gpsd)].contains(kind) {
            Tool.complain(
                "\(kind.name) has no word for \(system): whoever reads it takes its positions for WGS 84"
            )
        }
        // A file with a hidden place is for others: it says nothing of which machine it is from.
        if arguments.values("privacy-zone").isEmpty { info.store = try reader.storeID() }
        var job = ExportJob(
            reader: reader, query: query, editor: editor, info: info, choice: choice,
            target: target, output: output)
        job.densifier = densifier
        let count: Int64
        switch kind {
        case .sqlite: count = try job.copy(replaces: arguments.has("replace"))
        case .svg, .html: count = try job.draw(kind, arguments)
        case .kmz: count = try job.write(.kml, zipped: true)
        case .format(let format): count = try job.write(format, zipped: false)
        }
        if count == 0 { Tool.complain("\(reader.path): no such fix") }
        if arguments.has("json"), let target {
            output.print(
                json: [
                    "file": .string(target), "format": .string(kind.name), "fixes": .count(count),
                ])
        }
        return .ok
    }

    /// What is left out on the way.
    private static func editor(_ arguments: ParsedArguments) throws -> TrackEditor {
        let tolerance = try arguments.value("simplify", as: .number(0...100_000, unit: "m"))
        if tolerance != nil, arguments.has("all") {
            throw UsageError(
                "--simplify draws a line, which rejected fixes are not part of: not with --all")
        }
        let texts = arguments.values("privacy-zone")
        let seed = texts.isEmpty ? 0 : machineSeed()
        let zones = try texts.map { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0.filter { $0 != " " })
            }
            guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
                let radius = numbers[2], abs(latitude) <= 90, abs(longitude) <= 180, radius > 0,
                radius <= 100_000
            else {
                throw UsageError(
                    "bad value '\(text)' for --privacy-zone: expected latitude,longitude,metres, "
                        + "as 47.3769,8.5417,300")
            }
            return PrivacyZone(
                latitude: latitude, longitude: longitude, radius: radius, seed: seed)
        }
        return TrackEditor(zones: zones, tolerance: tolerance)
    }

    /// A digest of what names this machine and nobody else knows (machine-id(5)).
    private static func machineSeed() -> UInt64 {
        var id: [UInt8] = []
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] where id.count < 32 {
            // What cannot be read names nothing, as what is not there.
            id = (try? InputFile(path).next()).map(Array.init) ?? []
        }
        if id.count < 32 {
            Tool.complain(
                "no /etc/machine-id: who knows this program can find the middle of a private zone; "
                    + "systemd-machine-id-setup makes one")
        }
        // FNV-1a, 64 bits.
        return id.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".db") ? String(file.dropLast(3)) : file
    }
}
