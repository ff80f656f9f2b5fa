import Configuration
import GNSS
import Storage

extension DatabaseCommand {
    /// What a database is and holds.
    @Sendable static func info(_ request: Request) throws -> ExitCode {
        let info = try TrackReader(path: request.path).info()
        if request.arguments.has("json") {
            request.output.text.append(json: info)
        } else {
            let style = Style(request.arguments)
            for (name, value) in rows(of: info, try Zone(request.arguments)) {
                request.output.print(style.bold(name.padded(11)) + value + "\n")
            }
        }
        return .ok
    }

    private static func rows(of info: StoreInfo, _ zone: Zone) -> [(String, String)] {
        let octal = String(info.mode, radix: 8)
        var rows = [
            ("Database", "\(info.path), owner \(info.owner), mode 0\(octal)"),
            ("Schema", "version \(info.schema), SQLite \(info.library)"),
            (
                "Size",
                "\(size(bytes: info.bytes)), \(size(bytes: info.freeBytes)) of it unused; "
                    + "write-ahead log \(size(bytes: info.logBytes))"
            ),
        ]
        let rejected = info.counts.reasons.map { "\($0.reason.names.first ?? "?") \($0.count)" }
        let count = info.counts.total - info.counts.kept
        rows.append(
            (
                "Fixes",
                "\(info.counts.kept) kept, \(count) rejected"
                    + (rejected.isEmpty ? "" : ": " + rejected.joined(separator: ", "))
            ))
        if let begin = info.begin, let end = info.end {
            rows.append(("Time", "\(zone.text(begin)) to \(zone.text(end))"))
        }
        rows.append(("Durable", "up to sequence \(info.durableSequence)"))
        rows.append(
            (
                "Recorded",
                "\(info.segments) segments, \(info.gaps) gaps, \(info.cycles) receiver cycles"
            ))
        if let last = info.lastRun {
            rows.append(
                (
                    "Last run",
                    "\(last.id), tracklogd \(last.run.version), from \(last.run.source), "
                        + "since \(zone.text(last.run.started)), \(last.ended ?? "running")"
                ))
        }
        for copy in info.damaged { rows.append(("Damaged", "kept as \(copy)")) }
        return rows
    }
}

extension TextBuffer {
    /// Appends what a database holds as one JSON object.
    fileprivate mutating func append(json info: StoreInfo) {
        append("{\"path\":")
        append(json: info.path)
        append(",\"schema\":")
        append(Int64(info.schema))
        append(",\"sqlite\":")
        append(json: info.library)
        number("bytes", info.bytes)
        number("log_bytes", info.logBytes)
        number("free_bytes", info.freeBytes)
        number("owner", Int64(info.owner))
        append(",\"mode\":")
        append(json: "0" + String(info.mode, radix: 8))
        number("kept", info.counts.kept)
        append(",\"rejected\":{")
        for (index, entry) in info.counts.reasons.enumerated() {
            if index > 0 { append(",") }
            append(json: entry.reason.names.first ?? "")
            append(":")
            append(entry.count)
        }
        append("}")
        if let begin = info.begin, let end = info.end {
            append(",\"first\":\"")
            append(begin)
            append("\",\"last\":\"")
            append(end)
            append("\"")
        }
        number("durable_sequence", info.durableSequence)
        number("segments", info.segments)
        number("gaps", info.gaps)
        number("cycles", info.cycles)
        if let last = info.lastRun {
            append(",\"last_run\":{\"run\":")
            append(last.id)
            append(",\"version\":")
            append(json: last.run.version)
            append(",\"source\":")
            append(json: last.run.source)
            append(",\"started\":\"")
            append(last.run.started)
            append("\",\"ended\":")
            append(json: last.ended ?? "running")
            append("}")
        }
        append(",\"damaged\":[")
        for (index, copy) in info.damaged.enumerated() {
            if index > 0 { append(",") }
            append(json: copy)
        }
        append("]}\n")
    }

    private mutating func number(_ name: StaticString, _ value: Int64) {
        append(",\"")
        append(name)
        append("\":")
        append(value)
    }
}
