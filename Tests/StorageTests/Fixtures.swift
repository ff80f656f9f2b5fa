import Foundation
import GNSS

@testable import Storage

/// A folder of its own for one test, removed with it.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tracklog-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var database: String {
        path + "/track.db"
    }
}

extension Run {
    static let sample = Run(
        bootID: "6d6ff0ea-3f5c-4a6c-9f0e-8d1c2a4b5e6f",
        started: UTCTime(milliseconds: 1_777_629_600_000),
        startedBoot: 5_000, source: "test", configuration: "c0ffee", version: "0.1.0")
}

extension RecordedFix {
    /// A kept fix `second` seconds into a drive, in segment 1.
    static func sample(
        _ second: Int, flags: FixFlags = [], segment: Int32 = 1
    ) -> RecordedFix {
        var fix = Fix(
            time: UTCTime(milliseconds: 1_777_629_600_000 + Int64(second) * 1000),
            latitude: 47.3769 + Double(second) * 1e-4, longitude: 8.5417, mode: .threeD)
        fix.altitudeMSL = 408.1
        var record = RecordedFix(fix: fix, receivedAt: 10_000 + Int64(second) * 1000, flags: flags)
        record.segment = flags.isKept ? segment : 0
        return record
    }
}

extension TrackReader {
    func all(_ query: FixQuery = FixQuery()) throws -> [RecordedFix] {
        var records: [RecordedFix] = []
        try fixes(query) {
            records.append($0)
            return true
        }
        return records
    }
}
