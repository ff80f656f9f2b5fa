import Foundation
import Testing

/// Logs of one drive that share a stretch of it: every fix is stored once, whatever came first.
@Suite struct OverlappingLogTests {
    let folder: TemporaryFolder
    /// The lines of each epoch of the bundled drive.
    let epochs: [Substring]
    /// What the drive gives in one piece.
    let whole: URL

    init() throws {
        folder = try TemporaryFolder()
        let text = String(decoding: try BundledDriveTests.committedLog(), as: UTF8.self)
        // Each epoch begins with the same sentence.
        let starts = text.ranges(of: "$GNRMC").map(\.lowerBound) + [text.endIndex]
        epochs = zip(starts, starts.dropFirst()).map { text[$0..<$1] }
        whole = folder.url.appending(path: "whole.db")
        try replay(write(epochs[...], "whole.nmea"), into: whole)
    }

    private func write(_ epochs: ArraySlice<Substring>..., to name: String) throws -> URL {
        let file = folder.url.appending(path: name)
        try Data(epochs.joined().joined().utf8).write(to: file)
        return file
    }

    private func write(_ epochs: ArraySlice<Substring>, _ name: String) throws -> URL {
        try write(epochs, to: name)
    }

    @discardableResult
    private func replay(_ log: URL, into database: URL) throws -> String {
        let run = try Program("tracklogd", ["--replay", log.path, "--database", database.path])
        try #require(run.status == 0, "\(run.errors)")
        return run.errors
    }

    private func database(_ name: String = "track.db") -> URL {
        folder.url.appending(path: name)
    }

    /// Every fix by its time, with the verdict on it.
    private func track(_ database: URL, _ columns: String = "time, lat, lon, kept") throws -> String
    {
        try SQLite.run("SELECT \(columns) FROM fixes ORDER BY time", on: database)
    }

