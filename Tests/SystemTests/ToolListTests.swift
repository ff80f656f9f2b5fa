import Foundation
import GNSS
import Storage
import Testing

@Suite struct ToolListTests {
    @Test func `list shows the kept fixes and with all the rejected ones too`() throws {
        let store = try ToolStore()
        let kept = try store.tool("list")
        #expect(kept.status == 0 && kept.errors.isEmpty)
        #expect(kept.lines.count == 5)
        #expect(kept.lines[1].contains("2026-05-01 10:00:00Z"))
        let all = try store.tool("list", "--all")
        #expect(all.lines.count == 6)
        #expect(all.lines[5].hasSuffix("outlier"))
    }

    @Test func `list gives programs one object a line with the names of the protocol`() throws {
        let objects = try ToolStore().tool("list", "--json", "--all").objects()
        #expect(objects.count == 5)
        #expect(objects[0]["time"] as? String == "2026-05-01T10:00:00.000Z")
        #expect(objects[1]["lat"] as? Double == 0.0009948)
        #expect(objects[0]["alt_msl"] as? Double == 500)
        #expect(objects.map { $0["sequence"] as? Int } == [1, 2, 3, 4, 5])
        #expect(objects.map { $0["segment"] as? Int } == [1, 1, 2, 2, nil])
        #expect(objects[4]["kept"] as? Bool == false)
        #expect(objects[4]["reason"] as? String == "outlier")
    }

    @Test(arguments: [
        (["--last", "1"], [4]), (["--segment", "1"], [1, 2]),
        (["--since", "2026-05-01 10:00:11"], [2, 3, 4]),
        (["--until", "2026-05-01T12:00:11+02:00"], [1, 2]),
        (
            [
                "--since", "2026-05-01 12:00:05", "--until", "2026-05-01 12:01:40", "--tz",
                "Europe/Berlin",
            ], [2, 3]
        ),
        (["--since", "2026-05-02"], []),
    ])
    func `list takes the part of the track that is asked for`(options: [String], wanted: [Int])
        throws
    {
        let store = try ToolStore()
        let program = try Program("tracklog", ["list", "--json", "-d", store.path] + options)
        #expect(program.status == 0)
        #expect(try program.objects().map { $0["sequence"] as? Int } == wanted)
    }

