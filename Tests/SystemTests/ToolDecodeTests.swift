import Foundation
import Testing

@Suite struct ToolDecodeTests {
    /// Two epochs of a made-up walk, and one of them in gpsd's JSON, an hour later.
    private static let log = """
        $GPRMC,100000.00,A,4807.038,N,01131.000,E,2.0,84.4,010526,,,A*59\r
        $GPGGA,100000.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*5C\r
        $GPRMC,100001.00,A,4807.039,N,01131.001,E,2.0,84.4,010526,,,A*58\r

        """
    private static let report = """
        {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-05-01T11:00:00.000Z","lat":48.2,"lon":11.6,"altMSL":550.0}

        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write("walk.nmea", Self.withChecksums(Self.log))
        try write("later.json", Self.report)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.url.appending(path: name))
    }

    private func decode(_ arguments: String...) throws -> Program {
        try Program("tracklog", ["decode"] + arguments, in: folder.url)
    }

    /// Sets right the two digits after each asterisk (NMEA 0183: exclusive or of what is between `$` and `*`).
    private static func withChecksums(_ log: String) -> String {
        log.split(separator: "\r\n", omittingEmptySubsequences: false).map { line in
            guard let star = line.firstIndex(of: "*") else { return String(line) }
            let sum = line[..<star].utf8.dropFirst().reduce(0, ^)
            return line[...star] + String(format: "%02X", sum)
        }.joined(separator: "\r\n")
    }

    @Test func `a log comes out as one object a fix`() throws {
        let program = try decode("walk.nmea")
        #expect(program.status == 0 && program.errors.isEmpty)
        let fixes = try program.objects()
        #expect(fixes.count == 2)
        #expect(fixes[0]["time"] as? String == "2026-05-01T10:00:00.000Z")
        // 48° 7.038' = 48.1173°; 2 kn = 1.028888… m/s.
        #expect(fixes[0]["lat"] as? Double == 48.1173)
        #expect(fixes[0]["speed"] as? Double == 1.029)
        #expect(fixes[0]["alt_msl"] as? Double == 545.4)
        #expect(fixes[0]["satellites_used"] as? Int == 8)
    }

    @Test func `several logs of both kinds are one history in the order of their times`() throws {
        let fixes = try decode("later.json", "walk.nmea").objects()
        #expect(
            fixes.map { $0["time"] as? String } == [
                "2026-05-01T10:00:00.000Z", "2026-05-01T10:00:01.000Z", "2026-05-01T11:00:00.000Z",
            ])
        #expect(fixes[2]["device"] as? String == "/dev/ttyACM0")
    }

    @Test func `gzip and standard input are read as they are`() throws {
        let plain = try decode("walk.nmea").output
        _ = try Program("/bin/gzip", ["-k", folder.url.appending(path: "walk.nmea").path])
        #expect(try decode("walk.nmea.gz").output == plain)
        let piped = try Program(
            "tracklog", ["decode", "-"], input: folder.url.appending(path: "walk.nmea.gz"))
        #expect(piped.output == plain)
    }

    @Test func `the bundled drive has the fixes of its truth, and its bad one is flagged`() throws {
        struct Truth: Decodable {
            var epochsWithFix: Int
            var badFixes: [String]
        }
        let fixtures = Program.root.appending(path: "Tests/Fixtures")
        let truth = try JSONDecoder().decode(
            Truth.self, from: Data(contentsOf: fixtures.appending(path: "drive.truth.json")))
        let drive = fixtures.appending(path: "drive.nmea.gz").path
        let fixes = try decode("--flags", drive).objects()
        #expect(fixes.count == truth.epochsWithFix)
        let flagged = fixes.filter { ($0["flags"] as? [String])?.contains("outlier") == true }
        #expect(flagged.map { $0["time"] as? String } == truth.badFixes)
        let kept = try decode("--kept", drive)
        #expect(kept.lines.count == truth.epochsWithFix - truth.badFixes.count)
    }

    @Test func `a date before the floor is moved by 1024 weeks`() throws {
        try write(
            "old.nmea",
            Self.withChecksums(
                "$GPRMC,100000.00,A,4807.038,N,01131.000,E,2.0,84.4,150906,,,A*00\r\n"))
        // 2006-09-15 + 7168 days (date -u -d '2006-09-15 7168 days').
        #expect(
            try decode("--floor", "2026-01-01", "old.nmea").objects().first?["time"] as? String
                == "2026-05-01T10:00:00.000Z")
        #expect(
            try decode("old.nmea").objects().first?["time"] as? String == "2006-09-15T10:00:00.000Z"
        )
        #expect(try decode("--floor", "soon", "old.nmea").status == 64)
    }

    @Test func `sentences without a checksum are taken as one asks for`() throws {
        try write("bare.nmea", "$GPRMC,100000.00,A,4807.038,N,01131.000,E,2.0,84.4,010526,,,A\r\n")
        #expect(try decode("bare.nmea").lines.count == 1)
        #expect(try decode("--missing-checksum", "admit", "bare.nmea").lines.count == 1)
        let refused = try decode("--missing-checksum", "refuse", "bare.nmea")
        #expect(refused.lines.isEmpty)
        #expect(
            refused.errors
                == "tracklog: bare.nmea: no fix in 1 line: 1 refused for want of a checksum\n")
    }

    @Test func `what is not there or cannot be read ends with 66 and one line`() throws {
        let missing = try decode("none.nmea")
        #expect(missing.status == 66)
        #expect(missing.errors == "tracklog: none.nmea: No such file or directory\n")
        let directory = try decode(".")
        #expect(directory.status == 66)
        #expect(directory.errors == "tracklog: .: is a directory, not a log\n")
    }

    @Test func `a log without permission ends with 66 and one line`() throws {
        let file = folder.url.appending(path: "walk.nmea")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        // Root may read everything.
        let program =
            geteuid() == 0
            ? try Program(
                "/usr/bin/setpriv",
                [
                    "--reuid", "65534", "--regid", "65534", "--clear-groups", Program.tracklog,
                    "decode", "walk.nmea",
                ],
                in: folder.url)
            : try decode("walk.nmea")
        #expect(program.status == 66)
        #expect(program.errors == "tracklog: walk.nmea: Permission denied\n")
    }

    @Test func `a log without a fix ends with 0 and says what was in it`() throws {
        try write("empty", "")
        let empty = try decode("empty")
        #expect(empty.status == 0 && empty.output.isEmpty)
        #expect(empty.errors == "tracklog: empty: is empty\n")
        try write("nofix", "$GPRMC,,V,,,,,,,,,,N*53\r\n$GPRMC,,V,,,,,,,,,,N*54\r\n")
        let none = try decode("nofix")
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(
            none.errors
                == "tracklog: nofix: no fix in 2 lines: 1 epoch without a position, 1 with a wrong checksum\n"
        )
    }

    @Test(arguments: [
        (
            "text", "Dear diary, today we went for a walk.\n",
            "plain text (--format nmea or gpsd reads it all the same)"
        ),
        ("track.gpx", "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"></gpx>\n", "a GPX file"),
        ("page", "{\"a\": 1}\n", "other JSON"),
    ])
    func `what is no log ends with 65 and says what it looks like`(
        name: String, content: String, kind: String
    ) throws {
        try write(name, content)
        let program = try decode(name)
        #expect(program.status == 65)
        #expect(
            program.errors
                == "tracklog: \(name): neither NMEA 0183 nor gpsd JSON; it looks like \(kind)\n")
    }

    @Test func `the format can be told`() throws {
        #expect(try decode("--format", "nmea", "walk.nmea").lines.count == 2)
        let wrong = try decode("--format", "nmae", "walk.nmea")
        #expect(wrong.status == 64 && wrong.errors.contains("did you mean 'nmea'?"))
    }
}
