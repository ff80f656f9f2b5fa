import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct SchemaTests {
    @Test func `the file says whose it is and a commit is on the medium when it returns`() throws {
        let folder = try Folder()
        _ = try TrackStore(path: folder.database)
        let database = try StoreFile.open(folder.database, TrackStore.Options())
        #expect(try database.number("PRAGMA application_id") == 0x7472_6B6C)
        #expect(try database.number("PRAGMA user_version") == 5)
        #expect(try database.number("PRAGMA page_size") == 4096)
        // 2 is FULL (SQLite, "Pragma synchronous").
        #expect(try database.number("PRAGMA synchronous") == 2)
        #expect(try database.number("PRAGMA wal_autocheckpoint") == 200)
        #expect(try database.number("PRAGMA journal_size_limit") == 2 * 200 * 4096)
        let mode = try Statement("PRAGMA journal_mode", on: database)
        #expect(try mode.step() && mode.text(0) == "wal")
    }

    @Test func `every table is strict`() throws {
        let folder = try Folder()
        _ = try TrackStore(path: folder.database)
        let database = try Database(path: folder.database, access: .readOnly)
        let tables = try Statement(
            "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
            on: database)
        var count = 0
        while try tables.step() {
            #expect(tables.number(1) == 1, "\(tables.text(0) ?? "")")
            count += 1
        }
        #expect(count == 19)
    }

    @Test func `the columns of table fix are those that every later version must read`() throws {
        let folder = try Folder()
        _ = try TrackStore(path: folder.database)
        let database = try Database(path: folder.database, access: .readOnly)
        let columns = try Statement("SELECT name FROM pragma_table_info('fix')", on: database)
        var names: [String] = []
        while try columns.step() { names.append(columns.text(0) ?? "") }
        #expect(
            names == [
                "sequence", "time", "ms_lag", "lat", "lon", "heights", "speed_course", "dop",
                "eph_epv_climb", "eps_epc_ept", "quality", "flags",
            ])
    }

    @Test func `a file and the directory made for it are closed to others`() throws {
        let folder = try Folder()
        let path = folder.path + "/a/b/track.db"
        let store = try TrackStore(path: path)
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.commit()
        func mode(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.posixPermissions] as? Int) ?? 0
        }
        // The usual umask, 022, takes nothing from either.
        #expect(try mode(path) == 0o640)
        #expect(try mode(path + "-wal") == 0o640)
        #expect(try mode(path + ".lock") == 0o640)
        #expect(try mode(folder.path + "/a/b") == 0o750)
    }

    @Test func `the views say in SQL what the reader says in Swift`() throws {
        let folder = try Folder()
        var random = Seeded(11)
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<2500 { store.append(.random(index, &random)) }
        try store.close(ending: "stopped")
        guard
            let text = try sqlite(folder.database, "SELECT * FROM fixes ORDER BY sequence")
        else { return }
        let rows = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        let view = try #require(rows)
        var query = FixQuery()
        query.keptOnly = false
        let records = try TrackReader(path: folder.database).all(query)
        #expect(view.count == records.count)
        for (row, record) in zip(view, records) { expectSame(row, record) }
    }

    @Test func `a corrected height says where its separation from the ellipsoid came from`() throws
    {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        let sources = ["grid", "table"]
        for source in sources {
            let id = try store.correction(digest: source, text: "a=b\ngeoid_source=\(source)\n")
            for separation in [nil, 47.5] {
                var record = RecordedFix.sample(Int(id))
                record.fix.altitudeMSL = 100
                record.fix.altitudeHAE = nil
                record.fix.geoidSeparation = separation
                record.corrected = CorrectedPosition(latitude: 1, longitude: 2, correction: id)
                record.corrected?.altitudeMSL = 101
                store.append(record)
            }
        }
        try store.close(ending: "stopped")
        let query = "SELECT group_concat(corrected_separation_source) AS s FROM fixes"
        guard let text = try sqlite(folder.database, query) else { return }
        #expect(text.contains("\"grid,receiver,table,receiver\""))
    }

    private func expectSame(_ row: [String: Any], _ record: RecordedFix) {
        let fix = record.fix
        func number(_ name: String, _ value: Double?) {
            let found = (row[name] as? NSNumber)?.doubleValue
            guard let found, let value else {
                #expect(found == nil && value == nil, "\(name) of \(record.sequence)")
                return
            }
            #expect(abs(found - value) <= abs(value) * 1e-14, "\(name) of \(record.sequence)")
        }
        func text(_ name: String, _ value: String?) {
            #expect(row[name] as? String == value, "\(name) of \(record.sequence)")
        }
        text("time", fix.time?.description)
        number("lat", fix.latitude)
        number("lon", fix.longitude)
        number("mode", Double(fix.mode.rawValue))
        text("status", fix.status?.name)
        number("alt_msl", fix.altitudeMSL)
        number("alt_hae", fix.altitudeHAE)
        number("geoid_separation", fix.geoidSeparation)
        number("speed", fix.speed)
        number("course", fix.course)
        number("climb", fix.climb)
        number("heading", fix.heading)
        number("eph", fix.errors.eph)
        number("epv", fix.errors.epv)
        number("eps", fix.errors.eps)
        number("epc", fix.errors.epc)
        number("ept", fix.errors.ept)
        number("hdop", fix.dop.hdop)
        number("vdop", fix.dop.vdop)
        number("pdop", fix.dop.pdop)
        number("tdop", fix.dop.tdop)
        number("gdop", fix.dop.gdop)
        number("satellites_used", fix.satellitesUsed.map(Double.init))
        number("satellites_seen", fix.satellitesSeen.map(Double.init))
        number("device", Double(fix.device))
        number("time_of_day", fix.timeOfDay.map(Double.init))
        number("received_at", Double(record.receivedAt))
        number("run", Double(record.run))
        number("segment", record.segment == 0 ? nil : Double(record.segment))
        number("kept", record.flags.isKept ? 1 : 0)
        text("reason", record.flags.reason?.names.first)
        text("flags", record.flags.names.joined(separator: " "))
        number("corrected_lat", record.corrected?.latitude)
        number("corrected_lon", record.corrected?.longitude)
        number("corrected_alt_msl", record.corrected?.altitudeMSL)
        number("corrected_alt_hae", record.corrected?.altitudeHAE)
    }

    @Test func `the other views name times and reasons in words`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(.sample(0))
        var cycle = Cycle(began: 6_500, because: "start")
        cycle.ended = 9_000
        store.record(cycle)
        store.append(
            Gap(
                after: 1, begin: UTCTime(milliseconds: -1), end: nil, duration: 1500,
                reason: .asleep))
        try store.close(ending: "stopped")
        guard
            let text = try sqlite(
                folder.database,
                """
                SELECT g.time_from, g.reason, g.seconds, c.began, r.started, r.ended, s.fixes,
                t.lat FROM gaps g, cycles c, runs r, segments s, track t
                """)
        else { return }
        let rows = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        let row = try #require(rows?.first)
        #expect(row["time_from"] as? String == "1969-12-31T23:59:59.999Z")
        #expect(row["reason"] as? String == "asleep")
        #expect(row["seconds"] as? Double == 1.5)
        // By the fix of 10:00:00 that came 3.5 s later.
        #expect(row["began"] as? String == "2026-05-01T09:59:56.500Z")
        #expect(row["started"] as? String == "2026-05-01T10:00:00.000Z")
        #expect(row["ended"] as? String == "stopped")
        #expect(row["fixes"] as? Int == 1)
        #expect(abs((row["lat"] as? Double ?? 0) - 47.3769) < 1e-12)
    }

    /// What the `sqlite3` program answers, as a person would ask it; `nil` where it is not installed.
    private func sqlite(_ path: String, _ sql: String) throws -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-json", path, sql]
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3") else {
            print("skipped: no sqlite3")
            if ProcessInfo.processInfo.environment["CI"] == "true" {
                Issue.record("sqlite3 is not installed")
            }
            return nil
        }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