    @Test func `times are shown in the zone that is asked for`() throws {
        let store = try ToolStore()
        #expect(
            try store.tool("list", "--tz", "+05:30").lines[1].hasPrefix("2026-05-01 15:30:00+05:30")
        )
        #expect(
            try store.tool("list", "--tz", "Europe/Berlin").lines[1].hasPrefix(
                "2026-05-01 12:00:00+02:00"))
    }

    @Test func `stats sums up in metres and seconds`() throws {
        let sums = try #require(
            try ToolStore(fixes: 101, every: 1).tool("stats", "--json").objects().first)
        let distance = try #require(sums["distance"] as? Double)
        #expect(abs(distance - 2000) < 20)
        #expect(sums["kept"] as? Int == 202)
        #expect(sums["rejected"] as? [String: Int] == ["outlier": 1])
        #expect(sums["duration"] as? Double == 289)
        #expect(abs(try #require(sums["moving_time"] as? Double) - 200) < 0.1)
        #expect(sums["segments"] as? Int == 2)
        let gaps = try #require(sums["gaps"] as? [[String: Any]])
        #expect(gaps.map { $0["reason"] as? String } == ["no_sky"])
        #expect(gaps.map { $0["duration"] as? Double } == [89])
    }

    @Test(arguments: [
        // 2 km are 1.2427 international miles and 1.0799 nautical miles; 10 m/s are 36 km/h, 22.4 mph, 19.4 kn.
        ("metric", "2.0", "km", "36.0 km/h", "500 m"),
        ("imperial", "1.2", "mi", "22.4 mph", "1640 ft"),
        ("nautical", "1.0", "nmi", "19.4 kn", "500 m"),
    ])
    func `people are told in the units they ask for`(
        units: String, way: String, unit: String, speed: String, height: String
    ) throws {
        let store = try ToolStore(fixes: 101, every: 1)
        let stats = try store.tool("stats", "--units", units)
        let line = try #require(stats.lines.first { $0.hasPrefix("Distance") })
        #expect(line.hasPrefix("Distance   \(way)") && line.contains(" \(unit) in 2 segments"))
        #expect(stats.lines.contains { $0.hasSuffix("top \(speed)") })
        #expect(try store.tool("list", "--units", units).lines[1].contains(" \(height) "))
    }

    @Test(arguments: [
        ("2026-05-01 10:00:05", "recorded, in segment 1:"),
        (
            "2026-05-01 10:00:30",
            "not recorded: the receiver had no fix; the hole lasted 1 min 29 s"
        ),
        ("2026-04-01", "not recorded: before the first fix"),
        ("2026-06-01", "not recorded: after the last fix; 'tracklog status' says what is now"),
    ])
    func `why says whether a time was recorded and if not the reason`(time: String, answer: String)
        throws
    {
        let program = try ToolStore().tool("why", time)
        #expect(program.status == 0)
        #expect(program.lines.first == answer)
    }

    @Test func `why counts what was rejected after the last kept fix`() throws {
        let store = try ToolStore()
        let answer = try #require(try store.tool("why", "--json", "2026-06-01").objects().first)
        #expect(answer["recorded"] as? Bool == false)
        #expect(answer["rejected"] as? [String: Int] == ["outlier": 1])
        let reasons = try #require(answer["reasons"] as? [[String: Any]])
        #expect(reasons.map { $0["detail"] as? String } == ["outlier"])
        #expect(reasons.map { $0["count"] as? Int } == [1])
        #expect(try store.tool("why", "whenever").status == 64)
    }

    // POSIX locales that write 1,5 or turn i into a dotless one when capitalised; Debian may not have them all.
    @Test(arguments: ["de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8", "C"])
    func `the same bytes come out in every locale`(locale: String) throws {
        let store = try ToolStore()
        for command in ["list", "stats", "export --format gpx", "export --format csv"] {
            let arguments = command.split(separator: " ").map(String.init) + ["-d", store.path]
            let plain = try Program("tracklog", arguments)
            let other = try Program(
                "/usr/bin/env", ["LC_ALL=\(locale)", Program.tracklog] + arguments)
            #expect(other.status == 0 && other.output == plain.output)
        }
    }

    @Test func `positions are shown in the system that is asked for`() throws {
        let store = try ToolStore()
        let first = try #require(try store.tool("list", "--json", "--crs", "gcj02").objects().first)
        #expect(first["crs"] as? String == "gcj02")
        // Outside China nothing is shifted.
        #expect(first["crs_lon"] as? Double == 11.5)
        #expect(try store.tool("list", "--json").objects().first?["crs"] == nil)
    }

    @Test func `colour is for terminals unless it is asked for`() throws {
        let store = try ToolStore()
        #expect(!(try store.tool("stats").output.contains(0x1B)))
        #expect(try store.tool("stats", "--color", "always").output.contains(0x1B))
    }

    @Test func `a database that cannot be shown is told by its path and reason`() throws {
        let folder = try TemporaryFolder()
        func run(_ name: String) throws -> Program {
            try Program("tracklog", ["list", "--database", name], in: folder.url)
        }
        let missing = try run("none.db")
        #expect(missing.status == 66)
        #expect(missing.errors == "tracklog: none.db: cannot open: no such file\n")
        #expect(try run(".").status == 66)

        try Data("hello, this is text\n".utf8).write(to: folder.url.appending(path: "text.db"))
        let text = try run("text.db")
        #expect(text.status == 65)
        #expect(text.errors == "tracklog: text.db: not a database; nothing was written to it\n")

        let foreign = folder.url.appending(path: "foreign.db").path
        _ = try Program("/usr/bin/sqlite3", [foreign, "CREATE TABLE a(b)"])
        #expect(try run("foreign.db").status == 65)
        #expect(try run("foreign.db").errors.contains("another program"))

        let store = try ToolStore()
        _ = try Program("/usr/bin/sqlite3", [store.path, "PRAGMA user_version = 999"])
        let newer = try store.tool("stats")
        #expect(newer.status == 65)
        #expect(newer.errors.contains("schema 999 is newer"))
    }
    /// The equator at 11.5° E: 2.5° east of the middle of zone 32 (NGA.SIG.0012, sections 3.2 and 3.3: square Q by its
    /// easting of 778 km, row F as in even zones; RFC 5870; IARU locator of field JJ).
    @Test(arguments: [
        ("dd", "0.000000° N, 11.500000° E"), ("dm", "0° 00.0000' N, 11° 30.0000' E"),
        ("dms", "0° 00' 00.00\" N, 11° 30' 00.00\" E"), ("geo", "geo:0,11.5"),
        ("maidenhead", "JJ50sa"), ("mgrs", "32NQF"), ("utm", "32N 778"),
    ])
    func `positions are written in the form that is asked for`(form: String, text: String) throws {
        let store = try ToolStore()
        let first = try store.tool("list", "--form", form)
        #expect(first.lines.dropFirst().first?.contains(text) == true, "\(first.lines)")
        let object = try store.tool("list", "--form", form, "--json").objects().first
        #expect((object?["position"] as? String)?.hasPrefix(text) == true)
        #expect(try store.tool("list", "--form", "mgrs", "--crs", "gcj02").status == 64)
    }
}
