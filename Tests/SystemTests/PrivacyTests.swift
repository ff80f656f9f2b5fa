import Foundation
import GNSS
import Storage
import Testing

@Suite struct PrivacyTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func fixes(_ path: URL) throws -> [RecordedFix] {
        var found: [RecordedFix] = []
        try TrackReader(path: path.path).fixes(keptOnly: false) {
            found.append($0)
            return true
        }
        return found
    }

    /// Metres on a sphere of the mean radius (IUGG, 6371008.8 m): within 0.6 % of the ellipsoid.
    private func distance(_ a: Fix, _ b: Fix) -> Double {
        let north = (a.latitude - b.latitude) * .pi / 180
        let east = (a.longitude - b.longitude) * .pi / 180
        let cosines = cos(a.latitude * .pi / 180) * cos(b.latitude * .pi / 180)
        let h = pow(sin(north / 2), 2) + cosines * pow(sin(east / 2), 2)
        return 2 * 6_371_008.8 * asin(h.squareRoot())
    }

    /// Latitude and longitude of fixes as they stand in rows, found in the files of a database.
    private func found(_ fixes: [RecordedFix], in database: URL) throws -> Int {
        var pairs = Set<UInt64>()
        for record in fixes {
            let latitude = UInt32(bitPattern: Int32((record.fix.latitude * 1e7).rounded()))
            let longitude = UInt32(bitPattern: Int32((record.fix.longitude * 1e7).rounded()))
            pairs.insert(UInt64(latitude) << 32 | UInt64(longitude))
        }
        var count = 0
        for path in [database.path, database.path + "-wal"] {
            var window: UInt64 = 0
            for byte in FileManager.default.contents(atPath: path) ?? Data() {
                window = window << 8 | UInt64(byte)
                if pairs.contains(window) { count += 1 }
            }
        }
        return count
    }

    @Test func `nothing inside a zone reaches the disk, and the hole has its reason`() throws {
        let open = folder.url.appending(path: "open.db")
        let closed = folder.url.appending(path: "closed.db")
        let arguments = ["--replay", Fixture.drive.path, "--database"]
        #expect(try Program("tracklogd", arguments + [open.path]).status == 0)
        let all = try fixes(open)
        let middle = all[all.count / 2].fix
        let zone = "\(middle.latitude),\(middle.longitude),400"
        let run = try Program(
            "tracklogd", arguments + [closed.path, "--set", "Recording.NoRecordZone=\(zone)"])
        #expect(run.status == 0, "\(run.errors)")
        let recorded = try fixes(closed)
        // A fix whose error reaches into the zone is inside too: NMEA tells no error here.
        #expect(recorded.allSatisfy { distance($0.fix, middle) > 395 })
        let inside = all.filter { distance($0.fix, middle) < 395 }
        #expect(inside.count > 10)
        #expect(try found(inside, in: open) >= inside.count)
        #expect(try found(inside, in: closed) == 0)
        #expect(abs(recorded.count - all.count { distance($0.fix, middle) > 400 }) <= 4)
        let gap = try #require(
            try TrackReader(path: closed.path).gaps().first { $0.reason == .privateZone })
        #expect(gap.end != nil)
        // A second replay knows what is private, too.
        #expect(
            try Program(
                "tracklogd", arguments + [closed.path, "--set", "Recording.NoRecordZone=\(zone)"]
            ).status == 0)
        #expect(try fixes(closed).count == recorded.count)
    }

    @Test func `the socket shows neither the zone nor a position inside`() throws {
        let daemon = try RunningDaemon(
            in: folder,
            ["--speed", "1", "--set", "Recording.NoRecordZone=-28.6,127.1,2000"])
        let socket = ["--socket", daemon.socket.path]
        let watch = try Program("tracklog", socket + ["watch", "--kinds", "state", "--count", "1"])
        var status = try Program("tracklog", socket + ["status", "--json"])
        // The first fix may not have come yet.
        for _ in 0..<100 where !String(decoding: status.output, as: UTF8.self).contains("private") {
            status = try Program("tracklog", socket + ["status", "--json"])
        }
        let config = try Program("tracklog", socket + ["config", "show", "--running"])
        for text in [watch.output, status.output, config.output] {
            let text = String(decoding: text, as: UTF8.self)
            #expect(!text.contains("-28."), "\(text)")
            #expect(!text.contains("127.1"), "\(text)")
        }
        let told = String(decoding: status.output, as: UTF8.self)
        #expect(told.contains("private_zone"), "\(told)")
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `forget asks, and removes when it may`() throws {
        let database = folder.url.appending(path: "t.db")
        _ = try Program("tracklogd", ["--replay", Fixture.drive.path, "--database", database.path])
        let all = try fixes(database)
        let time = try #require(all[3000].fix.time)
        let forget = ["forget", "--database", database.path, "--since", time.description]
        let asked = try Program("tracklog", forget)
        #expect(asked.status == EX_USAGE)
        #expect(asked.errors.contains("--yes"))
        #expect(try fixes(database).count == all.count)
        let run = try Program("tracklog", forget + ["--yes"])
        #expect(run.status == 0, "\(run.errors)")
        let left = try fixes(database)
        let gone = Set(all.map(\.sequence)).subtracting(left.map(\.sequence))
        let text = String(decoding: run.output, as: UTF8.self)
        #expect(text == "\(gone.count) fixes and 0 marks are forgotten\n")
        #expect(left.allSatisfy { ($0.fix.time ?? time) < time })
        #expect(try found(all.filter { gone.contains($0.sequence) }, in: database) == 0)
        let again = try Program("tracklog", forget + ["--yes"])
        #expect(again.status == 0)
        #expect(String(decoding: again.output, as: UTF8.self).hasPrefix("nothing to forget"))
        #expect(
            try Program("tracklog", ["forget", "--database", database.path]).status == EX_USAGE)
    }

    @Test func `a stretch that ends before it begins is refused on the socket too`() throws {
        let daemon = try RunningDaemon(in: folder)
        let client = try RawClient(daemon.socket.path)
        let error = try client.error(
            "forget", #"{"since":"2026-03-02T00:00:00Z","until":"2026-03-01T00:00:00Z"}"#)
        #expect(error.code == -32602 && error.field == "params.until")
    }

    @Test func `while a daemon records, it forgets by itself`() throws {
        let daemon = try RunningDaemon(
            in: folder, ["--speed", "3600", "--set", "Store.CommitEvery=100ms"])
        let socket = ["--socket", daemon.socket.path, "--database", daemon.database.path]
        _ = try Program("tracklog", socket + ["watch", "--kinds", "fixes", "--count", "300"])
        #expect(try Program("tracklog", socket + ["flush"]).status == 0)
        let all = try fixes(daemon.database)
        let middle = all[100].fix
        let run = try Program(
            "tracklog",
            socket + ["forget", "--within", "500,\(middle.latitude),\(middle.longitude)", "--yes"])
        #expect(run.status == 0, "\(run.errors)")
        let gone = all.filter { distance($0.fix, middle) < 495 }
        #expect(gone.count > 20)
        #expect(daemon.end(SIGTERM) == 0)
        let left = try fixes(daemon.database)
        #expect(
            !left.contains { distance($0.fix, middle) < 495 && $0.sequence <= all.last!.sequence })
        #expect(left.contains { $0.sequence > all[100].sequence && distance($0.fix, middle) > 500 })
        #expect(
            try TrackReader(path: daemon.database.path).gaps().contains { $0.reason == .forgotten })
        #expect(try TrackReader(path: daemon.database.path).check() == [])
    }
}
