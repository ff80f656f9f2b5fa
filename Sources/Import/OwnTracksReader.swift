import GNSS
import JSON

/// OwnTracks Recorder's `.rec`: time, tab, topic, tab, the JSON that was published; or JSON alone, object by object or in
/// the list that the Recorder's interface answers with.
struct OwnTracksReader: PointReader {
    /// What reads a file that begins as JSON does.
    private var json: JSONReader?
    private var hasBegun = false
    private var line: [UInt8] = []
    private var number = 1
    /// The longest line; a card with a photo is one.
    private static let limit = 4 << 20

    mutating func feed(_ bytes: [UInt8], _ sink: inout PointSink) throws(ImportError) {
        if !hasBegun, let first = bytes.first(where: { $0 > 32 }) {
            hasBegun = true
            if "{[".utf8.contains(first) { json = JSONReader() }
        }
        guard json == nil else { return try json?.feed(bytes, &sink) ?? () }
        for byte in bytes {
            guard byte == 10 else {
                guard line.count < OwnTracksReader.limit else {
                    throw ImportError(line: number, message: "a line that is too long")
                }
                line.append(byte)
                continue
            }
            try take(&sink)
            number += 1
        }
    }

    mutating func more(_ sink: inout PointSink) throws(ImportError) -> Bool {
        try json?.more(&sink) ?? false
    }

    mutating func finish(_ sink: inout PointSink) throws(ImportError) {
        guard json == nil else { return try json?.finish(&sink) ?? () }
        try take(&sink)
    }

    private mutating func take(_ sink: inout PointSink) throws(ImportError) {
        defer { line.removeAll(keepingCapacity: true) }
        guard line.contains(where: { $0 > 32 }) else { return }
        guard let json = OwnTracksLine.json(in: line[...]) else {
            throw ImportError(line: number, message: "no time, topic and JSON with tabs between")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(json)
        } catch {
            throw ImportError(line: number, message: error.message)
        }
        try OwnTracksMessage.take(value, number, &sink)
    }
}

/// One line of a `.rec` file.
enum OwnTracksLine {
    /// The JSON of a line; `nil` when it is no such line.
    static func json(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let line = line.drop { $0 <= 32 }
        if line.first == UInt8(ascii: "{") { return line }
        let parts = line.split(separator: 9, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].first == UInt8(ascii: "{"),
            UTCTime(String(decoding: parts[0], as: UTF8.self)) != nil
        else { return nil }
        return parts[2]
    }
}

/// A message of OwnTracks (its booklet, `tech/json.md`).
enum OwnTracksMessage {
    static func take(
        _ value: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        switch value["_type"]?.string {
        case "location": break
        case "encrypted": return sink.leaveOut(.encrypted)
        case nil: throw ImportError(line: line, message: "a message without _type")
        default: return sink.leaveOut(.otherMessage)
        }
        var draft = PointDraft()
        // The numbers that are whole, and absent when they are zero or unknown.
        let members: [(String, PointField)] = [
            ("lat", .latitude), ("lon", .longitude), ("tst", .time), ("alt", .altitudeMSL),
            ("vel", .speed), ("cog", .course), ("acc", .eph), ("vac", .epv),
        ]
        for (name, field) in members {
            guard let member = value[name] else { continue }
            // Some publishers write numbers as text.
            guard let number = member.number ?? member.string.flatMap({ NumberField.parse($0) })
            else { throw ImportError(line: line, message: "\(name) is no number") }
            try draft.set(field, name == "vel" ? number / 3.6 : number, line)
        }
        guard draft.time != nil else {
            throw ImportError(line: line, message: "a location without tst")
        }
        // A recorder keeps what everybody publishes.
        if let name = value["topic"]?.string ?? value["tid"]?.string {
            draft.fix.device = sink.receiver(named: name)
        }
        try sink.add(draft, line)
    }
}
