import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct SourceTests {
    private func tables(_ path: String) throws -> [String: Int64] {
        let database = try Database(path: path, access: .readOnly)
        var counts: [String: Int64] = [:]
        for table in ["fix", "run", "source", "segment", "gap", "cycle", "clock", "detail"] {
            counts[table] = try database.number("SELECT count(*) FROM \(table)")
        }
        return counts
    }

    @Test func `a log that was replayed is known by its settings, length and hash`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        let id = store.addSource(kind: "nmea", name: "drive.nmea", settings: "s1")
        store.append(.sample(0))
        store.updateSource(id, bytes: 100, hash: .max - 5, fixes: 1)
        try store.commit()
        store.append(.sample(1))
        store.updateSource(id, bytes: 200, hash: 7, fixes: 2)
        try store.close(ending: "stopped")
        let again = try TrackStore(path: folder.database)
        #expect(
            try again.storedSources(settings: "s1")
                == [StoredSource(id: id, bytes: 200, hash: 7, fixes: 2)])
        #expect(try again.storedSources(settings: "s2").isEmpty)
    }

    @Test func `progress is durable together with the fixes and not before`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        let id = store.addSource(kind: "nmea", name: "drive.nmea", settings: "s1")
        try store.commit()
        store.append(.sample(0))
        store.updateSource(id, bytes: 100, hash: 1, fixes: 1)
        #expect(try tables(folder.database)["fix"] == 0)
        let reader = try Database(path: folder.database, access: .readOnly)
        #expect(try reader.number("SELECT fixes FROM source") == 0)
        try store.commit()
        #expect(try reader.number("SELECT fixes FROM source") == 1)
    }

    @Test func `a run that records nothing leaves no trace`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.close(ending: "stopped")
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let again = try TrackStore(path: folder.database)
        again.beginRun(.sample)
        try again.commit()
        try again.close(ending: "stopped")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
    }

    @Test func `the same records make the same file but for its own name`() throws {
        var files: [Data] = []
        for _ in 0..<2 {
            let folder = try Folder()
            var random = Seeded(2)
            let store = try TrackStore(path: folder.database)
            store.beginRun(.sample)
            for index in 0..<3000 {
                store.append(.random(index, &random))
                if index % 100 == 99 { try store.commit() }
            }
            try store.close(ending: "stopped")
            let database = try StoreFile.open(folder.database, TrackStore.Options())
            try database.execute("UPDATE store SET id = '\(String(repeating: "0", count: 32))'")
            try database.execute("UPDATE store SET created = 1777629600")
            try database.checkpoint(truncating: true)
            files.append(try Data(contentsOf: URL(fileURLWithPath: folder.database)))
        }
        #expect(files[0] == files[1])
    }
}
