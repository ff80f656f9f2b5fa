import Configuration
import Correction
import GNSS
import JSON
import StatusProtocol

/// The coordinate system that positions are shown in (`--crs`).
struct CoordinateChoice {
    static let option = Option(
        "crs", value: "SYSTEM",
        "give positions as received (raw), corrected, in WGS 84 or shifted for Chinese maps",
        choices: OutputSystem.allCases.map(\.rawValue), byDefault: "wgs84")

    private let conversion: OutputConversion

    init(_ arguments: ParsedArguments) throws {
        let system = arguments.value("crs").flatMap(OutputSystem.init) ?? .wgs84
        // What the source declares is in the settings; only a shifted source makes a difference.
        let source = try Locations.settings(arguments).correction
        conversion = OutputConversion(to: system, source: source)
    }

    /// The system as `--crs` names it.
    var word: String { conversion.system.rawValue }

    /// The name files give the system; `nil` for WGS 84.
    var name: String? {
        switch conversion.system {
        case .gcj02: "GCJ-02"
        case .bd09: "BD-09"
        case .wgs84, .corrected, .raw: nil
        }
    }

    /// The report of a daemon's fix with its position in the system.
    func place(_ report: FixReport) -> FixReport {
        guard var fix = report.fix else { return report }
        var placed = report
        var record = RecordedFix(fix: fix, receivedAt: 0, flags: report.flags)
        if let latitude = report.correctedLatitude, let longitude = report.correctedLongitude {
            record.corrected = CorrectedPosition(
                latitude: latitude, longitude: longitude, correction: 0)
        }
        (fix.latitude, fix.longitude) = conversion.position(of: record)
        placed.fix = fix
        return placed
    }

    /// A daemon's answer in which each fix has the members `crs`, `crs_lat` and `crs_lon` too.
    func annotated(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map(annotated))
        case .object(let object):
            var members = JSONObject()
            for member in object.members { members[member.name] = annotated(member.value) }
            if let fix = Fix(members: object) {
                var report = FixReport()
                report.fix = fix
                report.correctedLatitude = object["corrected_lat"]?.number
                report.correctedLongitude = object["corrected_lon"]?.number
                let placed = place(report).fix ?? fix
                members["crs"] = .string(word)
                members["crs_lat"] = .number(placed.latitude)
                members["crs_lon"] = .number(placed.longitude)
            }
            return .object(members)
        default: return value
        }
    }

    /// The record as measured in WGS 84, whatever system its source declared: for lengths and speeds.
    func measured(_ record: RecordedFix) -> RecordedFix {
        guard conversion.sourceSystem != .wgs84 else { return record }
        var plain = record
        (plain.fix.latitude, plain.fix.longitude) = conversion.position(of: record)
        return plain
    }

    /// The record with the position that is shown where corrected positions are taken from.
    func place(_ record: RecordedFix) -> RecordedFix {
        var placed = record
        guard conversion.system != .raw else {
            placed.corrected = nil
            return placed
        }
        let (latitude, longitude) = conversion.position(of: record)
        if placed.corrected != nil {
            placed.corrected?.latitude = latitude
            placed.corrected?.longitude = longitude
        } else {
            placed.fix.latitude = latitude
            placed.fix.longitude = longitude
        }
        return placed
    }
}
