import GNSS
import Testing

@testable import Storage

@Suite struct MarkTests {
    @Test func `a mark is read back with the place and number of its fix`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        var record = RecordedFix.sample(3)
        record.sequence = store.append(record)
        let first = store.append(Mark(at: record, title: "spring", note: "cold", photo: "a.jpg"))
        let later = UTCTime(milliseconds: 1_777_629_700_000)
        let second = store.append(Mark(at: nil, time: later, title: ""))
        try store.close(ending: "stopped")
        let reader = try TrackReader(path: folder.database)
        let marks = try reader.marks()
        #expect(marks.map(\.id) == [first, second])
        #expect(marks[0].sequence == 1)
        #expect(marks[0].time == record.fix.time)
        #expect(abs((marks[0].latitude ?? 0) - 47.3772) < 1e-9)
        #expect(marks[0].longitude == 8.5417)
        #expect(marks[0].title == "spring" && marks[0].note == "cold" && marks[0].photo == "a.jpg")
        #expect(marks[1].sequence == nil && marks[1].latitude == nil && marks[1].note == nil)
        #expect(try reader.marks(since: later).map(\.id) == [second])
        #expect(try reader.marks(until: record.fix.time).map(\.id) == [first])
    }

    @Test func `a mark that waits for a failed disk is written once`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.commit()
        let other = try Database(path: folder.database, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let id = store.append(Mark(at: .sample(0), title: "bridge"))
        #expect(throws: StoreError.self) { try store.commit() }
        try other.execute("ROLLBACK")
        try store.commit()
        try store.commit()
        #expect(try TrackReader(path: folder.database).marks().map(\.id) == [id])
    }

    @Test func `numbers go on after a restart`() throws {
        let folder = try Folder()
        for expected in [Int64(1), 2] {
            let store = try TrackStore(path: folder.database)
            store.beginRun(.sample)
            #expect(store.append(Mark(at: nil, title: "")) == expected)
            try store.close(ending: "stopped")
        }
    }
}
