import Configuration
import GNSS

/// What positions are written in.
enum PointFormat: String, CaseIterable {
    /// Two numbers a line, and anything behind them.
    case lines
    /// A header with columns for latitude and longitude.
    case csv
    case geojson
    case gpx

    /// The format of an input by its first bytes.
    init(sniffing head: ArraySlice<UInt8>) {
        var start = head
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        start = start.drop { $0 <= 32 }
        switch start.first {
        case UInt8(ascii: "{")?, UInt8(ascii: "[")?: self = .geojson
        case UInt8(ascii: "<")?: self = .gpx
        case let first? where (65...90).contains(first & 0xDF) || first == UInt8(ascii: "\""):
            self = .csv
        default: self = .lines
        }
    }
}

/// Rewrites the positions of a text and leaves everything else as it is.
struct PointConverter {
    let shift: Shift
    /// Whether the longitude comes first in ``PointFormat/lines``.
    let lonFirst: Bool
    let output: Output

    mutating func run(_ input: InputFile, _ format: PointFormat?) throws {
        let head = Array(try input.next())
        guard !head.isEmpty else {
            Tool.complain("\(input.name): is empty")
            return
        }
        switch format ?? PointFormat(sniffing: head[...]) {
        case .lines: try lines(LineReader(input, after: head), input.name)
        case .csv: try table(LineReader(input, after: head), input.name)
        case .geojson: try geoJSON(head + input.all(), input.name)
        case .gpx: try gpx(head + input.all(), input.name)
        }
    }

    private func lines(_ lines: LineReader, _ name: String) throws {
        var lines = lines
        while let line = try lines.next() {
            let first = PointConverter.number(in: line, from: line.startIndex)
            guard let first, let second = PointConverter.number(in: line, from: first.end) else {
                let text = PointConverter.trim(line)
                guard text.isEmpty || text.first == UInt8(ascii: "#") else {
                    throw problem(name, lines.number, "expected two numbers")
                }
                output.text.bytes += line
                output.text.append("\n")
                continue
            }
            let (latitude, longitude) =
                lonFirst ? (second.value, first.value) : (first.value, second.value)
            let moved = try move(latitude, longitude, name, lines.number)
            output.text.bytes += line[..<first.start]
            append(lonFirst ? moved.longitude : moved.latitude)
            output.text.bytes += line[first.end..<second.start]
            append(lonFirst ? moved.latitude : moved.longitude)
            output.text.bytes += line[second.end...]
            output.text.append("\n")
            try output.drain()
        }
    }

    private func table(_ lines: LineReader, _ name: String) throws {
        var lines = lines
        guard let heading = try lines.next() else { return }
        let separator =
            [UInt8(ascii: ";"), 0x09].first { heading.contains($0) } ?? UInt8(ascii: ",")
        let names = PointConverter.fields(of: heading, separator).map { range in
            String(
                decoding: heading[range].filter { $0 > 32 && $0 != UInt8(ascii: "\"") },
                as: UTF8.self
            )
            .lowercased().filter(\.isASCII)
        }
        let latitudeColumn = names.firstIndex { ["lat", "latitude"].contains($0) }
        let longitudeColumn = names.firstIndex { ["lon", "lng", "long", "longitude"].contains($0) }
        guard let latitudeColumn, let longitudeColumn else {
            throw problem(name, 1, "no columns named lat and lon")
        }
        output.text.bytes += heading
        output.text.append("\n")
        while let line = try lines.next() {
            let fields = PointConverter.fields(of: line, separator)
            func number(_ column: Int) -> Double? {
                guard column < fields.count else { return nil }
                let text = line[fields[column]].filter { $0 > 32 && $0 != UInt8(ascii: "\"") }
                return DecimalText.parse(String(decoding: text, as: UTF8.self))
            }
            guard let latitude = number(latitudeColumn), let longitude = number(longitudeColumn)
            else {
                // A row without a position stays as it is.
                let isEmpty = [latitudeColumn, longitudeColumn].allSatisfy {
                    $0 >= fields.count || PointConverter.trim(line[fields[$0]]).isEmpty
                }
                guard isEmpty else { throw problem(name, lines.number, "lat or lon is no number") }
                output.text.bytes += line
                output.text.append("\n")
                continue
            }
            let moved = try move(latitude, longitude, name, lines.number)
            for (index, range) in fields.enumerated() {
                if index > 0 { output.text.append(byte: separator) }
                switch index {
                case latitudeColumn: append(moved.latitude)
                case longitudeColumn: append(moved.longitude)
                default: output.text.bytes += line[range]
                }
            }
            if line.last == 0x0D, fields.count - 1 == max(latitudeColumn, longitudeColumn) {
                output.text.append("\r")
            }
            output.text.append("\n")
            try output.drain()
        }
    }

