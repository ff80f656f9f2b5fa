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

    private func segments(_ path: String) throws -> [[Int64?]] {
        let rows = try Statement(
            "SELECT * FROM segment ORDER BY first_sequence",
            on: Database(path: path, access: .readOnly))
        var segments: [[Int64?]] = []
        while try rows.step() { segments.append((0..<10).map { rows.optional($0) }) }
        return segments
    }

    /// In three segments, rejected ones among them.
    private func record(_ second: Int) -> RecordedFix {
        let segment: Int32 = second < 40 ? 1 : second < 2100 ? 2 : 3
        return .sample(second, flags: second % 50 == 7 ? .outlier : [], segment: segment)
    }

    @Test(arguments: [1, 10, 39, 41, 1000, 1023, 1024, 1500, 2050, 2108, 2400])
    func `a track that goes on where it was cut off has the segments of one that was not`(
        cut: Int
    ) throws {
        let whole = try Folder()
        let undisturbed = try TrackStore(path: whole.database)
        undisturbed.beginRun(.sample)
        for second in 0..<2500 { undisturbed.append(record(second)) }
        try undisturbed.close(ending: "stopped")

        let folder = try Folder()
        var store: TrackStore? = try TrackStore(path: folder.database)
        store?.beginRun(.sample)
        for second in 0..<cut { store?.append(record(second)) }
        try store?.commit()
        // What a kill leaves: an open segment, a run without an end.
        store = nil
        let again = try TrackStore(path: folder.database)
        again.beginRun(.sample)
        let last = try #require((0..<cut).last { record($0).flags.isKept })
        let taken = try again.takeUp(after: record(last).fix, segment: record(last).segment)
        #expect(taken == Int64(last) + 1)
        for second in cut..<2500 {
            again.append(record(second))
            // Killed once more, soon after.
            guard second == cut + 3 else { continue }
            try again.commit()
            try Consistency.check(folder.database)
        }
        try again.close(ending: "stopped")
        #expect(try segments(folder.database) == segments(whole.database))
        try Consistency.check(folder.database)
    }

    @Test func `a segment that something else was recorded after stays ended`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in 0..<10 { store.append(.sample(second)) }
        try store.close(ending: "stopped")
        let again = try TrackStore(path: folder.database)
        again.beginRun(.sample)
        #expect(try again.takeUp(after: RecordedFix.sample(8).fix, segment: 1) == nil)
        again.append(.sample(20))
        try again.commit()
        #expect(try segments(folder.database).map { $0[2] } == [1, 2])
        #expect(try again.takeUp(after: RecordedFix.sample(20).fix, segment: 1) == nil)
    }

    @Test func `rows that go on among new ones are stored once, and every sum says so`() throws {
        let folder = try Folder()
        do {
            let store = try TrackStore(path: folder.database)
            store.beginRun(.sample)
            for second in stride(from: 0, through: 6000, by: 3) { store.append(.sample(second)) }
            store.append(Mark(at: .sample(30), title: "here", note: nil))
            try store.close(ending: "stopped")
        }
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in 0...6000 {
            if second % 3 == 0 {
                store.append(.sample(second), replacing: Int64(second / 3) + 1)
            } else {
                store.append(.sample(second))
            }
            if second % 1700 == 0 { try store.commit() }
        }
        try store.close(ending: "stopped")
        try Consistency.check(folder.database)
        let database = try Database(path: folder.database, access: .readOnly)
        #expect(try database.number("SELECT count(*) FROM fix") == 6001)
        #expect(try database.number("SELECT count(*) FROM segment") == 1)
        #expect(try database.number("SELECT fixes FROM segment") == 6001)
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
