import Configuration
import Correction
import GNSS
import Geodesy
import JSON

/// Converts positions from one coordinate system to another, as a filter.
enum ConvertCommand: ToolCommand {
    private static let systems = CRS.allCases.map(\.rawValue)

    static let name = "convert"
    static let command = Command(
        name, "converts positions between WGS 84, GCJ-02 and BD-09, as a filter",
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
                choices: ConvertFormat.allCases.map(\.rawValue), byDefault: "by its content"),
            Option(
                "order", value: "ORDER", "which comes first in lines of two numbers",
                choices: ["latlon", "lonlat"], byDefault: "latlon"),
            Option("output", short: "o", value: "FILE", "write FILE, whole or not at all"),
            Output.fileOption,
        ],
        examples: [
            ("echo 39.90872 116.39747 | tracklog convert --from wgs84 --to gcj02", "One point."),
            ("tracklog convert --from bd09 --to wgs84 places.geojson -o fixed.geojson", "A file."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let options = try options(arguments)
        let input = try InputFile(arguments.operands.first ?? "-")
        let target = try Output.target(arguments)
        let file = try target.map { try AsideFile(path: $0) }
        let head = try input.next()
        guard !head.isEmpty else {
            Tool.complain("\(input.name): is empty")
            try file?.finish()
            tell(target, ConvertCounts(), arguments, output)
            return .ok
        }
        var filter = ConvertFilter(
            options,
            format: arguments.value("format").flatMap(ConvertFormat.init)
                ?? ConvertFormat.guess(Array(head.prefix(4096))))
        do {
            try convert(
                head, input, &filter, file?.output ?? output,
                // A pipe is served as it goes; a file gets nothing before everything is known to be sound.
                isPatient: file == nil && output.isFile)
        } catch let error as ConvertError {
            // What was not written yet never is: a file stays whole or empty.
            output.text.bytes.removeAll()
            throw Failure("\(input.name):\(error.line): \(error.message)", .dataError)
        }
        try file?.finish()
        for warning in filter.warnings { Tool.complain("\(input.name): \(warning)") }
        if filter.counts.ambiguous > 0 {
            Tool.complain(
                "\(filter.counts.ambiguous) of \(filter.counts.positions) positions lie so close to a "
                    + "border that the map shows another place there too")
        }
        tell(target, filter.counts, arguments, output)
        return .ok
    }

    private static func tell(
        _ target: String?, _ counts: ConvertCounts, _ arguments: ParsedArguments, _ output: Output
    ) {
        guard arguments.has("json"), let target else { return }
        output.print(
            json: [
                "file": .string(target), "positions": .count(counts.positions),
                "moved": .count(counts.moved), "ambiguous": .count(counts.ambiguous),
            ])
    }

    private static func convert(
        _ head: consuming ArraySlice<UInt8>, _ input: InputFile, _ filter: inout ConvertFilter,
        _ output: Output,
        isPatient: Bool
    ) throws {
        var piece = head
        while !piece.isEmpty {
            try filter.feed(piece.span, into: &output.text.bytes)
            if !isPatient { try output.drain() }
            // The block is read into again: a slice that is kept would make a copy of it.
            piece = []
            piece = try input.next()
        }
        try filter.finish(into: &output.text.bytes)
    }

    private static func options(_ arguments: ParsedArguments) throws(UsageError) -> ConvertOptions {
        func system(_ option: String) throws(UsageError) -> CRS {
            guard let system = arguments.value(option).flatMap({ CRS(rawValue: $0) }) else {
                throw UsageError(
                    "option '--\(option)' is missing: one of \(systems.joined(separator: ", "))")
            }
            return system
        }
        var options = ConvertOptions(from: try system("from"), to: try system("to"))
        options.isLongitudeFirst = arguments.value("order") == "lonlat"
        guard let text = arguments.value("regions") else { return options }
        guard let policy = OffsetPolicy(text) else {
            throw UsageError(
                "bad value '\(text)' for --regions",
                didYouMean: Spelling.nearest(
                    to: text,
                    among: OffsetPolicy.providers.map(\.name)
                        + OffsetRegion.allCases.map(\.name)))
        }
        options.policy = policy
        return options
    }
}
