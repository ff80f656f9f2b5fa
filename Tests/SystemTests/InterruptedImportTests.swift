import Foundation
import GNSS
import Testing

/// An import that was cut off and is made again.
@Suite struct InterruptedImportTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A walk in lines with pauses, a jump to and fro and repeated points.
    private func walk(_ count: Int, from first: Int = 0) -> String {
        let start = UTCTime(year: 2026, month: 5, day: 2, timeOfDay: 36_000_000)
        var text = "<gpx><trk><trkseg>"
        for index in first..<count {
            if index % 2000 == 1999 { text += "</trkseg><trkseg>" }
            let seconds = index + index / 700 * 40_000
            let time = UTCTime(milliseconds: start.milliseconds + Int64(seconds) * 1000)
            let latitude = 48 + Double(index % 997) * 1e-5 + (index % 613 == 5 ? 0.5 : 0)
            let point = "<trkpt lat='\(latitude)' lon='11.5'><time>\(time)</time></trkpt>"
            text += index % 800 == 9 ? point + point : point
        }
        return text + "</trkseg></trk></gpx>"
    }

    private func write(_ text: String) throws -> String {
        let file = folder.url.appending(path: "walk.gpx")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func database(_ name: String) -> URL { folder.url.appending(path: name) }

    private func take(_ file: String, into name: String, atMost bytes: Int? = nil) throws -> Program
    {
        let arguments = ["import", file, "--database", database(name).path]
        guard let bytes else { return try Program("tracklog", arguments) }
        // What kills it comes in the middle of a write.
        return try Program(
            "/usr/bin/env",
            [
                "--default-signal=XFSZ", "prlimit", "--fsize=\(bytes)", "--",
                Program.folder.appending(path: "tracklog").path,
            ] + arguments)
    }

    private func count(_ name: String) throws -> Int {
        Int(try SQLite.run("SELECT count(*) FROM fix", on: database(name))) ?? 0
    }

    @Test func `gives the rows, segments and holes of one that was not cut off`() throws {
        let file = try write(walk(6000))
        #expect(try take(file, into: "whole.db").status == 0)
        #expect(try take(file, into: "cut.db", atMost: 220_000).status != 0)
        let before = try count("cut.db")
        #expect((1..<6000).contains(before))
        let last = try take(file, into: "cut.db")
        #expect(last.status == 0, "\(last.errors)")
        let text = String(decoding: last.output, as: UTF8.self)
        #expect(text.contains("\(before) known already"), "\(text)")
        for rows in [
            "SELECT * FROM fix", "SELECT * FROM detail", "SELECT * FROM segments",
            "SELECT after_sequence, time_from, time_to, duration, reason FROM gap",
        ] {
            #expect(
                try SQLite.run(rows, on: database("cut.db"))
                    == SQLite.run(rows, on: database("whole.db")), "\(rows)")
        }
        #expect(try count("cut.db") == count("whole.db"))
    }

    @Test func `takes what is new of a file that has changed since`() throws {
        #expect(try take(write(walk(6000)), into: "cut.db", atMost: 220_000).status != 0)
        let before = try count("cut.db")
        let changed = try write(walk(6000, from: 100))
        #expect(try take(changed, into: "cut.db").status == 0)
        #expect(try take(write(walk(6000)), into: "cut.db").status == 0)
        #expect(try take(write(walk(6000)), into: "whole.db").status == 0)
        #expect(before < 6000)
        let times = "SELECT DISTINCT time, lat FROM fixes ORDER BY time, lat"
        #expect(
            try SQLite.run(times, on: database("cut.db"))
                == SQLite.run(times, on: database("whole.db")))
        let twice = "SELECT count(*) - count(DISTINCT time || lat) FROM track"
        #expect(try SQLite.run(twice, on: database("cut.db")) == "0")
    }
}
