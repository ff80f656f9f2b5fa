import Geodesy

/// What a file to be converted looks like.
public enum ConvertFormat: String, CaseIterable, Sendable {
    /// Comma, semicolon or tab separated values with a header that names latitude and longitude.
    case csv = "csv"
    /// GeoJSON (RFC 7946), whole or one object a line.
    case geoJSON = "geojson"
    /// GPX 1.0 and 1.1.
    case gpx = "gpx"
    /// Lines that begin with two numbers.
    case lines = "lines"

    /// The format of a file by its first bytes; a few hundred are enough.
    public static func guess(_ head: [UInt8]) -> ConvertFormat {
        var rest = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
        rest = rest.drop { $0 <= 32 }
        switch rest.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .geoJSON
        case UInt8(ascii: "<"): return .gpx
        default:
            // A header has a letter before its first separator; a line of numbers has not.
            let first = rest.first { $0 > 32 && $0 != UInt8(ascii: "\"") } ?? 0
            let isLetter = (first | 32) >= 97 && (first | 32) <= 122
            return isLetter ? .csv : .lines
        }
    }
}

/// What to convert, and how.
public struct ConvertOptions: Sendable {
    /// The system of the input; never guessed.
    public var from: CRS
    /// The system of the output.
    public var to: CRS
    /// Where positions are shifted.
    public var policy: OffsetPolicy
    /// Whether plain lines have the longitude first.
    public var isLongitudeFirst = false
    /// The CSV column of the latitude; `nil` finds `lat` or `latitude`.
    public var latitudeColumn: String?
    /// The CSV column of the longitude; `nil` finds `lon`, `lng`, `long` or `longitude`.
    public var longitudeColumn: String?

    /// A conversion between two systems.
    ///
    /// - Parameter policy: `nil` takes all regions when BD-09 is one of them, and the mainland else.
    public init(from: CRS, to: CRS, policy: OffsetPolicy? = nil) {
        self.from = from
        self.to = to
        self.policy = policy ?? (from == .bd09 || to == .bd09 ? OffsetPolicy(.all) : .mainland)
    }
}

/// Why a file cannot be converted, with the line; it holds no coordinate.
public struct ConvertError: Error, Equatable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int
    /// Why.
    public var reason: Reason

    /// An error on a line.
    public init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// What is wrong with the line.
    public enum Reason: Equatable, Sendable {
        /// The latitude lies beyond 90 and the longitude does not: the pair is swapped.
        case swapped
        /// A latitude beyond 90 or a longitude beyond 180.
        case outOfRange
        /// The file says it is in this system, which is not the one it was given for.
        case declared(CRS, given: CRS)
        /// The file says it is in a system that is not known.
        case unknownSystem(String)
        /// No column has this name.
        case noColumn(String)
        /// Not what the format asks for.
        case malformed(String)
    }

    /// What is wrong, without the line.
    public var message: String {
        switch reason {
        case .swapped: "latitude beyond 90; are latitude and longitude swapped?"
        case .outOfRange: "position out of range"
        case .declared(let says, let given):
            "the file says that it is in \(says.rawValue), not in \(given.rawValue)"
        case .unknownSystem(let name): "the file is in an unknown system: \(name)"
        case .noColumn(let name): "no column \(name)"
        case .malformed(let what): what
        }
    }

    /// One line for a person.
    public var description: String { "line \(line): \(message)" }
}

/// Converts the positions of a file from one system to another, as a filter over its bytes.
///
/// Feed it the file in pieces of any size and finish it. What is no position, and a position that does not
/// change, is passed on byte for byte. After an error nothing more may be fed; what was given out until then
/// is part of a file, so write it aside and throw it away.
///
/// ```swift
/// var filter = ConvertFilter(ConvertOptions(from: .gcj02, to: .wgs84), format: .csv)
/// var out: [UInt8] = []
/// try filter.feed(piece.span, into: &out)
/// try filter.finish(into: &out)
/// ```
public struct ConvertFilter: Sendable {
    /// How many positions were seen, moved, and close to a border with two answers.
    public var counts: ConvertCounts { converter.counts }

    /// What a person ought to know once the file is finished: what stayed unconverted, and that all of it did.
    public var warnings: [String] {
        guard counts.positions > 0 else {
            return converter.warnings + ["no position in it: nothing was converted"]
        }
        guard counts.moved == 0, converter.options.from != converter.options.to else {
            return converter.warnings
        }
        return converter.warnings + ["no position lies where the map shifts: all stay as they are"]
    }

    private var converter: PointConverter
    private var scanner: Scanner
    private var pending: [UInt8] = []
    private var isAtBegin = true

    private enum Scanner: Sendable {
        case csv(ConvertCSV)
        case geoJSON(ConvertGeoJSON)
        case gpx(ConvertGPX)
        case lines(ConvertLines)
    }

    /// A filter for one file.
    public init(_ options: ConvertOptions, format: ConvertFormat) {
        converter = PointConverter(options)
        scanner =
            switch format {
            case .csv: .csv(ConvertCSV(options))
            case .geoJSON: .geoJSON(ConvertGeoJSON())
            case .gpx: .gpx(ConvertGPX())
            case .lines: .lines(ConvertLines(isLongitudeFirst: options.isLongitudeFirst))
            }
    }

    /// Takes the next piece of the file and appends what can be given out to `output`.
    ///
    /// - Throws: ``ConvertError`` with the line of the file.
    public mutating func feed(
        _ piece: Span<UInt8>, into output: inout [UInt8]
    ) throws(ConvertError) {
        unsafe piece.withUnsafeBufferPointer { unsafe pending.append(contentsOf: $0) }
        try scan(isLast: false, into: &output)
    }

    /// Says that the file ends here, and appends the rest to `output`.
    ///
    /// - Throws: ``ConvertError`` also when the file is cut short.
    public mutating func finish(into output: inout [UInt8]) throws(ConvertError) {
        try scan(isLast: true, into: &output)
        output += pending
        pending = []
    }

    private mutating func scan(
        isLast: Bool, into output: inout [UInt8]
    ) throws(ConvertError) {
        if isAtBegin {
            // A byte order mark is the first two bytes or none.
            guard pending.count >= 2 || isLast else { return }
            isAtBegin = false
            if pending.starts(with: [0xFF, 0xFE]) || pending.starts(with: [0xFE, 0xFF]) {
                throw ConvertError(
                    line: 1, reason: .malformed("UTF-16: convert it to UTF-8 first"))
            }
        }
        let taken: Int
        switch scanner {
        case .csv(var csv):
            taken = try csv.scan(pending, isLast: isLast, &converter, &output)
            scanner = .csv(csv)
        case .geoJSON(var json):
            taken = try json.scan(pending, isLast: isLast, &converter, &output)
            scanner = .geoJSON(json)
        case .gpx(var gpx):
            taken = try gpx.scan(pending, isLast: isLast, &converter, &output)
            scanner = .gpx(gpx)
        case .lines(var lines):
            taken = try lines.scan(pending, isLast: isLast, &converter, &output)
            scanner = .lines(lines)
        }
        pending.removeFirst(taken)
    }
}
