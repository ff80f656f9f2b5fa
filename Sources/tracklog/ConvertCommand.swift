import Configuration
import Correction
import Geodesy

/// Converts positions from one coordinate system to another, as a filter.
enum ConvertCommand: ToolCommand {
    private static let systems = CRS.allCases.map(\.rawValue)

    static let command = Command(
        "convert", "converts positions between WGS 84, GCJ-02 and BD-09, as a filter",
        operands: Operands("[FILE]", count: 0...1),
        options: [
            Option("from", value: "SYSTEM", "the system positions are in", choices: systems),
            Option("to", value: "SYSTEM", "the system wanted", choices: systems),
            Option(
                "regions", value: "WHERE",
                "where the map shifts: a provider (amap, baidu, google, ...) or regions",
                byDefault: "baidu for BD-09, else mainland"),
            Option(
                "format", short: "f", value: "FORMAT", "what the input is",
                choices: PointFormat.allCases.map(\.rawValue), byDefault: "by its content"),
            Option(
                "order", value: "ORDER", "which comes first in lines of two numbers",
                choices: ["latlon", "lonlat"], byDefault: "latlon"),
            Option("output", short: "o", value: "FILE", "write FILE, whole or not at all"),
        ],
        examples: [
            ("echo 39.90872 116.39747 | tracklog convert --from wgs84 --to gcj02", "One point."),
            ("tracklog convert --from bd09 --to wgs84 places.geojson -o fixed.geojson", "A file."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let shift = try shift(arguments)
        let input = try InputFile(arguments.operands.first ?? "-")
        let file = try arguments.value("output").flatMap { $0 == "-" ? nil : $0 }
            .map { try AsideFile(path: $0) }
        var converter = PointConverter(
            shift: shift, lonFirst: arguments.value("order") == "lonlat",
            output: file?.output ?? output)
        try converter.run(input, arguments.value("format").flatMap(PointFormat.init))
        try file?.finish()
        return .ok
    }

    private static func shift(_ arguments: ParsedArguments) throws(UsageError) -> Shift {
        func system(_ option: String) throws(UsageError) -> CRS {
            guard let system = arguments.value(option).flatMap({ CRS(rawValue: $0) }) else {
                throw UsageError(
                    "option '--\(option)' is missing: one of \(systems.joined(separator: ", "))")
            }
            return system
        }
        let (from, to) = (try system("from"), try system("to"))
        var policy = from == .bd09 || to == .bd09 ? OffsetPolicy(.all) : .mainland
        if let text = arguments.value("regions") {
            guard let chosen = OffsetPolicy(text) else {
                throw UsageError(
                    "bad value '\(text)' for --regions",
                    didYouMean: Spelling.nearest(
                        to: text,
                        among: OffsetPolicy.providers.map(\.name)
                            + OffsetRegion.allCases.map(\.name)))
            }
            policy = chosen
        }
        return Shift(from: from, to: to, policy: policy)
    }
}

/// Moves positions from one system to another.
struct Shift {
    let from: CRS
    let to: CRS
    let policy: OffsetPolicy

    /// The place in the other system; `nil` when the numbers are no position.
    func move(latitude: Double, longitude: Double) -> (latitude: Double, longitude: Double)? {
        let origin: Position<WGS84>
        switch from {
        case .wgs84:
            guard let place = Position<WGS84>(latitude: latitude, longitude: longitude) else {
                return nil
            }
            origin = place
        case .gcj02:
            guard let place = Position<GCJ02>(latitude: latitude, longitude: longitude) else {
                return nil
            }
            if to == .gcj02 { return (latitude, longitude) }
            origin = place.wgs84(policy).position
        case .bd09:
            guard let place = Position<BD09>(latitude: latitude, longitude: longitude) else {
                return nil
            }
            if to == .bd09 { return (latitude, longitude) }
            origin = place.wgs84(policy).position
        }
        switch to {
        case .wgs84: return (origin.latitude, origin.longitude)
        case .gcj02:
            let place = origin.gcj02(policy)
            return (place.latitude, place.longitude)
        case .bd09:
            let place = origin.bd09(policy)
            return (place.latitude, place.longitude)
        }
    }
}
