import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Rows "bad input" of the daemon's contract: what is wrong with a log or the command line.
@Suite struct BadInputTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ name: String) -> String {
        folder.url.appending(path: name).path
    }

    private func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: folder.url.appending(path: name))
        return path(name)
    }

    private func replay(_ log: String, _ more: String...) throws -> Program {
        try Program("tracklogd", ["--replay", log, "--database", path("track.db")] + more)
    }

    /// A message for a person: one line, in which all the `words` are.
    private func expectOneLine(_ text: String, _ words: String...) {
        #expect(text.hasSuffix("\n"))
        #expect(text.dropLast().contains("\n") == false, "\(text)")
        for word in words { #expect(text.contains(word), "no '\(word)' in: \(text)") }
    }

    @Test func `a log that is not there ends with EX_NOINPUT and its name`() throws {
        let run = try replay(path("none.nmea"))
        #expect(run.status == EX_NOINPUT)
        expectOneLine(run.errors, path("none.nmea"), "No such file")
        #expect(!FileManager.default.fileExists(atPath: path("track.db")))
    }

    @Test func `a directory is no log`() throws {
        let run = try replay(folder.url.path)
        #expect(run.status == EX_NOINPUT)
        expectOneLine(run.errors, folder.url.path, "irectory")
    }

    @Test func `a log without permission ends with EX_NOINPUT and the reason`() throws {
        let log = try write("$GPRMC\r\n", "secret.nmea")
        chmod(log, 0)
        chmod(folder.url.path, 0o777)
        let run =
            geteuid() == 0
            ? try Program.unprivileged(
                "tracklogd", ["--replay", log, "--database", path("track.db")], in: folder)
            : try replay(log)
        #expect(run.status == EX_NOINPUT)
        expectOneLine(run.errors, log, "ermission denied")
    }

    @Test func `an empty log is no error and a warning`() throws {
        let run = try replay(try write("", "empty.nmea"))
        #expect(run.status == 0)
        #expect(run.errors.contains(path("empty.nmea")), "\(run.errors)")
    }

    @Test func `a log without a fix says what was in it`() throws {
        // Sentences of a u-blox receiver without a sky; the last one's checksum is wrong by one.
        let log = try write(
            """
            $GPRMC,110324.00,V,,,,,,,220226,,,N*7E\r
            $GPGGA,110324.00,,,,,0,00,99.99,,,,,,*63\r
            $GPGLL,,,,,110324.00,V,N*4E\r\n
            """, "nosky.nmea")
        let run = try replay(log)
        #expect(run.status == 0)
        #expect(run.errors.contains("no fix"), "\(run.errors)")
        #expect(run.errors.contains("lines=3"), "\(run.errors)")
        #expect(run.errors.contains("bad_checksums=1"), "\(run.errors)")
    }

    @Test(arguments: [
        (
            "trip.gpx",
            "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"x\"><trk/></gpx>\n", "GPX"
        ),
        ("page.html", "<!DOCTYPE html>\n<html><body>hello</body></html>\n", "HTML"),
        ("prose.txt", "Dear diary, today we drove to the sea and back again.\n", "text"),
    ])
    func `what is no receiver log ends with EX_DATAERR and what it looks like`(
        name: String, content: String, kind: String
    ) throws {
        let run = try replay(try write(content, name))
        #expect(run.status == EX_DATAERR)
        expectOneLine(run.errors, path(name))
        #expect(run.errors.lowercased().contains(kind.lowercased()), "\(run.errors)")
    }

    @Test func `an unknown option ends with EX_USAGE and the nearest one`() throws {
        let run = try Program("tracklogd", ["--repaly", "x"])
        #expect(run.status == EX_USAGE)
        #expect(run.errors.contains("--repaly"))
        #expect(run.errors.contains("--replay"))
    }

    @Test func `a bad value ends with EX_USAGE and names its option`() throws {
        let run = try replay(Fixture.drive.path, "--speed", "quick")
        #expect(run.status == EX_USAGE)
        #expect(run.errors.contains("--speed") && run.errors.contains("quick"), "\(run.errors)")
    }
}

extension Program {
    /// Runs a copy of a program as a user without rights; only root can.
    static func unprivileged(
        _ tool: String, _ arguments: [String], in folder: TemporaryFolder
    ) throws -> Program {
        let copy = folder.url.appending(path: tool)
        if !FileManager.default.fileExists(atPath: copy.path) {
            // Not by ourselves: a child that another test forks meanwhile would hold the copy open.
            _ = try Program("/bin/cp", [Program.folder.appending(path: tool).path, copy.path])
        }
        return try Program(
            "/usr/bin/setpriv",
            ["--reuid=65534", "--regid=65534", "--clear-groups", "--", copy.path] + arguments)
    }
}
