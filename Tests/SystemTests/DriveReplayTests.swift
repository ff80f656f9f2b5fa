import Foundation
import Testing

/// The bundled drive through the real daemon, against the truth of the generator that made it.
@Suite struct DriveReplayTests {
    let folder: TemporaryFolder
    let database: URL
    let truth: Fixture.Truth

    init() throws {
        folder = try TemporaryFolder()
        database = folder.url.appending(path: "drive.db")
        truth = try Fixture.truth()
        let run = try Program(
            "tracklogd", ["--replay", Fixture.drive.path, "--database", database.path])
        try #require(run.status == 0, "\(run.errors)")
    }

    private func number(_ sql: String) throws -> Double {
        try #require(Double(try SQLite.run(sql, on: database)))
    }

    @Test func `every epoch with a position is stored, in order, each once`() throws {
        #expect(try number("SELECT count(*) FROM fixes") == Double(truth.epochsWithFix))
        #expect(try number("SELECT count(DISTINCT time) FROM fixes") == Double(truth.epochsWithFix))
        #expect(
            try number(
                "SELECT count(*) FROM fixes a JOIN fixes b ON b.sequence = a.sequence + 1 AND b.time <= a.time"
            ) == 0)
    }

    @Test func `the fix that is kilometres off is the only one rejected, with its reason`() throws {
        let rejected = try SQLite.run("SELECT time FROM fixes WHERE NOT kept", on: database)
        #expect(rejected.split(separator: "\n").map(String.init) == truth.badFixes)
        #expect(try number("SELECT count(*) FROM fixes WHERE NOT kept AND reason IS NULL") == 0)
    }

    @Test func `the tunnel is the gap, with a reason`() throws {
        let gap = try SQLite.run("SELECT time_from, time_to, reason FROM gaps", on: database)
        #expect(gap == "2026-03-14T23:25:59.000Z|2026-03-14T23:28:32.000Z|no_sky")
        #expect(try number("SELECT seconds FROM gaps") == Double(truth.epochsWithoutFix + 1))
    }

    @Test func `the recorded path is as long as the true one`() throws {
        // Haversine over the mean radius (IUGG: 6371.0088 km), from outside of the product's geodesy;
        // receiver noise and the walk round corners are within 2 %.
        let metres = try number(
            """
            SELECT sum(2 * 6371008.8 * asin(sqrt(pow(sin(radians(lat - plat) / 2), 2)
            + cos(radians(lat)) * cos(radians(plat)) * pow(sin(radians(lon - plon) / 2), 2))))
            FROM (SELECT lat, lon, speed, lag(lat) OVER w AS plat, lag(lon) OVER w AS plon
            FROM track WINDOW w AS (ORDER BY sequence)) WHERE speed > 0.5
            """)
        #expect(abs(metres / truth.distance - 1) < 0.02, "\(metres) m of \(truth.distance) m")
        #expect(abs(try number("SELECT max(speed) FROM track") - truth.topSpeed) < 0.5)
    }

    @Test func `replaying the log again adds nothing`() throws {
        let before = try SQLite.content(of: database)
        let again = try Program(
            "tracklogd", ["--replay", Fixture.drive.path, "--database", database.path])
        #expect(again.status == 0)
        #expect(try SQLite.content(of: database) == before)
    }

    @Test func `two replays make the same rows, whatever the speed`() throws {
        let other = folder.url.appending(path: "other.db")
        let run = try Program(
            "tracklogd",
            [
                "--replay", Fixture.drive.path, "--database", other.path, "--speed", "7200",
            ])
        #expect(run.status == 0)
        #expect(try SQLite.content(of: other) == SQLite.content(of: database))
    }

    @Test func `standard input and the unpacked file give the same rows as the packed one`() throws
    {
        let log = folder.url.appending(path: "drive.nmea")
        try BundledDriveTests.committedLog().write(to: log)
        let plain = folder.url.appending(path: "plain.db")
        let piped = folder.url.appending(path: "piped.db")
        #expect(
            try Program("tracklogd", ["--replay", log.path, "--database", plain.path]).status == 0)
        #expect(
            try Program("tracklogd", ["--replay", "-", "--database", piped.path], input: log).status
                == 0)
        let right = try SQLite.content(of: database)
        #expect(try SQLite.content(of: plain) == right)
        #expect(try SQLite.content(of: piped) == right)
    }
}
