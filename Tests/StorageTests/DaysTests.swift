import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct DaysTests {
    /// What the `sqlite3` program answers with a zone in its environment; `nil` where it is not installed.
    private func days(_ path: String, zone: String) throws -> String? {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3") else {
            print("skipped: no sqlite3")
            return nil
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path, "SELECT day, time_zone, fixes FROM days"]
        process.environment = ["TZ": zone]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test(arguments: [
        ("UTC", "2026-03-28|+00:00|1\n2026-03-29|+00:00|2\n"),
        // Summer time begins in central Europe on 2026-03-29 at 01:00 UTC (2000/84/EC).
        (
            "CET-1CEST,M3.5.0,M10.5.0/3",
            "2026-03-28|+01:00|1\n2026-03-29|+01:00|1\n2026-03-30|+02:00|1\n"
        ),
        ("NST3:30", "2026-03-28|-03:30|2\n2026-03-29|-03:30|1\n"),
    ])
    func `the view counts days as the zone of who asks`(zone: String, expected: String) throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for time in ["2026-03-28T12:00:00Z", "2026-03-29T00:30:00Z", "2026-03-29T22:30:00Z"] {
            var record = RecordedFix.sample(0)
            record.fix.time = UTCTime(time)
            store.append(record)
        }
        store.append(.sample(1, flags: .outlier))
        try store.close(ending: "stopped")
        if let found = try days(folder.database, zone: zone) { #expect(found == expected) }
    }
}