    /// Appends degrees to a tenth of a millimetre.
    func append(_ degrees: Double) {
        output.text.append(degrees, decimals: 9, trimming: true)
    }

    /// The place in the other system.
    ///
    /// - Throws: what is wrong with it, with its line.
    func move(
        _ latitude: Double, _ longitude: Double, _ name: String, _ line: Int
    ) throws(Failure) -> (latitude: Double, longitude: Double) {
        if let moved = shift.move(latitude: latitude, longitude: longitude) { return moved }
        if abs(latitude) > 90, abs(longitude) <= 90 {
            throw problem(
                name, line, "latitude \(latitude) is beyond 90; are latitude and longitude swapped?"
            )
        }
        throw problem(name, line, "\(latitude) \(longitude) is no position")
    }

    func problem(_ name: String, _ line: Int, _ what: String) -> Failure {
        Failure("\(name):\(line): \(what)", .dataError)
    }

    /// The next number at or behind `start`, over blanks and one comma or semicolon.
    private static func number(
        in line: ArraySlice<UInt8>, from start: Int
    ) -> (value: Double, start: Int, end: Int)? {
        var place = start
        var commas = 0
        while place < line.endIndex {
            switch line[place] {
            case 32, 9: break
            case UInt8(ascii: ","), UInt8(ascii: ";"):
                commas += 1
                if commas > 1 { return nil }
            default: return DecimalScanner.scan(line, from: place)
            }
            place += 1
        }
        return nil
    }

    private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop { $0 <= 32 }
        while let last = rest.last, last <= 32 { rest = rest.dropLast() }
        return rest
    }

    /// The ranges between separators that stand outside quotes (RFC 4180).
    private static func fields(of line: ArraySlice<UInt8>, _ separator: UInt8) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        var start = line.startIndex
        var isQuoted = false
        for place in line.indices {
            if line[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard line[place] == separator, !isQuoted else { continue }
            fields.append(start..<place)
            start = place + 1
        }
        return fields + [start..<line.endIndex]
    }
}

/// Reads decimal numbers of a line without making text of them.
enum DecimalScanner {
    private static let powers: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    /// The number that begins at `start`; `nil` when none does.
    static func scan(
        _ line: ArraySlice<UInt8>, from start: Int
    ) -> (value: Double, start: Int, end: Int)? {
        var place = start
        let isNegative = place < line.endIndex && line[place] == UInt8(ascii: "-")
        if isNegative || (place < line.endIndex && line[place] == UInt8(ascii: "+")) { place += 1 }
        var digits: UInt64 = 0
        var count = 0
        var decimals = 0
        var hasPoint = false
        while place < line.endIndex {
            let byte = line[place]
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else if byte >= 48, byte <= 57 {
                count += 1
                if count <= 18 { digits = digits * 10 + UInt64(byte - 48) }
                if hasPoint { decimals += 1 }
            } else {
                break
            }
            place += 1
        }
        guard count > 0, place == line.endIndex || !isLetter(line[place]) else { return nil }
        let value: Double
        guard count <= 15 else {
            guard
                let exact = DecimalText.parse(String(decoding: line[start..<place], as: UTF8.self))
            else {
                return nil
            }
            return (exact, start, place)
        }
        // Both are exact, so the quotient is rounded right (W. D. Clinger, PLDI 1990).
        value = Double(digits) / powers[decimals]
        return (isNegative ? -value : value, start, place)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte & 0xDF)
    }
}
