import Foundation
import Testing

@Suite struct BundledDriveTests {
    static func committedLog() throws -> Data {
        try Program("/bin/gzip", ["-dc", Fixture.drive.path]).output
    }

    @Test func `the committed seed gives the committed drive again, byte for byte`() throws {
        let folder = try TemporaryFolder()
        let truth = folder.url.appending(path: "truth.json")
        let made = try Program(
            Program.built.appending(path: "make-drive").path,
            ["--seed", "1", "--truth", truth.path])
        #expect(made.status == 0)
        #expect(try made.output == Self.committedLog())
        #expect(
            try Data(contentsOf: truth)
                == Data(contentsOf: Fixture.folder.appending(path: "drive.truth.json")))
    }

    @Test func `another seed gives another drive of as many epochs`() throws {
        let make = Program.built.appending(path: "make-drive").path
        let first = try Program(make, ["--seed", "1", "--epochs", "50"]).output
        let second = try Program(make, ["--seed", "2", "--epochs", "50"]).output
        #expect(first != second)
        for log in [first, second] {
            #expect(String(decoding: log, as: UTF8.self).matches(of: #/\$GNRMC/#).count == 50)
        }
    }

    @Test func `the drive holds what its truth says, by the checksums of its own lines`() throws {
        let truth = try Fixture.truth()
        var damaged = 0
        var valid = 0
        let text = String(decoding: try Self.committedLog(), as: UTF8.self)
        for line in text.split(separator: "\r\n") {
            let star = try #require(line.utf8.lastIndex(of: UInt8(ascii: "*")))
            let sum = line[line.index(after: line.startIndex)..<star].utf8.reduce(0, ^)
            let written = UInt8(line[line.index(after: star)...], radix: 16)
            if sum != written { damaged += 1 }
            if line.hasPrefix("$GNRMC"), line.contains(",A,") { valid += 1 }
        }
        #expect(damaged == truth.damagedSentences.count)
        #expect(valid == truth.epochsWithFix)
        #expect(text.matches(of: #/\$GNRMC/#).count == truth.epochs)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsbabel")))
    func `gpsbabel reads the drive`() throws {
        let folder = try TemporaryFolder()
        let log = folder.url.appending(path: "drive.nmea")
        try Self.committedLog().write(to: log)
        let babel = try Program(
            "/usr/bin/gpsbabel", ["-i", "nmea", "-f", log.path, "-o", "gpx", "-F", "-"])
        #expect(babel.status == 0)
        // It leaves out epochs that a damaged sentence makes doubtful.
        let points = String(decoding: babel.output, as: UTF8.self).matches(of: #/<trkpt /#).count
        #expect((7042...7048).contains(points))
    }
}
