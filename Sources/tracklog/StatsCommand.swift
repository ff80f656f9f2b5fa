import Configuration
import Export
import GNSS
import Glibc
import Storage
import Tracking

/// Sums a track up.
enum StatsCommand: ToolCommand {
    static let name = "stats"
    static let command = Command(
        name, "sums a track up: how far, how long, how fast, how high",
        options: TrackRange.options.filter { !["all", "last"].contains($0.long) } + [
            Option("plot", short: "p", "draw the track, and speed and height over time"),
            Option(
                "by", value: "PERIOD", "one line for each", choices: Period.allCases.map(\.rawValue)
            ),
            Option("json", short: "j", "print JSON objects, in metres and seconds"),
            Units.option, TrackRange.densify,
        ],
        examples: [
            ("tracklog stats --database drive.db", "All that was recorded."),
            ("tracklog stats --since today --tz local", "This day, by the clock on the wall."),
            ("tracklog stats --plot", "With a picture, in any terminal that has Unicode."),
            ("tracklog stats --by day --tz local", "A line for each day."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        var query = try TrackRange.query(arguments, zone)
        query.keptOnly = false
        let reader = try TrackReader(path: Locations.database(arguments))
        if let period = arguments.value("by").flatMap(Period.init) {
            return try PeriodStats(period, zone, arguments, output).run(query, reader)
        }
        var statistics = TrackStatistics()
        let coordinates = try CoordinateChoice(arguments)
        var densifier = arguments.has("densify") ? Densifier(gaps: try reader.gaps()) : nil
        try reader.forEach(query, "reading") { record in
            func measure(_ record: RecordedFix) {
                statistics.add(coordinates.measured(record))
            }
            if densifier == nil { measure(record) } else { densifier?.add(record, measure) }
        }
        if query.segment == nil {
            for gap in try reader.gaps() where overlaps(gap, query) { statistics.add(gap) }
        }
        if arguments.has("json") {
            output.text.append(json: statistics)
            output.print("\n")
        } else {
            let rows =
                rows(of: statistics, zone, Units(arguments))
                + [("Database", "\(reader.path), \(size(bytes: reader.sizeOnDisk))")]
            let style = Style(arguments)
            for (name, value) in rows {
                output.print(style.bold(name.padded(11)) + value + "\n")
            }
            if arguments.has("plot") {
                try plot(reader, query, PictureWords(zone, Units(arguments)), output)
            }
        }
        return .ok
    }

    private static func plot(
        _ reader: TrackReader, _ query: FixQuery, _ words: PictureWords, _ output: Output
    ) throws {
        var picture = TrackPicture(gaps: [])
        try reader.forEach(query) { picture.measure($0) }
        try reader.forEach(query) { picture.add($0) }
        picture.finish()
        // A terminal says how wide it is; a pipe gets what fits a page.
        var size = winsize()
        let isTerminal = unsafe ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0
        let columns = isTerminal && size.ws_col > 0 ? Int(size.ws_col) : 80
        output.print("\n")
        TerminalPicture(picture, words).append(
            to: &output.text, columns: max(24, min(columns, 160)) - 1, rows: 18)
    }

    static func overlaps(_ gap: Gap, _ query: FixQuery) -> Bool {
        if let until = query.until, let begin = gap.begin, begin > until { return false }
        if let since = query.since, let end = gap.end, end < since { return false }
        return true
    }

    private static func rows(
        of statistics: TrackStatistics, _ zone: Zone, _ units: Units
    ) -> [(String, String)] {
        var rows: [(String, String)] = []
        if let first = statistics.first, let last = statistics.last {
            let length = span(milliseconds: statistics.duration)
            rows.append(("Track", "\(zone.text(first)) to \(zone.text(last)) (\(length))"))
        }
        if statistics.kept > 0 {
            let segments =
                statistics.segments == 1 ? "1 segment" : "\(statistics.segments) segments"
            rows.append(("Distance", "\(units.distance(statistics.distance)) in \(segments)"))
            rows.append(("Moving", moving(statistics, units)))
        }
        if let ascent = statistics.ascent, let descent = statistics.descent {
            rows.append(("Climb", "up \(units.length(ascent)), down \(units.length(descent))"))
        }
        let rejected = statistics.rejected.map { "\($0.reason.names.first ?? "?") \($0.count)" }
        let count = statistics.total - statistics.kept
        rows.append(
            (
                "Fixes",
                "\(statistics.kept) kept, \(count) rejected"
                    + (rejected.isEmpty ? "" : ": " + rejected.joined(separator: ", "))
            ))
        let gaps = statistics.gaps.map {
            "\($0.reason.name) \($0.count) (\(span(milliseconds: $0.duration)))"
        }
        rows.append(("Gaps", gaps.isEmpty ? "none" : gaps.joined(separator: ", ")))
        if let bounds = statistics.bounds {
            rows.append(
                (
                    "Within",
                    "\(decimal(bounds.south, 5)) \(decimal(bounds.west, 5)) to "
                        + "\(decimal(bounds.north, 5)) \(decimal(bounds.east, 5))"
                ))
        }
        return rows
    }

    private static func moving(_ statistics: TrackStatistics, _ units: Units) -> String {
        var text = span(milliseconds: statistics.movingTime)
        if statistics.movingTime > 0 {
            let mean = statistics.distance / (Double(statistics.movingTime) / 1000)
            text += ", average \(units.speed(mean))"
        }
        if let top = statistics.topSpeed { text += ", top \(units.speed(top))" }
        return text
    }
}

extension TextBuffer {
    /// Appends sums as one JSON object; lengths in metres, times in seconds.
    mutating func append(json statistics: TrackStatistics) {
        func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }
        append("{\"kept\":")
        append(statistics.kept)
        append(",\"rejected\":{")
        for (index, entry) in statistics.rejected.enumerated() {
            if index > 0 { append(",") }
            append(json: entry.reason.names.first ?? "")
            append(":")
            append(entry.count)
        }
        append("}")
        if let first = statistics.first, let last = statistics.last {
            append(",\"first\":\"")
            append(first)
            append("\",\"last\":\"")
            append(last)
            append("\"")
        }
        number(",\"duration\":", seconds(statistics.duration))
        number(",\"segments\":", Double(statistics.segments))
        number(",\"distance\":", statistics.distance)
        number(",\"gap_distance\":", statistics.gapDistance)
        number(",\"moving_time\":", seconds(statistics.movingTime))
        number(",\"top_speed\":", statistics.topSpeed)
        number(",\"ascent\":", statistics.ascent)
        number(",\"descent\":", statistics.descent)
        append(",\"gaps\":[")
        for (index, gap) in statistics.gaps.enumerated() {
            append(index == 0 ? "{\"reason\":" : ",{\"reason\":")
            append(json: gap.reason.name)
            number(",\"count\":", Double(gap.count))
            number(",\"duration\":", seconds(gap.duration))
            append("}")
        }
        append("]")
        if let bounds = statistics.bounds {
            append(",\"bounds\":{\"south\":")
            append(bounds.south, decimals: 9, trimming: true)
            append(",\"west\":")
            append(bounds.west, decimals: 9, trimming: true)
            append(",\"north\":")
            append(bounds.north, decimals: 9, trimming: true)
            append(",\"east\":")
            append(bounds.east, decimals: 9, trimming: true)
            append("}")
        }
        append("}")
    }

    private mutating func number(_ key: StaticString, _ value: Double?) {
        guard let value else { return }
        append(key)
        append(value, decimals: 3, trimming: true)
    }
}
