import Configuration
import GNSS
import Glibc
import Storage

/// Finds when the machine was somewhere.
enum FindCommand: ToolCommand {
    static let name = "find"
    static let command = Command(
        name, "finds fixes by place: in a circle, in a box, or nearest to a point",
        options: [
            Option(
                "within", value: "RADIUS,LAT,LON",
                "within RADIUS metres of a place in degrees, as 200,52.5163,13.3777"),
            Option(
                "box", value: "SOUTH,WEST,NORTH,EAST",
                "inside a box in degrees; a west above the east crosses the antimeridian"),
            Option("near", value: "LAT,LON", "nearest to a place in degrees, nearest first"),
            Option(
                "visits", "one line a visit: from the first to the last fix without a hole"),
        ] + TrackRange.options.filter { $0.long != "all" } + [
            CoordinateChoice.option, PositionForm.option,
            Option("json", short: "j", "print JSON Lines with everything that is known"),
            Units.option,
        ],
        examples: [
            (
                "tracklog find --within 200,52.5163,13.3777 --visits",
                "When it was there, and how long."
            ),
            ("tracklog find --box 47.2,8.4,47.5,8.7 --since 2026-05-01", "Every fix in a box."),
            ("tracklog find --near 47.3769,8.5417 --last 1", "The fix nearest to a point."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        var query = try TrackRange.query(arguments, zone)
        let given = ["within", "box", "near"].filter(arguments.has)
        guard given.count == 1 else {
            throw UsageError("find needs one of --within, --box and --near")
        }
        let reader = try TrackReader(path: Locations.database(arguments))
        let list = try FixLister(arguments, zone, output)
        if arguments.has("near") {
            guard !arguments.has("visits") else {
                throw UsageError("--near finds single fixes; leave --visits out")
            }
            let (latitude, longitude) = try place(arguments)
            let count = query.last ?? 10
            query.last = nil
            let found = try Nearest(latitude: latitude, longitude: longitude, count: count)
                .search(query, reader)
            for record in found { try list.add(record) }
            return try list.end(reader.path)
        }
        let area = try Area(arguments)
        query.bounds = area.bounds
        let last = query.last
        // The last N of those in the area, not of those in its box.
        if area.circle != nil { query.last = nil }
        let shown =
            arguments.has("visits") ? try VisitLister(arguments, zone, output, reader) : list
        try search(query, last, area, reader, shown)
        return try shown.end(reader.path)
    }

    private static func search(
        _ query: FixQuery, _ last: Int?, _ area: Area, _ reader: TrackReader, _ list: FixLister
    ) throws {
        var tail = Tail<RecordedFix>(area.circle == nil ? nil : last)
        try reader.forEach(query, isatty(1) == 1 ? nil : "searching") { record in
            guard area.contains(record.fix) else { return }
            if tail.isWanted {
                tail.append(record)
            } else {
                try list.add(record)
            }
        }
        for record in tail.elements { try list.add(record) }
    }

    private static func place(_ arguments: ParsedArguments) throws(UsageError) -> (Double, Double) {
        let numbers = try Area.numbers(
            "near", 2, "latitude and longitude, as 47.3769,8.5417", arguments)
        guard abs(numbers[0]) <= 90, abs(numbers[1]) <= 180 else {
            throw UsageError("bad value for --near: no such place on Earth")
        }
        return (numbers[0], numbers[1])
    }
}

/// The last few of many; all of them are let through when there is no limit.
struct Tail<Element> {
    private let limit: Int?
    private var kept: [Element] = []
    private var next = 0

    init(_ limit: Int?) {
        self.limit = limit
    }

    var isWanted: Bool { limit != nil }

    mutating func append(_ element: Element) {
        guard let limit else { return }
        if kept.count < limit {
            kept.append(element)
        } else {
            kept[next] = element
            next = (next + 1) % limit
        }
    }

    /// In the order they came.
    var elements: [Element] { Array(kept[next...] + kept[..<next]) }
}
