import Configuration
import GNSS
import Storage

/// Prints when the machine came to a place and left it, instead of each fix there.
final class VisitLister: FixLister {
    private let reader: TrackReader
    private var visit: Visit?
    private var count = 0

    /// From the first to the last fix there, with no fix elsewhere between.
    fileprivate struct Visit {
        var first: RecordedFix
        var last: RecordedFix
        var fixes = 1

        var from: UTCTime? { first.fix.time }
        var to: UTCTime? { last.fix.time }

        /// Milliseconds; `nil` without dates.
        var length: Int64? {
            from.flatMap { from in to.map { $0 - from } }
        }
    }

    init(
        _ arguments: ParsedArguments, _ zone: Zone, _ output: Output, _ reader: TrackReader
    ) throws {
        self.reader = reader
        try super.init(arguments, zone, output)
    }

    override func add(_ record: RecordedFix) throws {
        guard let visit, try !reader.hasKept(after: visit.last.sequence, before: record.sequence)
        else {
            try show()
            visit = Visit(first: record, last: record)
            return
        }
        self.visit?.last = record
        self.visit?.fixes += 1
    }

    override func end(_ path: String) throws -> ExitCode {
        try show()
        if count == 0, !arguments.has("json") { Tool.complain("\(path): never there") }
        return .ok
    }

    private func show() throws {
        guard let visit else { return }
        count += 1
        if arguments.has("json") {
            output.text.append(json: visit)
        } else {
            func text(_ time: UTCTime?) -> String { time.map(zone.text) ?? "no date" }
            output.print(
                "\(text(visit.from)) to \(text(visit.to)), "
                    + "\(visit.length.map { span(milliseconds: $0) } ?? "?"), "
                    + "\(visit.fixes) fixes\n")
        }
        try output.drain()
    }
}

extension TextBuffer {
    fileprivate mutating func append(json visit: VisitLister.Visit) {
        append("{\"first_sequence\":")
        append(visit.first.sequence)
        append(",\"last_sequence\":")
        append(visit.last.sequence)
        append(",\"fixes\":")
        append(Int64(visit.fixes))
        for (name, time) in [("from", visit.from), ("to", visit.to)] {
            guard let time else { continue }
            append(",")
            append(json: name)
            append(":\"")
            append(time)
            append("\"")
        }
        if let length = visit.length {
            append(",\"duration\":")
            append(Double(length) / 1000, decimals: 3, trimming: true)
        }
        append("}\n")
    }
}
