import Foundation
import GNSS
import Testing

/// The shared corpus of logs and tracks, where it is.
enum Corpus {
    /// The files of a folder with that ending; none, said or recorded as a failure, without a corpus.
    static func files(_ folder: String, ending: String) -> [URL] {
        let environment = ProcessInfo.processInfo.environment
        let root = URL(fileURLWithPath: environment["TRACKLOG_CORPUS"] ?? "../shared/corpus")
        let found = try? FileManager.default.contentsOfDirectory(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        guard let found else {
            if environment["CI"] == "true" { Issue.record("no corpus") }
            print("skipped: no corpus")
            return []
        }
        return found.filter { $0.path.hasSuffix(ending) }.sorted { $0.path < $1.path }
    }

    /// Fixes as an independent decoder read them (`*.expect.jsonl`).
    static func expectedFixes(_ file: URL) throws -> [Fix] {
        var devices: [String] = []
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let record = try #require(object as? [String: Any])
            let time = (record["time"] as? String).flatMap { UTCTime($0) }
            var fix = Fix(
                time: time, latitude: record["lat"] as? Double ?? .nan,
                longitude: record["lon"] as? Double ?? .nan,
                mode: record["mode"] as? Int == 2 ? .twoD : .threeD)
            fix.altitudeMSL = record["alt_msl"] as? Double
            fix.speed = record["speed"] as? Double
            fix.course = record["track"] as? Double
            if let device = record["device"] as? String {
                if !devices.contains(device) { devices.append(device) }
                fix.device = UInt8(devices.firstIndex(of: device) ?? 0)
            }
            if time == nil, let text = record["tod"] as? String {
                let parts = text.split(separator: ":").compactMap { Double($0) }
                if parts.count == 3 {
                    fix.timeOfDay = Int32(
                        ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000)
                }
            }
            return fix
        }
    }

    /// The points of a recorded track (`tracks/*.csv`).
    static func track(_ file: URL) throws -> [Fix] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map {
            let cells = $0.split(separator: ",", omittingEmptySubsequences: false)
            let seconds = try #require(Double(cells[0]))
            var fix = Fix(
                time: UTCTime(milliseconds: Int64((seconds * 1000).rounded())),
                latitude: try #require(Double(cells[1])),
                longitude: try #require(Double(cells[2])), mode: .threeD)
            fix.altitudeMSL = Double(cells[3])
            fix.speed = Double(cells[4])
            fix.course = Double(cells[5])
            return fix
        }
    }
}
