import Foundation
import GNSS
import Receiver
import Testing

@Suite struct ReplayErrorTests {
    @Test func `a log that is not there ends with 66 and names the path and the reason`() {
        let error = #expect(throws: ReplayError.self) {
            try ReplaySource(paths: ["/nowhere/drive.nmea"])
        }
        #expect(error?.exitStatus == 66)
        #expect(error?.description == "/nowhere/drive.nmea: No such file or directory")
    }

    @Test func `a directory ends with 66`() {
        let error = #expect(throws: ReplayError.self) { try ReplaySource(paths: ["/tmp"]) }
        #expect(error == .directory(path: "/tmp"))
        #expect(error?.exitStatus == 66)
    }

    @Test(.enabled(if: getuid() != 0, "root may read everything"))
    func `a log that may not be read ends with 66`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("drive.json").path
            try log(0..<1).write(toFile: path, atomically: true, encoding: .utf8)
            chmod(path, 0)
            let error = #expect(throws: ReplayError.self) { try ReplaySource(paths: [path]) }
            #expect(error == .unreadable(path: path, code: EACCES))
        }
    }

    @Test func `an empty log is no error but a warning`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("drive.nmea").path
            try Data().write(to: URL(fileURLWithPath: path))
            let source = try ReplaySource(paths: [path])
            #expect(try drain(source) == [])
            #expect(source.warnings == [.empty(path: path)])
        }
    }

    @Test(arguments: [
        ("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"><trk/></gpx>", "a GPX file"),
        ("<?xml version=\"1.0\"?><kml xmlns=\"x\"></kml>", "a KML file"),
        ("SQLite format 3\u{0}\u{10}", "an SQLite database"),
        ("{\"type\":\"FeatureCollection\",\"features\":[]}", "GeoJSON"),
        ("{\"type\":\"other\"}", "other JSON"),
        ("Dear diary,\ntoday I spent $5, and $HOME, sweet home.\n", "plain text"),
        ("time,lat,lon\n2026-05-01,51.0,0.5\n", "plain text"),
        ("\u{0}\u{0}\u{0}\u{0}", "nothing but NUL bytes"),
    ])
    func `a file that is no log ends with 65 and says what it looks like`(
        content: String, name: String
    ) throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("file").path
            try content.write(toFile: path, atomically: true, encoding: .utf8)
            let error = #expect(throws: ReplayError.self) { try ReplaySource(paths: [path]) }
            #expect(error == .notALog(path: path, looksLike: name))
            #expect(error?.exitStatus == 65)
        }
    }

    @Test func `binary without sentences is told apart from text, packed or not`() throws {
        try withTemporaryFolder { folder in
            // UBX-NAV-PVT's head (u-blox interface description), again and again.
            let ubx = Data(
                [UInt8](repeating: 0, count: 4096).enumerated().map { index, _ in
                    [0xB5, 0x62, 0x01, 0x07, 0x5C, 0x00, 0x80, 0x91][index % 8]
                })
            let path = folder.appendingPathComponent("file").path
            try ubx.write(to: URL(fileURLWithPath: path))
            #expect(
                throws: ReplayError.notALog(
                    path: path,
                    looksLike: "binary u-blox (UBX) without NMEA; replay it through gpsd")
            ) { try ReplaySource(paths: [path]) }
            try gzip("plain words").write(to: URL(fileURLWithPath: path))
            #expect(throws: ReplayError.notALog(path: path, looksLike: "plain text")) {
                try ReplaySource(paths: [path])
            }
        }
    }

    @Test func `a given format is not doubted`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("file").path
            try "Dear diary".write(toFile: path, atomically: true, encoding: .utf8)
            var settings = ReplaySource.Settings()
            settings.format = .gpsd
            let source = try ReplaySource(paths: [path], settings: settings)
            #expect(try drain(source) == [])
            #expect(source.counts.noise == 10)
        }
    }

    @Test(arguments: ["boot message of a console\n", "\u{0}"])
    func `a log is known by what comes behind much else, up to a mebibyte`(filler: String) throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("file").path
            func write(_ size: Int) throws {
                let filling = String(repeating: filler, count: size / filler.utf8.count)
                try (filling + "\n" + log(0..<3)).write(
                    toFile: path, atomically: true, encoding: .utf8)
            }
            for size in [65_536, 130_000, 900_000] {
                try write(size)
                #expect(try fixes(drain(ReplaySource(paths: [path]))).count == 3, "\(size)")
            }
            try write(1_200_000)
            let error = #expect(throws: ReplayError.self) { try ReplaySource(paths: [path]) }
            #expect(
                error?.description.hasSuffix("(--format nmea or gpsd reads it all the same)")
                    == true)
        }
    }
}
