import Foundation
import GNSS
import Testing

@Suite struct ToolImportTests {
    private let folder: TemporaryFolder
    private var database: String { folder.url.appending(path: "new.db").path }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ name: String, _ text: String) throws -> String {
        let file = folder.url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func tool(_ arguments: String..., input: URL? = nil) throws -> Program {
        try Program("tracklog", arguments + ["--database", database], input: input)
    }

    private func places() throws -> [String] {
        try tool("list", "--all", "--json").objects().map {
            "\($0["time"] ?? "") \($0["lat"] ?? "") \($0["lon"] ?? "") \($0["segment"] ?? "")"
        }
    }

    private static let gpx = """
        <gpx><trk><trkseg>
        <trkpt lat="48.2" lon="11.5"><time>2026-05-02T10:00:00Z</time></trkpt>
        <trkpt lat="48.2001" lon="11.5"><time>2026-05-02T10:00:05Z</time></trkpt>
        </trkseg><trkseg>
        <trkpt lat="48.1" lon="11.5"><time>2026-05-01T10:00:00Z</time></trkpt>
        <trkpt lat="48.1001" lon="11.5"><time>2026-05-01T10:00:05Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    /// GPX 1.1: the points of a trkseg are connected; what lies days apart in one is not.
    @Test(arguments: [(3, 1), (30, 2)])
    func `a segment of another program is joined over a pause, not over a night`(
        hours: Int, segments: Int
    ) throws {
        func point(_ minutes: Int, _ latitude: Double) -> String {
            let time = UTCTime("2026-05-02T10:00:00Z")!
            let later = UTCTime(milliseconds: time.milliseconds + Int64(minutes) * 60_000)
            return "<trkpt lat='\(latitude)' lon='11.5'><time>\(later)</time></trkpt>"
        }
        let points = (0..<5).map { point($0, 48.2) } + (0..<5).map { point(hours * 60 + $0, 48.3) }
        let file = try write(
            "walk.gpx", "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
        let report = try #require(try tool("import", file, "--json").objects().first)
        #expect(report["kept"] as? Int == 10)
        #expect(report["segments"] as? Int == segments)
    }

    /// gpsbabel 1.8 writes each point with its time, and the path through them once more without.
    @Test func `a line without times that is drawn over a track with times is left out`() throws {
        func place(_ second: Int) -> String {
            """
            <Placemark><TimeStamp><when>2026-05-02T10:00:0\(second)Z</when></TimeStamp>
            <Point><coordinates>11.5,48.200\(second),500.0</coordinates></Point></Placemark>
            """
        }
        let path = """
            <Placemark><name>Path</name><LineString><coordinates>
            11.5,48.2001,500.0 11.5,48.2002,500.0</coordinates></LineString></Placemark>
            """
        func kml(_ body: String) -> String {
            "<kml xmlns='http://www.opengis.net/kml/2.2'><Document>\(body)</Document></kml>"
        }
        for body in [place(1) + place(2) + path, path + place(1) + place(2)] {
            let file = try write("gpsbabel.kml", kml(body))
            let first = try tool("import", file, "--json")
            let report = try #require(try first.objects().first)
            #expect(report["points"] as? Int == 2)
            #expect(try tool("list", "--all", "--json").objects().count == 2)
        }
        let said = try tool("import", try write("gpsbabel.kml", kml(place(1) + place(2) + path)))
        #expect(said.errors.contains("left out 2 points drawn twice"))
        // Elsewhere it is a line of its own.
        let elsewhere = path.replacing("11.5,", with: "11.6,")
        let both = try tool("import", try write("two.kml", kml(place(1) + elsewhere)), "--json")
        #expect(try both.objects().first?["points"] as? Int == 3)
        // Alone it is all there is.
        let alone = try tool("import", try write("line.kml", kml(path)), "--json")
        #expect(try alone.objects().first?["points"] as? Int == 2)
    }

    /// gpsbabel 1.8 with `kml,track=1` writes points with times and the tracks they are of.
    @Test func `tracks keep their segments beside points of their times`() throws {
        func time(_ second: Int) -> String { "<when>2026-05-02T10:00:\(second)Z</when>" }
        func place(_ second: Int) -> String { "11.5 48.\(second < 20 ? 2 : 3)0\(second) 500" }
        let seconds = [[10, 11, 12], [20, 21, 22]]
        let points = seconds.joined().map { second in
            "<Placemark><TimeStamp>\(time(second))</TimeStamp><Point><coordinates>"
                + place(second).replacing(" ", with: ",") + "</coordinates></Point></Placemark>"
        }
        let tracks = seconds.map { part in
            "<Placemark><gx:Track>" + part.map(time).joined()
                + part.map { "<gx:coord>\(place($0))</gx:coord>" }.joined()
                + "</gx:Track></Placemark>"
        }
        let head =
            "<kml xmlns='http://www.opengis.net/kml/2.2' xmlns:gx='http://www.google.com/kml/ext/2.2'>"
        for parts in [points + tracks, tracks + points] {
            let file = try write("both.kml", "\(head)<Document>\(parts.joined())</Document></kml>")
            try? FileManager.default.removeItem(atPath: database)
            let report = try #require(try tool("import", file, "--json").objects().first)
            #expect(report["points"] as? Int == 6 && report["kept"] as? Int == 6, "\(report)")
            #expect(report["segments"] as? Int == 2)
        }
    }

    @Test(arguments: ["gpx", "kml", "geojson", "csv", "jsonl"])
    func `an export is imported to the same track, and a second time adds nothing`(
        format: String
    ) throws {
        let store = try ToolStore()
        let file = folder.url.appending(path: "drive.\(format)").path
        #expect(try store.tool("export", "-o", file).status == 0)
        let first = try tool("import", file, "--json")
        #expect(first.status == 0 && first.errors.isEmpty, "\(first.errors)")
        let report = try #require(try first.objects().first)
        #expect(report["points"] as? Int == 4 && report["kept"] as? Int == 4)
        #expect(report["segments"] as? Int == 2)
        let expected = try store.tool("list", "--json").objects().map {
            "\($0["time"] ?? "") \($0["lat"] ?? "") \($0["lon"] ?? "") \($0["segment"] ?? "")"
        }
        #expect(try places() == expected)
        // The same content under another name, and the same points in another format.
        let other = folder.url.appending(path: "other").path
        try FileManager.default.copyItem(atPath: file, toPath: other)
        let again = folder.url.appending(path: "again.gpx").path
        #expect(try store.tool("export", "-o", again).status == 0)
        for file in [file, other, again] {
            let report = try #require(try tool("import", file, "--json").objects().first)
            #expect(report["kept"] as? Int == 0 && report["known"] as? Int == 4)
        }
        #expect(try places() == expected)
    }

    @Test(arguments: ["gpx", "geojson", "csv", "jsonl"])
    func `fixes keep their names in another database, and are known by them in their own`(
        format: String
    ) throws {
        let store = try ToolStore()
        let file = folder.url.appending(path: "drive.\(format)").path
        #expect(try store.tool("export", "-f", format, "-o", file).status == 0)
        // As a shifted export: no fix lies where it was recorded.
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("11.5"))
        try text.replacing("11.5", with: "11.6").write(
            toFile: file, atomically: true, encoding: .utf8)
        _ = try tool("import", file)
        func ids(_ program: Program) throws -> [String] {
            try program.objects().compactMap { $0["id"] as? String }
        }
        let names = try ids(store.tool("export", "-f", "jsonl"))
        #expect(names.count == 4)
        #expect(try ids(tool("export", "-f", "jsonl")) == names)
        let report = try #require(try store.tool("import", file, "--json").objects().first)
        #expect(report["kept"] as? Int == 0 && report["known"] as? Int == 4)
    }

    /// 39.90872 116.39747 is 39.9101234936 116.4037135693 in GCJ-02 by the formula of the vectors' README.
    @Test(arguments: ["gpx", "kml", "geojson"])
    func `what was exported in GCJ-02 comes back in WGS 84`(format: String) throws {
        let file = try write("trip.csv", "time,lat,lon\n2026-05-01T10:00:00Z,39.90872,116.39747\n")
        #expect(try tool("import", file).status == 0)
        let shifted = folder.url.appending(path: "shifted.\(format)").path
        #expect(try tool("export", "--crs", "gcj02", "-o", shifted).status == 0)
        #expect(try String(contentsOfFile: shifted, encoding: .utf8).contains("116.40371"))
        let second = ["--database", folder.url.appending(path: "second.db").path]
        let back = try Program("tracklog", ["import", shifted] + second)
        #expect(back.status == 0)
        #expect(back.errors.contains("gcj02 taken back to WGS 84"))
        let fix = try #require(
            try Program("tracklog", ["list", "--all", "--json"] + second).objects().first)
        #expect(abs((fix["lat"] as? Double ?? 0) - 39.90872) < 1e-8)
        #expect(abs((fix["lon"] as? Double ?? 0) - 116.39747) < 1e-8)
    }

    @Test func `lines of a file may be in any order of time`() throws {
        let file = try write("two.gpx", Self.gpx)
        let program = try tool("import", file)
        #expect(program.errors.isEmpty)
        #expect(program.lines == ["\(file): gpx, 4 points, 4 kept in 2 segments"])
        #expect(try places().map { $0.suffix(1) } == ["1", "1", "2", "2"])
    }

    @Test(arguments: ["newest first", "shuffled"])
    func `a file in no order of time gives the track it is of`(order: String) throws {
        let rows = (0..<600).map { index in
            let time = Date(timeIntervalSince1970: 1_777_629_600 + Double(index) * 5)
            return "\(time.ISO8601Format()),\(48 + Double(index) * 1e-4),11.5"
        }
        // 7 and 600 share no divisor.
        let mixed = order == "shuffled" ? (0..<600).map { rows[$0 * 7 % 600] } : rows.reversed()
        let file = try write("trip.csv", "time,lat,lon\n" + mixed.joined(separator: "\n") + "\n")
        let report = try #require(try tool("import", file, "--json").objects().first)
        #expect(report["kept"] as? Int == 600 && report["segments"] as? Int == 1)
        let latitudes = try tool("list", "--all", "--json").objects().compactMap {
            $0["lat"] as? Double
        }
        #expect(latitudes == latitudes.sorted() && latitudes.count == 600)
        #expect(try tool("import", file, "--json").objects().first?["known"] as? Int == 600)
    }

    @Test func `the same time and place in another line of a file is known already`() throws {
        let point = "<TimeStamp><when>2026-05-02T10:00:00Z</when></TimeStamp>"
        let place = "<Point><coordinates>11.5,48.2</coordinates></Point>"
        let track = """
            <Placemark><Track><when>2026-05-02T10:00:00Z</when><when>2026-05-02T10:00:01Z</when>
            <coord>11.5 48.2</coord><coord>11.5 48.2001</coord></Track></Placemark>
            """
        let start = "<Placemark><name>Start</name>\(point)\(place)</Placemark>"
        for body in [start + track, track + start, track + track] {
            let file = try write("t.kml", "<kml><Document>\(body)</Document></kml>")
            let other = folder.url.appending(path: "\(body.hashValue).db").path
            let program = try Program("tracklog", ["import", file, "--json", "--database", other])
            let report = try #require(try program.objects().first)
            #expect(report["kept"] as? Int == 2)
            // A point that labels the track is drawn, a track that is there twice is known.
            #expect(report["known"] as? Int == (body == track + track ? 2 : 0))
            #expect(report["points"] as? Int == (body == track + track ? 4 : 2))
            #expect((report["rejected"] as? [String: Any])?.isEmpty == true)
            #expect(report["segments"] as? Int == 1)
        }
    }

    @Test func `points without a time are no outliers, and their line has its length`() throws {
        // 0.01° of the equator are 1113.19 m: 6378137 m · π/180 · 0.01.
        let points = (1...5).map { "<trkpt lat=\"0\" lon=\"\(20 + Double($0) / 100)\"/>" }
        let file = try write(
            "plan.gpx", "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
        let report = try #require(try tool("import", file, "--json").objects().first)
        #expect(report["kept"] as? Int == 5)
        let sums = try #require(try tool("stats", "--json").objects().first)
        #expect(abs((sums["distance"] as? Double ?? 0) - 4452.78) < 0.01)
    }

    @Test(arguments: ["gpx", "kml", "geojson", "csv", "jsonl"])
    func `segments come back as they were, however sparse`(format: String) throws {
        // A point each ten minutes: which of them belong together only the file can say.
        let segments = [4, 1, 2, 3]
        var second = 0.0
        let text = segments.map { count in
            let points = (0..<count).map { _ in
                second += 600
                let time = Date(timeIntervalSince1970: 1_777_629_600 + second)
                return "<trkpt lat=\"\(48 + second / 1e6)\" lon=\"11.5\">"
                    + "<time>\(time.ISO8601Format())</time></trkpt>"
            }
            return "<trkseg>\(points.joined())</trkseg>"
        }
        var file = try write("sparse.gpx", "<gpx><trk>\(text.joined())</trk></gpx>")
        for round in 1...3 {
            let other = folder.url.appending(path: "\(round).db").path
            let imported = try Program("tracklog", ["import", file, "--json", "--database", other])
            #expect(try imported.objects().first?["segments"] as? Int == 4)
            let sizes = try SQLite.run("SELECT fixes FROM segments", on: URL(filePath: other))
            #expect(sizes == "4\n1\n2\n3")
            #expect(
                try SQLite.run("SELECT count(*) FROM gaps", on: URL(filePath: other)) == "3")
            file = folder.url.appending(path: "\(round).\(format)").path
            _ = try Program("tracklog", ["export", "-o", file, "--database", other])
        }
    }

    @Test func `where points came from is kept`() throws {
        _ = try tool("import", try write("two.gpx", Self.gpx))
        let url = URL(filePath: database)
        #expect(
            try SQLite.run("SELECT source, ended FROM run", on: url)
                == "import gpx \(folder.url.path)/two.gpx|stopped")
        #expect(
            try SQLite.run("SELECT kind, settings, fixes FROM source", on: url)
                == "import|import gpx|4")
    }

    @Test func `a zip archive gives the track in it`() throws {
        let store = try ToolStore()
        let kmz = folder.url.appending(path: "t.kmz").path
        #expect(try store.tool("export", "-o", kmz).status == 0)
        let own = try #require(try tool("import", kmz, "--json").objects().first)
        #expect(own["format"] as? String == "kml" && own["kept"] as? Int == 4)
        // As others pack it: stored, behind other files, and half of it.
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w") as out:
                out.writestr("readme.txt", "no track")
                out.writestr("Takeout/trip.GPX", open(sys.argv[2]).read(), int(sys.argv[3]))
            """
        for method in ["0", "8"] {
            let zip = folder.url.appending(path: "\(method).zip").path
            let packed = try Program(
                "/usr/bin/env",
                ["python3", "-c", script, zip, try write("two.gpx", Self.gpx), method])
            #expect(packed.status == 0, "\(packed.errors)")
            #expect(try tool("import", "-N", zip).lines == ["\(zip): gpx, 4 points"])
            let whole = try Data(contentsOf: URL(filePath: zip))
            let half = folder.url.appending(path: "half.zip")
            for count in stride(from: 5, to: whole.count - 1, by: 7) {
                try whole.prefix(count).write(to: half)
                let program = try tool("import", "-N", half.path)
                #expect(program.status == 65 && program.errors.hasPrefix("tracklog: \(half.path)"))
            }
        }
        let none = folder.url.appending(path: "none.zip").path
        _ = try Program(
            "/usr/bin/env",
            [
                "python3", "-c",
                "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr('a.txt', 'x')",
                none,
            ])
        #expect(try tool("import", none).errors.contains("a zip archive without a track"))
    }

    @Test func `compressed files and standard input are read, logs too`() throws {
        let drive = try tool("import", Fixture.drive.path, "--json")
        let truth = try Fixture.truth()
        #expect(try drive.objects().first?["points"] as? Int == truth.epochsWithFix)
        let piped = try tool("import", "-", "--json", input: Fixture.drive)
        #expect(try piped.objects().first?["known"] as? Int == truth.epochsWithFix)
        #expect(try piped.objects().first?["format"] as? String == "nmea")
    }

    @Test(arguments: [
        (
            "bad.gpx", "<gpx><trk><trkseg>\n<trkpt lat=\"95\" lon=\"0\"/></trkseg></trk></gpx>",
            ":2: a latitude beyond 90 degrees"
        ),
        ("bad.csv", "lat,lon\n1,2\n1,a\n", ":3: lon is no number"),
        ("text.txt", "hello", ": no track in a format that is known; it looks like plain text"),
    ])
    func `a bad file is named with its line and nothing is stored, of the good ones neither`(
        name: String, text: String, complaint: String
    ) throws {
        let good = try write("good.gpx", Self.gpx)
        let bad = try write(name, text)
        let program = try tool("import", good, bad)
        #expect(program.status == 65)
        #expect(program.errors == "tracklog: \(bad)\(complaint)\n")
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test func `a file that is not there or cut off is told`() throws {
        #expect(try tool("import", "/nonexistent.gpx").status == 66)
        #expect(try tool("import", folder.url.path).status == 66)
        let whole = try Data(contentsOf: Fixture.drive)
        let cut = folder.url.appending(path: "cut.nmea.gz")
        try whole.prefix(whole.count / 2).write(to: cut)
        let program = try tool("import", cut.path)
        #expect(program.status == 65)
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test func `a dry run stores nothing`() throws {
        let program = try tool("import", "--dry-run", try write("two.gpx", Self.gpx))
        #expect(program.status == 0)
        #expect(program.lines.first?.hasSuffix("gpx, 4 points") == true)
        #expect(!FileManager.default.fileExists(atPath: database))
    }
}
