import GNSS

/// CSV (RFC 4180) with a header; separated by commas, semicolons, tabs or bars, in any locale's decimals.
///
/// Above the header lines may stand that begin with `#`, one of which may be the header, and `sep=;` as Excel has it.
struct CSVReader: PointReader {
    private var header: CSVHeader?
    /// Whether the header was behind a `#`: a line that is one too takes its place.
    private var isHeaderComment = false
    private var record: [UInt8] = []
    private var quoted = false
    private var isBehindReturn = false
    /// Lines above the header that say nothing to us.
    private var preamble = 0
    private var line = 1
    /// Where the record began: quoted text may run over lines.
    private var recordLine = 1
    private var lastSegment: String?
    private static let limit = 1 << 20

    mutating func feed(_ bytes: [UInt8], _ sink: inout PointSink) throws(ImportError) {
        // Columbus pads its cells with NULs.
        for byte in bytes where byte != 0 {
            if byte == UInt8(ascii: "\"") { quoted.toggle() }
            // Lines end with LF, CR LF or, of old Macintoshes, CR.
            let isSecond = byte == 10 && isBehindReturn
            isBehindReturn = byte == 13
            if isSecond, !quoted { continue }
            if byte == 10 || byte == 13 && !quoted {
                line += 1
                if !quoted {
                    try take(&sink)
                    recordLine = line
                    continue
                }
            }
            guard record.count < CSVReader.limit else {
                throw ImportError(
                    line: recordLine,
                    message: quoted ? "a quotation mark that is not closed" : "too long a line")
            }
            record.append(byte)
        }
    }

    mutating func finish(_ sink: inout PointSink) throws(ImportError) {
        if quoted {
            throw ImportError(line: recordLine, message: "a quotation mark that is not closed")
        }
        try take(&sink)
        if header == nil { throw ImportError(line: 1, message: "no header with lat and lon") }
    }

    private func begin(_ header: CSVHeader, _ sink: inout PointSink) {
        _ = sink.parts(of: header.names)
        sink.dates.isYearFirst = PointPart.isCountingLogger(header.names)
    }

    private mutating func take(_ sink: inout PointSink) throws(ImportError) {
        defer { record.removeAll(keepingCapacity: true) }
        guard record.contains(where: { $0 > 32 }) else { return }
        if header == nil || isHeaderComment {
            if record.first == UInt8(ascii: "#") || CSVHeader.isPreamble(record[...]) {
                if let found = CSVHeader(record.drop { $0 == UInt8(ascii: "#") || $0 == 32 }) {
                    header = found
                    isHeaderComment = true
                    begin(found, &sink)
                }
                return
            }
            isHeaderComment = false
            if let found = CSVHeader(record[...]) {
                header = found
                begin(found, &sink)
                return
            }
        }
        guard let header else {
            preamble += 1
            guard preamble < CSVHeader.longestPreamble else {
                throw ImportError(line: 1, message: "no header with lat and lon")
            }
            return
        }
        let fields = CSVHeader.split(record[...], by: header.separator)
        guard fields.count >= header.needed else {
            throw ImportError(line: recordLine, message: "fewer fields than the header has names")
        }
        if let column = header.system, column < fields.count {
            sink.system = fields[column].isEmpty ? nil : String(fields[column].prefix(64))
        }
        var draft = PointDraft()
        var date = ""
        var time = ""
        for (part, text) in zip(header.parts, fields) {
            guard let part, !NumberField.isUnknown(text) else { continue }
            switch part.field {
            case .date: date = text
            case .time: time = text
            case .segment:
                if lastSegment != text { sink.beginSegment() }
                lastSegment = text
            case .status, .flags, .mode, .id, .valid, .northSouth, .eastWest:
                try draft.set(part, text, sink, recordLine)
            default:
                let number =
                    header.separator == UInt8(ascii: ",")
                    ? text : text.replacing(",", with: ".")
                try draft.set(part, number, sink, recordLine)
            }
        }
        guard draft.latitude != nil || draft.longitude != nil else {
            return sink.leaveOut(.withoutPosition)
        }
        draft.time = try sink.time(time, on: date, recordLine)
        if let column = header.device, column < fields.count, !fields[column].isEmpty {
            draft.fix.device = sink.receiver(named: String(fields[column].prefix(64)))
        }
        // This program's exports have a column for flags; an empty one says that there are none.
        if draft.flags == nil, header.hasFlags { draft.flags = [] }
        try sink.add(draft, recordLine)
    }
}

