import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct MigrationTests {
    /// A database as version 1 wrote it, of fixes, gaps and cycles that this version's code put in.
    static func makeVersion1(in folder: Folder, fixes: Int = 2500) throws -> [RecordedFix] {
        let records = ForgettingTests.drive(fixes)
        let store = try ForgettingTests.store(records, in: folder)
        let last = records[fixes - 1].fix.time
        store.append(
            Gap(after: Int64(fixes), begin: last, end: nil, duration: 1000, reason: .noSky))
        try store.close(ending: "stopped")
        let database = try Database(path: folder.database, access: .readWrite)
        // What later versions added, undone: their tables and columns held nothing a fix needs.
        for view in Schema.views { try database.execute("DROP VIEW \(view.name)") }
        for table in ["store", "issued", "mark", "removal", "block", "chunk_group", "origin"] {
            try database.execute("DROP TABLE \(table)")
        }
        try database.execute(
            """
            ALTER TABLE chunk DROP COLUMN fixes; ALTER TABLE chunk DROP COLUMN kept;
            ALTER TABLE cycle DROP COLUMN lever; ALTER TABLE cycle DROP COLUMN start;
            ALTER TABLE cycle DROP COLUMN heard;
            PRAGMA user_version = 1; PRAGMA wal_checkpoint(TRUNCATE)
            """)
        return records
    }

    private func expectWhole(_ path: String, _ records: [RecordedFix]) throws {
        var query = FixQuery()
        query.keptOnly = false
        let read = try TrackReader(path: path).all(query)
        #expect(read.map(\.fix) == records.map(\.fix))
        #expect(read.map { $0.corrected?.correction } == records.map { $0.corrected?.correction })
        try Consistency.check(path, isVersion1: true)
    }

    @Test(arguments: 1..<Schema.version)
    func `a file of every earlier version is read as it is, and the same when it is brought up`(
        version: Int
    ) throws {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures")
        let file = fixtures.appendingPathComponent("schema-\(version).db")
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: file, to: URL(fileURLWithPath: folder.database))
        let reader = try TrackReader(path: folder.database)
        #expect(reader.schema == version)
        let before = try reader.all()
        // What version 4 said of its replay.
        #expect(before.count == 238)
        #expect(try reader.cycles().count == 1 && reader.segments().count == 1)
        #expect(reader.checkup { _, _ in }.isSound)
        let store = try TrackStore(path: folder.database)
        #expect(store.durableSequence == 238)
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.close(ending: "stopped")
        let after = try TrackReader(path: folder.database)
        #expect(after.schema == Schema.version)
        #expect(try Array(after.all().dropLast()) == before)
        try Consistency.check(folder.database)
    }

    @Test func `a database of version 1 is what version 1 made`() throws {
        let folder = try Folder()
        _ = try Self.makeVersion1(in: folder)
        let plain = try Folder()
        _ = FileManager.default.createFile(atPath: plain.database, contents: nil)
        let made = try Database(path: plain.database, access: .readWrite)
        try made.execute(Schema.steps[0])
        let found = try Database(path: folder.database, access: .readOnly)
        func shape(_ database: Database) throws -> [String] {
            let statement = try Statement(
                """
                SELECT t.name, c.name, c.type, c."notnull", c.pk FROM sqlite_schema t,
                pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.cid
                """, on: database)
            var lines: [String] = []
            while try statement.step() {
                lines.append((0..<5).map { statement.text($0) ?? "" }.joined(separator: " "))
            }
            return lines
        }
        #expect(try shape(found) == shape(made))
    }

    @Test func `a version 1 is read as it is, and brought up by the first who writes`() throws {
        let folder = try Folder()
        let records = try Self.makeVersion1(in: folder)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let reader = try TrackReader(path: folder.database)
        #expect(reader.schema == 1)
        #expect(try reader.marks() == [] && reader.storeID() == nil)
        #expect(try reader.counts().total == 2500)
        #expect(try reader.gaps().count == 1 && reader.segments().count == 2)
        #expect(try reader.latest()?.sequence == 2500)
        try expectWhole(folder.database, records)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 2500..<4000 { store.append(.sample(index, segment: 1)) }
        try store.close(ending: "stopped")
        try expectWhole(
            folder.database,
            records
                + (2500..<4000).map { index in
                    var record = RecordedFix.sample(index)
                    record.fix.latitude = (record.fix.latitude * 1e7).rounded() / 1e7
                    return record
                })
        #expect(try TrackReader(path: folder.database).storeID()?.count == 32)
    }

    @Test func `what version 1 summed up is removed and thinned rightly`() throws {
        let folder = try Folder()
        _ = try Self.makeVersion1(in: folder)
        let store = try TrackStore(path: folder.database)
        var scope = RemovalScope()
        scope.since = ForgettingTests.time(900)
        scope.until = ForgettingTests.time(1100)
        #expect(try ForgettingTests.forget(scope, in: store).fixes == 201)
        try store.close(ending: "stopped")
        try Consistency.check(folder.database, isVersion1: true)
    }

    @Test func `killed at any write of a migration, it is one version or the other and goes on`()
        throws
    {
        let folder = try Folder()
        let records = try Self.makeVersion1(in: folder, fixes: 300)
        let fixture = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        var killed = 0
        var versions: Set<Int> = []
        // A limit on the size of files kills (SIGXFSZ) at the first write beyond it: each KiB is another write.
        for limit in stride(from: 4, through: fixture.count / 1024 + 64, by: 4) {
            for suffix in ["-wal", "-shm", ".lock"] {
                try? FileManager.default.removeItem(atPath: folder.database + suffix)
            }
            try fixture.write(to: URL(fileURLWithPath: folder.database))
            let bench = try Bench(
                ["/bin/bash", "-c", "ulimit -c 0; ulimit -f \(limit); exec \"$0\" \"$@\""],
                [folder.database, "1", "1"])
            _ = bench.output()
            if bench.status() == 0 { continue }
            killed += 1
            let reader = try TrackReader(path: folder.database)
            versions.insert(reader.schema)
            var query = FixQuery()
            query.keptOnly = false
            #expect(try reader.all(query).prefix(300).map(\.fix) == records.map(\.fix))
            #expect(try reader.check() == [])
            let store = try TrackStore(path: folder.database)
            store.beginRun(.sample)
            store.append(.sample(5000))
            try store.close(ending: "stopped")
            #expect(try TrackReader(path: folder.database).schema == Schema.version)
            try Consistency.check(folder.database, isVersion1: true)
        }
        #expect(killed > 10)
        #expect(versions == Set(1...Schema.version))
    }
}
