import Foundation
import GNSS
import Storage
import Testing

/// A small database: two segments due north over the equator at 10 m/s, a hole between them and a rejected fix.
struct ToolStore {
    let folder: TemporaryFolder
    var path: String { folder.url.appending(path: "track.db").path }

    // WGS 84 (NIMA TR8350.2): a = 6378137 m, 1/f = 298.257223563, so a degree of a meridian at the equator
    // is a(1 - e²)π/180 = 110574.3 m.
    static let metresPerDegree = 110_574.3

    /// Makes it, with that many fixes so many seconds apart in each segment.
    init(fixes: Int = 2, every interval: Int = 11) throws {
        folder = try TemporaryFolder()
        let store = try TrackStore(path: path)
        store.beginRun(
            Run(
                bootID: "boot", started: ToolStore.time(0), startedBoot: 0, source: "test",
                configuration: "0", version: "test"))
        let length = (fixes - 1) * interval
        for segment in [1, 2] {
            for index in 0..<fixes {
                let second = index * interval + (segment - 1) * (length + 89)
                var fix = Fix(
                    time: ToolStore.time(second),
                    latitude: Double(second * 10) / ToolStore.metresPerDegree, longitude: 11.5,
                    mode: .threeD)
                fix.speed = 10
                fix.course = 0
                fix.altitudeMSL = 500
                fix.satellitesUsed = 9
                var record = RecordedFix(fix: fix, receivedAt: Int64(second) * 1000, flags: [])
                record.segment = Int32(segment)
                store.append(record)
            }
        }
        let stray = Fix(
            time: ToolStore.time(2 * length + 90), latitude: 5, longitude: 5, mode: .threeD)
        store.append(RecordedFix(fix: stray, receivedAt: 0, flags: .outlier))
        store.append(
            Gap(
                after: Int64(fixes), begin: ToolStore.time(length),
                end: ToolStore.time(length + 89), duration: 89_000,
                reason: .noSky))
        try store.close(ending: "stopped")
    }

    /// 2026-05-01T10:00:00Z and that many seconds.
    static func time(_ second: Int) -> UTCTime {
        UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000 + second * 1000)
    }

    /// Runs the tool on it.
    func tool(_ arguments: String...) throws -> Program {
        try Program("tracklog", arguments + ["--database", path])
    }
}

extension Program {
    /// The lines of the output.
    var lines: [String] {
        String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The output as JSON objects, one a line.
    func objects() throws -> [[String: Any]] {
        try lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }
}
