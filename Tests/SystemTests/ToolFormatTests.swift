import Foundation
import GNSS
import Testing

/// Formats that are databases, archives and logs.
@Suite struct ToolFormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Fixes without what counts rows, and the holes.
    private func track(_ database: String) throws -> [String] {
        let list = try Program("tracklog", ["list", "--json", "--database", database])
        return try list.objects().map { fix in
            let names = [
                "time", "lat", "lon", "alt_msl", "alt_hae", "geoid_separation", "speed", "course",
                "mode", "hdop", "vdop", "pdop", "satellites_used", "segment",
            ]
            return names.map { "\(fix[$0] ?? "-")" }.joined(separator: " ")
        }
    }

    @Test(arguments: ["nmea", "gpsd"])
    func `a log that was exported replays into the same track`(format: String) throws {
        let first = folder.url.appending(path: "first.db").path
        let second = folder.url.appending(path: "second.db").path
        let log = folder.url.appending(path: "log.\(format)").path
        let replay = ["--replay", Fixture.drive.path, "--database", first]
        #expect(try Program("tracklogd", replay).status == 0)
        #expect(
            try Program("tracklog", ["export", "-d", first, "-f", format, "-o", log]).status == 0)
        #expect(try Program("tracklogd", ["--replay", log, "--database", second]).status == 0)
        let expected = try track(first)
        #expect(expected.count > 6000)
        let found = try track(second)
        #expect(found.count == expected.count)
        let different = zip(found, expected).filter { $0 != $1 }
        #expect(
            different.isEmpty, "\(different.count), first \(String(describing: different.first))")
    }

    @Test func `gpsbabel reads the sentences back to the same places`() throws {
        let store = try ToolStore()
        let log = folder.url.appending(path: "log.nmea").path
        #expect(try store.tool("export", "-o", log).status == 0)
        let babel = try Program(
            "/usr/bin/gpsbabel", ["-t", "-i", "nmea", "-f", log, "-o", "unicsv", "-F", "-"])
        #expect(babel.status == 0 && babel.lines.count == 5, "\(babel.errors)")
    }

    @Test func `a KMZ is an archive with the KML in it`() throws {
        let store = try ToolStore(fixes: 500, every: 1)
        let file = folder.url.appending(path: "t.kmz")
        #expect(try store.tool("export", "-o", file.path).status == 0)
        let kml = try store.tool("export", "-f", "kml").output
        let script = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None and z.namelist() == ["doc.kml"]
            sys.stdout.buffer.write(z.read("doc.kml"))
            """
        let python = try Program("/usr/bin/python3", ["-c", script, file.path])
        #expect(python.status == 0, "\(python.errors)")
        #expect(python.output == kml)
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        #expect(try #require(size) < kml.count / 4)
    }

    @Test func `a copy is a database with the part that was asked for`() throws {
        let store = try ToolStore()
        let file = folder.url.appending(path: "copy.db").path
        #expect(try store.tool("export", "--format", "sqlite", "-o", file, "--all").status == 0)
        let original = try store.tool("list", "--json", "--all").objects()
        let copied = try Program("tracklog", ["list", "-d", file, "--json", "--all"]).objects()
        #expect(
            copied.map { "\($0["time"] ?? "") \($0["lat"] ?? "") \($0["flags"] ?? "")" }
                == original.map { "\($0["time"] ?? "") \($0["lat"] ?? "") \($0["flags"] ?? "")" })
        let exported = try Program("tracklog", ["export", "-d", file, "-f", "jsonl"]).objects()
        let names = try store.tool("export", "-f", "jsonl").objects().map { $0["id"] as? String }
        #expect(exported.map { $0["id"] as? String } == names && !names.contains(nil))
        let gaps = "SELECT time_from, time_to, reason FROM gap"
        let url = URL(filePath: file)
        #expect(try SQLite.run(gaps, on: url) == SQLite.run(gaps, on: URL(filePath: store.path)))
        #expect(try SQLite.run("PRAGMA integrity_check", on: url) == "ok")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["copy.db"])
        #expect(try store.tool("export", "--format", "sqlite").status == 64)
    }

    @Test func `a private zone leaves nothing within it and breaks the line`() throws {
        // 10 m/s due north from the equator: 440 m at second 44.
        let store = try ToolStore(fixes: 300, every: 1)
        let zone = "0.009,11.5,200"
        let program = try store.tool("export", "-f", "jsonl", "--privacy-zone", zone)
        #expect(program.status == 0)
        #expect(program.errors.contains("fixes in private zones left out"))
        let latitudes = try program.objects().compactMap { $0["lat"] as? Double }
        #expect(latitudes.count > 400)
        // 200 m are 0.0018087° of a meridian at the equator.
        #expect(latitudes.allSatisfy { abs($0 - 0.009) > 0.001_808 })
        let gpx = String(
            decoding: try store.tool("export", "-f", "gpx", "--privacy-zone", zone).output,
            as: UTF8.self)
        #expect(gpx.matches(of: #/<trkseg>/#).count == 3)
        let copy = folder.url.appending(path: "c.db").path
        _ = try store.tool("export", "-f", "sqlite", "-o", copy, "--privacy-zone", zone)
        let url = URL(filePath: copy)
        #expect(try SQLite.run("SELECT count(*) FROM gap WHERE reason = 9", on: url) == "1")
        #expect(try store.tool("export", "-f", "gpx", "--privacy-zone", "91,0,5").status == 64)
    }

    @Test func `a line is simplified when asked for`() throws {
        let store = try ToolStore(fixes: 300, every: 1)
        let all = try store.tool("export", "-f", "csv").lines.count
        let few = try store.tool("export", "-f", "csv", "--simplify", "5")
        #expect(all == 601 && few.lines.count == 5)
        #expect(try store.tool("export", "-f", "csv", "--simplify", "5", "--all").status == 64)
    }
}
