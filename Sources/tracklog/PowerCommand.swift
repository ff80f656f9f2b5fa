import Configuration
import DutyCycle
import GNSS
import Storage

/// Tells what the receiver was on for, and what that cost.
enum PowerCommand: ToolCommand {
    static let name = "power"
    static let command = Command(
        name, "tells when the receiver was on, what that cost and what it brought",
        options: TrackRange.options.filter { ["since", "until", "tz"].contains($0.long) } + [
            Option(
                "milliwatts", value: "DRAW",
                "count energy for a receiver that draws so: a preset as m8, or three numbers",
                byDefault: "Milliwatts= of the settings"),
            Option("json", short: "j", "print one JSON object, in seconds and milliwatt hours"),
            Option(
                "output", short: "o", value: "FILE", "draw hours and days into FILE as SVG"),
        ],
        examples: [
            ("tracklog power --since -7d --tz local", "The last week by hour and day."),
            (
                "tracklog power --milliwatts m8 -o power.svg",
                "The energy of a u-blox M8, as a drawing too."
            ),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        let since = try zone.time("since", in: arguments)
        let until = try zone.time("until", in: arguments)
        if let since, let until, until < since {
            throw UsageError("--until \(zone.text(until)) is before --since \(zone.text(since))")
        }
        let draw = try draw(arguments)
        let reader = try TrackReader(path: Locations.database(arguments))
        let summary = try PowerSummary(reader.cycles(), since: since, until: until, zone)
        if let path = arguments.value("output") {
            let file = try AsideFile(path: path)
            file.output.print(PowerDrawing(summary, draw, zone).svg)
            try file.finish()
        }
        if arguments.has("json") {
            output.text.append(json: summary, draw)
            output.print("\n")
        } else if summary.total.cycles == 0 {
            Tool.complain("\(reader.path): no receiver cycle has ended in that time")
        } else {
            let style = Style(arguments)
            for (name, value) in rows(summary, draw, zone) {
                output.print(style.bold(name.padded(11)) + value + "\n")
            }
            print(summary, draw, zone, style, output)
        }
        return .ok
    }

    /// What was asked for, else what the settings say; those of another machine may be missing here.
    private static func draw(_ arguments: ParsedArguments) throws -> ReceiverDraw? {
        guard let text = arguments.value("milliwatts") else {
            return try SettingsLoader.load(arguments.value("config")).settings.receiver.draw
        }
        guard let draw = ReceiverDraw(text) else {
            let names = ReceiverDraw.presets.map(\.name).joined(separator: ", ")
            throw UsageError(
                "bad value '\(text)' for --milliwatts: expected \(names), or three numbers of "
                    + "milliwatts: acquiring, tracking, off")
        }
        return draw
    }

    private static func rows(
        _ summary: PowerSummary, _ draw: ReceiverDraw?, _ zone: Zone
    ) -> [(String, String)] {
        let total = summary.total
        var rows: [(String, String)] = []
        if let first = summary.first, let last = summary.last {
            rows.append(("Time", "\(zone.text(first)) to \(zone.text(last))"))
        }
        rows.append(
            (
                "On",
                "\(span(seconds: total.on)) of \(span(seconds: total.all)), "
                    + "\(percent(total.duty)) in \(total.cycles) cycles"
            ))
        if let draw {
            let energy = total.energy(draw)
            let day = total.all > 0 ? energy / total.all * 86_400 : 0
            rows.append(
                (
                    "Energy",
                    "\(decimal(energy, 1)) mWh, \(decimal(day, 1)) mWh a day; always on it were "
                        + "\(decimal(draw.tracking * 24, 0)) mWh a day"
                ))
        } else {
            rows.append(("Energy", "not known: set Milliwatts= or give --milliwatts"))
        }
        rows.append(
            (
                "Fixes",
                "\(total.kept) sound of \(total.fixes)"
                    + (total.fixesPerMinute.map { ", \(decimal($0, 1)) an on-minute" } ?? "")
            ))
        rows.append(("First fix", times(total)))
        for (name, sum) in summary.starts { rows.append(("", "\(name): \(times(sum))")) }
        for (name, words) in [
            ("Began", summary.began), ("Ended", summary.ended), ("Lever", summary.levers),
        ] where !words.isEmpty {
            rows.append((name, words.map { "\($0.word) \($0.count)" }.joined(separator: ", ")))
        }
        return rows
    }

    private static func times(_ sum: PowerSummary.Sum) -> String {
        let parts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)].compactMap { name, share in
            sum.timeToFirstFix(share).map { "\(name) \(decimal($0, 1)) s" }
        }
        let missed = sum.cycles - sum.times.count
        let none = missed > 0 ? ["\(missed) of \(sum.cycles) had none"] : []
        return (parts + none).joined(separator: ", ")
    }

    private static func print(
        _ summary: PowerSummary, _ draw: ReceiverDraw?, _ zone: Zone, _ style: Style,
        _ output: Output
    ) {
        let hours = summary.hours.enumerated().map { hour, sum in
            ("\(hour < 10 ? "0" : "")\(hour)", sum)
        }
        let days = summary.days.map { (String(zone.text($0.day).prefix(10)), $0.sum) }
        for (title, list) in [("Hour", hours), ("Day", days)] {
            let head =
                title.padded(11) + "on %".indented(7) + "on".indented(13) + "mWh".indented(10)
                + "cycles".indented(8) + "fixes".indented(8) + "p50 s".indented(8)
            output.print("\n" + style.bold(head) + "\n")
            for (name, sum) in list where sum.all > 0 {
                let energy = draw.map { decimal(sum.energy($0), 2) } ?? "-"
                let half = sum.timeToFirstFix(0.5).map { decimal($0, 1) } ?? "-"
                output.print(
                    name.padded(11) + decimal((sum.duty ?? 0) * 100, 1).indented(7)
                        + span(seconds: sum.on).indented(13) + energy.indented(10)
                        + "\(sum.cycles)".indented(8) + "\(sum.kept)".indented(8)
                        + half.indented(8) + "  " + bar(sum.duty ?? 0) + "\n")
            }
        }
    }

    /// A bar of at most 20 cells, in eighths of a cell.
    static func bar(_ share: Double) -> String {
        let eighths = Int((min(max(share, 0), 1) * 160).rounded(.up))
        let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + part
    }

    private static func percent(_ share: Double?) -> String {
        share.map { "\(decimal($0 * 100, 1)) %" } ?? "-"
    }
}

