import Export
import GNSS
import Testing

@testable import Import

/// The points of a file, fed in pieces of that many bytes.
func points(
    _ text: String, _ format: ImportFormat, piece: Int = 4096,
    zone: @escaping TrackImporter.ZoneOffset = { _ in 0 }
) throws -> [ImportedPoint] {
    var importer = TrackImporter(format, zone: zone)
    var points: [ImportedPoint] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
        try importer.feed(Array(bytes[start..<min(bytes.count, start + piece)])) {
            points.append($0)
        }
    }
    try importer.finish { points.append($0) }
    return points
}

/// What is said of a file that cannot be imported.
func complaint(_ text: String, _ format: ImportFormat) -> ImportError? {
    do {
        _ = try points(text, format)
        return nil
    } catch {
        return error as? ImportError
    }
}

/// A fix each 10 s, in two segments, with everything a receiver gives.
let drive: [RecordedFix] = (0..<12).map { index in
    let time = UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000 + index * 10_250)
    var fix = Fix(
        time: time, latitude: Double(473_769_012 + index * 1000) / 1e7,
        longitude: Double(-85_412_345 - index * 1000) / 1e7, mode: .threeD)
    fix.altitudeMSL = 408.125
    fix.geoidSeparation = 47.5
    fix.altitudeHAE = 455.625
    fix.speed = 13.25
    fix.course = 71.5
    fix.status = .dgps
    fix.satellitesUsed = 9
    fix.dop.hdop = 0.9
    fix.dop.vdop = 1.4
    fix.dop.pdop = 1.66
    var record = RecordedFix(fix: fix, receivedAt: time.milliseconds, flags: [])
    record.sequence = Int64(index + 1)
    record.segment = index < 5 ? 1 : 2
    return record
}

func exported(_ records: [RecordedFix], _ format: ExportFormat) -> String {
    var exporter = TrackExporter(format, ExportInfo(name: "drive", creator: "tracklog"))
    for record in records { exporter.add(record) }
    exporter.end()
    var bytes: [UInt8] = []
    exporter.drain(over: 0) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
}
