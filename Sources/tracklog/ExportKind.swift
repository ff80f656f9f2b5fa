import Configuration
import Export

/// Everything that a track is written as.
enum ExportKind: Equatable {
    case format(ExportFormat)
    case kmz
    case sqlite
    case svg
    case html

    static let names = ExportFormat.allCases.map(\.rawValue) + ["kmz", "sqlite", "svg", "html"]

    /// Whether it can say of a point that it was made up.
    var marksPoints: Bool {
        switch self {
        case .format(let format): ![.nmea, .gpsd].contains(format)
        case .kmz: true
        case .sqlite, .svg, .html: false
        }
    }

    /// Its word for `--format`.
    var name: String {
        switch self {
        case .format(let format): format.rawValue
        case .kmz: "kmz"
        case .sqlite: "sqlite"
        case .svg: "svg"
        case .html: "html"
        }
    }

    init?(name: String) {
        switch name {
        case "kmz": self = .kmz
        case "sqlite", "db", "sqlite3": self = .sqlite
        case "svg": self = .svg
        case "html", "htm": self = .html
        case "json": self = .format(.geojson)
        case "ndjson": self = .format(.jsonl)
        default:
            guard let format = ExportFormat(rawValue: name) else { return nil }
            self = .format(format)
        }
    }

    /// The kind that is asked for, by its name or the ending of a file.
    init(_ name: String?, _ target: String?) throws(UsageError) {
        if let kind = name.flatMap(ExportKind.init(name:)) {
            self = kind
            return
        }
        let all = ExportKind.names.joined(separator: ", ")
        guard let target else {
            throw UsageError("option '--format' is missing: one of \(all)")
        }
        let ending = target.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let kind = ExportKind(name: ending) else {
            throw UsageError(
                "the ending of '\(target)' names no format; give --format: one of \(all)")
        }
        self = kind
    }
}