extension TextBuffer {
    /// Appends what the receiver did as one JSON object.
    mutating func append(json summary: PowerSummary, _ draw: ReceiverDraw?) {
        append("{")
        if let first = summary.first, let last = summary.last {
            append("\"first\":\"")
            append(first)
            append("\",\"last\":\"")
            append(last)
            append("\",")
        }
        members(summary.total, draw)
        append(",\"starts\":{")
        for (index, start) in summary.starts.enumerated() {
            if index > 0 { append(",") }
            append(json: start.name)
            append(":{")
            members(start.sum, draw, isTimed: false)
            append("}")
        }
        append("}")
        words(",\"began_because\":{", summary.began)
        words(",\"ended_because\":{", summary.ended)
        words(",\"levers\":{", summary.levers)
        append(",\"hours\":[")
        for (hour, sum) in summary.hours.enumerated() {
            append(hour == 0 ? "{\"hour\":" : ",{\"hour\":")
            append(hour)
            append(",")
            members(sum, draw)
            append("}")
        }
        append("],\"days\":[")
        for (index, day) in summary.days.enumerated() {
            append(index == 0 ? "{\"day\":\"" : ",{\"day\":\"")
            append(day.day)
            append("\",")
            members(day.sum, draw)
            append("}")
        }
        append("]}")
    }

    private mutating func members(
        _ sum: PowerSummary.Sum, _ draw: ReceiverDraw?, isTimed: Bool = true
    ) {
        append("\"cycles\":")
        append(sum.cycles)
        if isTimed {
            for (name, value) in [
                ("acquiring", sum.acquiring), ("tracking", sum.tracking), ("on", sum.on),
                ("off", sum.off),
            ] { member(name, value) }
            member("duty", sum.duty)
            member("energy", draw.map { sum.energy($0) })
            append(",\"fixes\":")
            append(sum.fixes)
            append(",\"kept\":")
            append(sum.kept)
            member("fixes_per_on_minute", sum.fixesPerMinute)
        }
        append(",\"without_fix\":")
        append(sum.cycles - sum.times.count)
        append(",\"time_to_first_fix\":{")
        var isFirst = true
        for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)] {
            guard let time = sum.timeToFirstFix(share) else { continue }
            if !isFirst { append(",") }
            isFirst = false
            append(json: name)
            append(":")
            append(time, decimals: 3, trimming: true)
        }
        append("}")
    }

    private mutating func member(_ name: String, _ value: Double?) {
        guard let value else { return }
        append(",")
        append(json: name)
        append(":")
        append(value, decimals: 4, trimming: true)
    }

    private mutating func words(_ key: StaticString, _ words: [(word: String, count: Int)]) {
        append(key)
        for (index, entry) in words.enumerated() {
            if index > 0 { append(",") }
            append(json: entry.word)
            append(":")
            append(entry.count)
        }
        append("}")
    }
}
