import Configuration
import GNSS
import Storage
import Tracking

/// What a track is summed up by.
enum Period: String, CaseIterable {
    case day
    case month
    case year

    /// The period of a time, as `2026-05-01`, `2026-05` or `2026`.
    func name(of time: UTCTime, _ zone: Zone) -> Substring {
        let text = zone.text(time)
        switch self {
        case .day: return text.prefix(10)
        case .month: return text.prefix(7)
        case .year: return text.prefix(4)
        }
    }
}

/// Sums a track up by days, months or years, in recording order.
final class PeriodStats {
    private let period: Period
    private let zone: Zone
    private let units: Units
    private let style: Style
    private let isJSON: Bool
    private let output: Output
    private var name: Substring = ""
    private var statistics = TrackStatistics()
    /// The holes that are not told yet, by the period in which they began.
    private var gaps: [Substring: [Gap]] = [:]
    /// The period that the last time belongs to, up to where its second does not matter.
    private var quarter: Int64?
    private var count = 0

    init(_ period: Period, _ zone: Zone, _ arguments: ParsedArguments, _ output: Output) {
        self.period = period
        self.zone = zone
        self.output = output
        units = Units(arguments)
        style = Style(arguments)
        isJSON = arguments.has("json")
    }

    func run(_ query: FixQuery, _ reader: TrackReader) throws -> ExitCode {
        if query.segment == nil {
            for gap in try reader.gaps() where StatsCommand.overlaps(gap, query) {
                var began = gap.begin ?? gap.end
                if let since = query.since { began = began.map { max($0, since) } }
                gaps[began.map { period.name(of: $0, zone) } ?? "", default: []].append(gap)
            }
        }
        try reader.forEach(query, "reading") { record in
            // No zone changes its offset within a quarter of an hour.
            if let now = record.fix.time.map({ $0.milliseconds / 900_000 }), now != quarter {
                quarter = now
                let next = record.fix.time.map { period.name(of: $0, zone) } ?? ""
                if next != name {
                    try show()
                    name = next
                    statistics.beginPeriod()
                }
            }
            statistics.add(record)
        }
        try show()
        if count == 0, !isJSON { Tool.complain("\(reader.path): no such fix") }
        return .ok
    }

    private func show() throws {
        guard statistics.total > 0 else { return }
        count += 1
        for gap in gaps.removeValue(forKey: name) ?? [] { statistics.add(gap) }
        let name = name.isEmpty ? "no date" : String(name)
        if isJSON {
            output.print("{\"\(period.rawValue)\":")
            output.text.append(json: name)
            output.print(",\"sums\":")
            output.text.append(json: statistics)
            output.print("}\n")
        } else {
            if count == 1 { output.print(heading) }
            output.print(row(name))
        }
        try output.drain()
    }

    private var heading: String {
        style.bold(
            period.rawValue.uppercased().padded(10) + "DISTANCE".indented(10)
                + "MOVING".indented(12) + "TOP".indented(11) + "CLIMB".indented(8)
                + "GAPS".indented(12) + "KEPT".indented(8) + "REJECTED".indented(9)) + "\n"
    }

    private func row(_ name: String) -> String {
        let holes = statistics.gaps.reduce(0) { $0 + $1.duration }
        return name.padded(10) + units.distance(statistics.distance).indented(10)
            + span(milliseconds: statistics.movingTime).indented(12)
            + (statistics.topSpeed.map(units.speed) ?? "-").indented(11)
            + (statistics.ascent.map { units.length($0) } ?? "-").indented(8)
            + (holes > 0 ? span(milliseconds: holes) : "none").indented(12)
            + "\(statistics.kept)".indented(8)
            + "\(statistics.total - statistics.kept)".indented(9) + "\n"
    }
}
