import GNSS

/// CSV (RFC 4180) with a header; separated by commas, semicolons or tabs, in any locale's decimals.
struct CSVReader: PointReader {
    private var header: CSVHeader?
    private var record: [UInt8] = []
    private var quoted = false
    private var line = 1
    /// Where the record began: quoted text may run over lines.
    private var recordLine = 1
    private var lastSegment: String?
    private static let limit = 1 << 20

    mutating func feed(_ bytes: [UInt8], _ sink: inout PointSink) throws(ImportError) {
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { quoted.toggle() }
            if byte == 10 {
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

    private mutating func take(_ sink: inout PointSink) throws(ImportError) {
        defer { record.removeAll(keepingCapacity: true) }
        if record.last == 13 { record.removeLast() }
        guard record.contains(where: { $0 > 32 }) else { return }
        guard let header else {
            header = CSVHeader(record[...])
            guard header == nil else { return }
            throw ImportError(line: recordLine, message: "no header with lat and lon")
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
        for (field, text) in zip(header.fields, fields) {
            guard let field, !text.isEmpty else { continue }
            switch field {
            case .date: date = text
            case .time: break
            case .segment:
                if let lastSegment, lastSegment != text { sink.segmentBreak() }
                lastSegment = text
            case .status, .flags, .mode, .id: try draft.set(field, text, sink, recordLine)
            default:
                let number =
                    header.separator == UInt8(ascii: ",")
                    ? text : text.replacing(",", with: ".")
                try draft.set(field, number, sink, recordLine)
            }
        }
        if let place = header.fields.firstIndex(of: .time), !fields[place].isEmpty {
            let text = date.isEmpty ? fields[place] : "\(date) \(fields[place])"
            draft.time = try sink.time(text, recordLine)
        } else if !date.isEmpty {
            draft.time = try sink.time(date, recordLine)
        }
        // This program's exports have a column for flags; an empty one says that there are none.
        if draft.flags == nil, header.fields.contains(.flags) { draft.flags = [] }
        try sink.add(draft, recordLine)
    }
}

/// What the columns of a CSV file are.
struct CSVHeader {
    let separator: UInt8
    /// The part of a point that each column holds; `nil` for one that says nothing to us.
    let fields: [PointField?]
    /// The column that names the coordinate system.
    let system: Int?

    /// The header of a line; `nil` when it does not name latitude and longitude.
    init?(_ line: some Collection<UInt8>) {
        var line = Array(line)[...]
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        if line.last == 13 { line = line.dropLast() }
        guard line.count < 65_536 else { return nil }
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), 9] {
            // One of two columns for one part counts, as `time` beside gpslogger's `timestamp_ms`.
            let names = CSVHeader.split(line, by: separator)
            let fields = PointField.parts(of: names)
            guard fields.contains(.latitude), fields.contains(.longitude) else { continue }
            self.separator = separator
            self.fields = fields
            system = names.firstIndex { $0.lowercased() == "crs" }
            return
        }
        return nil
    }

    /// How many fields a record has at least.
    var needed: Int {
        1 + (fields.lastIndex { $0 == .latitude || $0 == .longitude || $0 == .time } ?? 0)
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