    /// The longest time between two fixes of one segment, which recording order makes neighbours.
    private func longestStep(_ database: URL) throws -> Double {
        try #require(
            Double(
                try SQLite.run(
                    """
                    SELECT max(abs(strftime('%s', time) - strftime('%s', before))) FROM (SELECT time,
                    lag(time) OVER (PARTITION BY segment ORDER BY sequence) AS before FROM track)
                    """, on: database)))
    }

    @Test func `rotated logs that are replayed one by one are the track of one log`() throws {
        let parts = [epochs[..<600], epochs[600..<605], epochs[605..<2000]]
        for (index, part) in parts.enumerated() {
            try replay(write(part, "day\(index).nmea"), into: database())
        }
        try replay(write(epochs[..<2000], "all.nmea"), into: database("all.db"))
        for columns in ["time, lat, lon, kept", "time, segment"] {
            #expect(try track(database(), columns) == track(database("all.db"), columns))
        }
        #expect(try SQLite.run("SELECT * FROM gap", on: database()) == "")
    }

    @Test func `the hole between two logs has a row`() throws {
        try replay(write(epochs[..<300], "a.nmea"), into: database())
        try replay(write(epochs[900..<1200], "b.nmea"), into: database())
        let holes = try SQLite.run(
            "SELECT reason, seconds, after_sequence FROM gaps", on: database())
        #expect(holes == "no_data|601.0|300")
        #expect(try SQLite.run("SELECT count(*) FROM segments", on: database()) == "2")
    }

    @Test func `a log that overlaps the one before continues its track`() throws {
        let database = database()
        try replay(write(epochs[..<3000], "a.nmea"), into: database)
        let said = try replay(write(epochs[2000...], "b.nmea"), into: database)
        // The tunnel is in what they share.
        #expect(said.contains("fixes=5048 known=848 new=4200"), "\(said)")
        #expect(try SQLite.fixes(of: database) == SQLite.fixes(of: whole))
        let segments = "SELECT segment, time_from, time_to, fixes FROM segments"
        #expect(try SQLite.run(segments, on: database) == SQLite.run(segments, on: whole))
        let gaps = "SELECT time_from, time_to, reason FROM gaps"
        #expect(try SQLite.run(gaps, on: database) == SQLite.run(gaps, on: whole))
    }

    @Test func `the later log first gives every fix once`() throws {
        let database = database()
        try replay(write(epochs[2000...], "b.nmea"), into: database)
        try replay(write(epochs[..<3000], "a.nmea"), into: database)
        #expect(try track(database) == track(whole))
        #expect(try longestStep(database) <= 2)
    }

    @Test func `the whole drive fills what two pieces left between them`() throws {
        let database = database()
        try replay(write(epochs[500..<1000], "a.nmea"), into: database)
        try replay(write(epochs[1600..<3500], "c.nmea"), into: database)
        try replay(write(epochs[...], "all.nmea"), into: database)
        #expect(try track(database) == track(whole))
        #expect(try longestStep(database) <= 2)
    }

    @Test(arguments: [2, 5, 20])
    func `a thinned log before the full one leaves the track of the full one`(every: Int) throws {
        let database = database()
        let thin = epochs.indices.filter { $0 % every == 0 }.map { epochs[$0] }
        try replay(write(thin[...], "thin.nmea"), into: database)
        try replay(write(epochs[...], "all.nmea"), into: database)
        #expect(try track(database, "time, lat, lon") == track(whole, "time, lat, lon"))
        let way = "SELECT time_from, time_to, fixes, south, east FROM segments ORDER BY time_from"
        #expect(try SQLite.run(way, on: database) == SQLite.run(way, on: whole))
        let gaps = "SELECT time_from, time_to, reason FROM gaps"
        #expect(try SQLite.run(gaps, on: database) == SQLite.run(gaps, on: whole))
        let check = try Program("tracklog", ["db", "check", "--database", database.path])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        let before = try SQLite.content(of: database)
        try replay(write(epochs[...], "all.nmea"), into: database)
        #expect(try SQLite.content(of: database) == before)
    }

    @Test func `a thinned track that was imported before the full one counts no way twice`() throws
    {
        let track = (0...600).map { second in
            let time =
                "2024-03-05T10:\(second / 60 < 10 ? "0" : "")\(second / 60):"
                + "\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
            return "\(time),\(47 + Double(second) * 1e-4),8\n"
        }
        let (database, straight) = (database(), self.database("full.db"))
        func take(_ rows: [String], _ name: String, into database: URL) throws {
            let file = folder.url.appending(path: name)
            try Data(("time,lat,lon\n" + rows.joined()).utf8).write(to: file)
            let run = try Program("tracklog", ["import", file.path, "--database", database.path])
            try #require(run.status == 0, "\(run.errors)")
        }
        try take(track.indices.filter { $0 % 5 == 0 }.map { track[$0] }, "thin.csv", into: database)
        try take(track, "full.csv", into: database)
        try take(track, "full.csv", into: straight)
        #expect(try self.track(database) == self.track(straight))
        let way = "SELECT time_from, time_to, fixes FROM segments"
        #expect(try SQLite.run(way, on: database) == SQLite.run(way, on: straight))
        let before = try SQLite.content(of: database)
        try take(track, "full.csv", into: database)
        #expect(try SQLite.content(of: database) == before)
    }

    @Test func `a hole that a later log fills has no row any more`() throws {
        let database = database()
        try replay(write(epochs[..<600], epochs[700..<1200], to: "a.nmea"), into: database)
        #expect(try SQLite.run("SELECT count(*) FROM gaps", on: database) == "1")
        try replay(write(epochs[550..<750], "b.nmea"), into: database)
        #expect(try SQLite.run("SELECT count(*) FROM gaps", on: database) == "0")
    }

    @Test(arguments: ["abc", "acb", "bac", "bca", "cab", "cba"], [false, true])
    func `logs leave the holes between them in whatever order they come`(
        order: String, asImports: Bool
    ) throws {
        let logs: [Character: ArraySlice<Substring>] = [
            "a": epochs[..<300], "b": epochs[900..<1200], "c": epochs[1500..<1800],
        ]
        for name in order {
            let log = try write(try #require(logs[name]), "\(name).nmea")
            if asImports {
                let imports = ["import", log.path, "--database", database().path]
                #expect(try Program("tracklog", imports).status == 0)
            } else {
                try replay(log, into: database())
            }
        }
        // Of one log with all three; each fix is a second after the one before.
        try replay(
            write(epochs[..<300], epochs[900..<1200], epochs[1500..<1800], to: "all.nmea"),
            into: self.database("all.db"))
        let holes = "SELECT time_from, time_to, seconds, reason FROM gaps ORDER BY time_from"
        #expect(
            try SQLite.run(holes, on: database()) == SQLite.run(holes, on: self.database("all.db")))
        #expect(try SQLite.run("SELECT count(*) FROM gaps", on: database()) == "2")
    }

    @Test func `a log within the hole of another leaves what is left of it`() throws {
        let database = database()
        try replay(write(epochs[..<300], epochs[1500..<1800], to: "outer.nmea"), into: database)
        try replay(write(epochs[900..<1200], "inner.nmea"), into: database)
        let holes = "SELECT seconds, reason FROM gaps ORDER BY time_from"
        #expect(try SQLite.run(holes, on: database) == "601.0|no_data\n301.0|no_data")
        let before = try SQLite.content(of: database)
        try replay(write(epochs[900..<1200], "again.nmea"), into: database)
        #expect(try SQLite.content(of: database) == before)
    }

    @Test func `the same drive under other bytes adds nothing`() throws {
        let log = folder.url.appending(path: "other.nmea")
        try Data("# taken from the card\r\n\(epochs.joined())".utf8).write(to: log)
        let before = try SQLite.content(of: whole)
        let rows = "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM cycle)"
        let made = try SQLite.run(rows, on: whole)
        let said = try replay(log, into: whole)
        #expect(said.contains("known=7048 new=0 kept=0 rejected=0"), "\(said)")
        #expect(try SQLite.content(of: whole) == before)
        #expect(try SQLite.run(rows, on: whole) == made)
    }

    @Test func `a log that was cut in the middle of a line is completed by the whole one`() throws {
        let database = database()
        let log = folder.url.appending(path: "cut.nmea")
        try Data((epochs[..<1234].joined() + epochs[1234].prefix(30)).utf8).write(to: log)
        try replay(log, into: database)
        try replay(write(epochs[...], "all.nmea"), into: database)
        #expect(try track(database) == track(whole))
        #expect(
            try SQLite.run("SELECT count(*) FROM segments", on: database)
                == SQLite.run("SELECT count(*) FROM segments", on: whole))
    }

    @Test func `what was imported is not replayed again, nor the other way round`() throws {
        let database = database()
        let log = try write(epochs[1000..<3000], "a.nmea").path
        let imports = ["import", log, "--database", database.path]
        #expect(try Program("tracklog", imports).status == 0)
        let before = try SQLite.content(of: database)
        try replay(URL(filePath: log), into: database)
        #expect(try SQLite.content(of: database) == before)
        // The import read the same lines, so the rest is what the whole drive has besides.
        try replay(write(epochs[...], "all.nmea"), into: database)
        #expect(try track(database, "time, lat, lon") == track(whole, "time, lat, lon"))
        let all = try SQLite.content(of: database)
        #expect(try Program("tracklog", imports).status == 0)
        #expect(try SQLite.content(of: database) == all)
    }

    @Test func `an exported track that was imported is not replayed again`() throws {
        let gpx = folder.url.appending(path: "drive.gpx").path
        let export = try Program(
            "tracklog", ["export", "--database", whole.path, "--output", gpx])
        #expect(export.status == 0, "\(export.errors)")
        let database = database()
        let imported = try Program("tracklog", ["import", gpx, "--database", database.path])
        #expect(imported.status == 0, "\(imported.errors)")
        try replay(write(epochs[...], "again.nmea"), into: database)
        #expect(
            try SQLite.run("SELECT count(*) - count(DISTINCT time) FROM track", on: database) == "0"
        )
        #expect(try track(database, "time") == track(whole, "time"))
    }

    @Test func `a stretch that a log has twice is in the track once`() throws {
        let database = database()
        let log = try write(
            epochs[..<1500], epochs[1400..<1500], epochs[1000..<1500], epochs[1500..<2500],
            to: "twice.nmea")
        try replay(log, into: database)
        let once = self.database("once.db")
        try replay(write(epochs[..<2500], "once.nmea"), into: once)
        let track = "SELECT time, lat, lon FROM track ORDER BY sequence"
        #expect(try SQLite.run(track, on: database) == SQLite.run(track, on: once))
        let repeated = "SELECT count(*) FROM fixes WHERE reason = 'duplicate_epoch'"
        #expect(try SQLite.run(repeated, on: database) == "600")
        let imported = self.database("imported.db")
        let imports = ["import", log.path, "--database", imported.path]
        #expect(try Program("tracklog", imports).status == 0)
        #expect(try SQLite.run(track, on: imported) == SQLite.run(track, on: once))
    }
}
