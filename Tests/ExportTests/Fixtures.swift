import Foundation
import GNSS
import Testing

@testable import Export

extension RecordedFix {
    /// A kept fix as a receiver gives it, `second` seconds into 2026-05-01T10:00:00Z.
    static func sample(
        _ sequence: Int64, _ latitude: Double, _ longitude: Double, second: Double? = nil,
        segment: Int32 = 1
    ) -> RecordedFix {
        let milliseconds = 1_777_629_600_000 + Int64((second ?? Double(sequence)) * 1000)
        var fix = Fix(
            time: UTCTime(milliseconds: milliseconds), latitude: latitude, longitude: longitude,
            mode: .threeD)
        fix.status = .gps
        fix.altitudeMSL = 408.1
        fix.geoidSeparation = 47.4
        fix.altitudeHAE = 455.5
        fix.speed = 13.25
        fix.course = 71.5
        fix.satellitesUsed = 9
        fix.dop.hdop = 0.9
        fix.dop.vdop = 1.4
        fix.dop.pdop = 1.66
        var record = RecordedFix(fix: fix, receivedAt: milliseconds, flags: [])
        record.sequence = sequence
        record.segment = segment
        return record
    }
}

/// The whole text of an export.
func export(
    _ format: ExportFormat, _ records: [RecordedFix], position: ExportPosition = .raw,
    name: String = "drive", system: String? = nil
) -> String {
    var exporter = TrackExporter(
        format,
        ExportInfo(name: name, creator: "tracklog 0.1.0", coordinateSystem: system),
        position: position)
    for record in records { exporter.add(record) }
    exporter.end()
    var bytes: [UInt8] = []
    exporter.drain(over: 0) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
}

/// Points that formatting has broken in other programs, in two segments.
let awkward: [RecordedFix] = {
    // B035 of ../shared/corpus/bugs: carries when rounding; traps 62, 64 and 65 of tracker logs.
    let positions: [(Double, Double)] = [
        (35.533_332_5, 35.999_999_999), (-0.000_000_1, 0.000_000_1), (0, 0), (90, 179.999_999_9),
        (-90, -179.999_999_9), (1e-9, -1e-9), (47.3769, 8.5417), (59.999_999_999_6, -0.0),
    ]
    return positions.enumerated().map { index, position in
        .sample(
            Int64(index + 1), position.0, position.1, second: Double(index) + 59.9999,
            segment: index < 4 ? 1 : 2)
    }
}()

/// What a program says, or a word why it cannot be asked.
func run(_ arguments: [String], input: String, fails: Bool = false) throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("input")
    try Data(input.utf8).write(to: file)
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(
        decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus != 127 else { return nil }
    try #require((process.terminationStatus != 0) == fails, "\(arguments): \(complaint)")
    return text
}

/// Whether a program is there; its absence fails where everything must be.
func isInstalled(_ program: String) -> Bool {
    let found = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    if !found {
        print("skipped: no \(program)")
        if ProcessInfo.processInfo.environment["CI"] == "true" {
            Issue.record("\(program) is not installed")
        }
    }
    return found
}