/// What the columns of a CSV file are.
struct CSVHeader {
    let separator: UInt8
    let names: [String]
    /// The part of a point that each column holds; `nil` for one that says nothing to us.
    let parts: [PointPart?]
    /// The column that names the coordinate system.
    let system: Int?
    /// The column that names the device, where a file holds several.
    let device: Int?
    /// How many fields a record has at least.
    let needed: Int
    /// Whether a column holds verdicts.
    let hasFlags: Bool

    /// The header of a line; `nil` when it does not name latitude and longitude.
    init?(_ line: some Collection<UInt8>) {
        var line = Array(line)[...]
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        if line.last == 13 { line = line.dropLast() }
        guard line.count < 65_536 else { return nil }
        for separator in ",;\t|".utf8 {
            // One of two columns for one part counts, as `time` beside gpslogger's `timestamp_ms`.
            let names = CSVHeader.split(line, by: separator)
            guard (2...4096).contains(names.count) else { continue }
            let parts = PointPart.parts(of: names)
            let fields = parts.map { $0?.field }
            guard fields.contains(.latitude), fields.contains(.longitude) else { continue }
            self.separator = separator
            self.names = names
            self.parts = parts
            system = names.firstIndex { $0.lowercased() == "crs" }
            device = names.firstIndex { ["deviceid", "device_id"].contains($0.lowercased()) }
            hasFlags = fields.contains(.flags)
            needed =
                1 + (fields.lastIndex { $0 == .latitude || $0 == .longitude || $0 == .time } ?? 0)
            return
        }
        return nil
    }

    /// So many lines may stand above a header, as the name of a track, and what program wrote it.
    static let longestPreamble = 16

    /// The header among the first lines of a file; `nil` when there is none.
    static func find(in head: ArraySlice<UInt8>) -> CSVHeader? {
        var preamble = 0
        for line in head.split(maxSplits: 1000, whereSeparator: { $0 == 10 || $0 == 13 }) {
            let isComment = line.first == UInt8(ascii: "#")
            if let header = CSVHeader(line.drop { isComment && ($0 == 35 || $0 == 32) }) {
                return header
            }
            if !isComment, !isPreamble(line) { preamble += 1 }
            guard preamble < longestPreamble else { return nil }
        }
        return nil
    }

    /// Whether a line only says what separates fields.
    static func isPreamble(_ line: ArraySlice<UInt8>) -> Bool {
        let line = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
        let word = line.prefix { $0 != 13 }
        return word.count == 5
            && String(decoding: word.prefix(4), as: UTF8.self).lowercased() == "sep="
    }

    /// The fields of a record, unquoted, without blanks around them.
    static func split(_ record: ArraySlice<UInt8>, by separator: UInt8) -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var quoted = false
        var before: UInt8 = 0
        func finish() {
            let start = field.drop { $0 == 32 }
            let end = start.lastIndex { $0 != 32 }.map { $0 + 1 } ?? start.startIndex
            fields.append(String(decoding: start[..<end], as: UTF8.self))
            field.removeAll(keepingCapacity: true)
        }
        for byte in record {
            if byte == UInt8(ascii: "\"") {
                // A quotation mark within quoted text is written twice.
                if !quoted, before == byte { field.append(byte) }
                quoted.toggle()
            } else if byte == separator, !quoted {
                finish()
            } else {
                field.append(byte)
            }
            before = byte
        }
        finish()
        return fields
    }
}
