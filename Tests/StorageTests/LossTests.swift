import Foundation
import GNSS
import Testing

@testable import Storage

/// The database is removed, moved or replaced while it is recorded to.
@Suite struct LossTests {
    private let files = FileManager.default

    private func recording(_ folder: Folder) throws -> TrackStore {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.commit()
        return store
    }

    private func sequences(_ path: String) throws -> [Int64] {
        let reader = try TrackReader(path: path)
        #expect(try reader.check().isEmpty)
        return try reader.all().map(\.sequence)
    }

    @Test(arguments: [[""], ["", "-wal", "-shm", ".lock"]])
    func `after a removal what waits and what comes goes to a new file`(endings: [String]) throws {
        let folder = try Folder()
        let store = try recording(folder)
        store.append(.sample(1))
        for ending in endings { try files.removeItem(atPath: folder.database + ending) }
        #expect(!store.isInPlace)
        #expect(try store.commit() == 2)
        #expect(try sequences(folder.database) == [2])
        #expect(store.isInPlace && store.losses == 1 && store.movedAside == folder.database)
        #expect(store.counts.total == 1)
        #expect(try TrackReader(path: folder.database).all()[0].run == store.run)
        #expect(throws: StoreError.self) { try TrackStore(path: folder.database) }
        store.append(.sample(2))
        #expect(try store.commit() == 3)
        #expect(try sequences(folder.database) == [2, 3] && store.losses == 1)
        try store.acknowledgeDamage()
        #expect(store.movedAside == nil)
    }

    @Test func `a removal is noticed when nothing waits, and what is gone is not called durable`()
        throws
    {
        let folder = try Folder()
        let store = try recording(folder)
        try files.removeItem(atPath: folder.database)
        #expect(try store.commit() == 0)
        #expect(try sequences(folder.database) == [] && store.losses == 1)
    }

    @Test func `a file that was moved away is whole, the next one goes on`() throws {
        let folder = try Folder()
        let store = try recording(folder)
        let kept = folder.path + "/kept.db"
        try files.moveItem(atPath: folder.database, toPath: kept)
        store.append(.sample(1))
        #expect(try store.commit() == 2)
        #expect(try sequences(kept).contains(1))
        #expect(try sequences(folder.database) == [2])
    }

    @Test func `an older copy put in its place is gone on in`() throws {
        let folder = try Folder()
        let store = try recording(folder)
        try store.checkpoint()
        let copy = folder.path + "/copy.db"
        try files.copyItem(atPath: folder.database, toPath: copy)
        store.append(.sample(1))
        try store.commit()
        store.append(.sample(2))
        #expect(unsafe rename(copy, folder.database) == 0)
        #expect(try store.commit() == 3)
        #expect(try sequences(folder.database) == [1, 3] && store.losses == 1)
    }

    @Test(arguments: [true, false])
    func `another database in its place is refused, and what waits is kept`(isOurs: Bool) throws {
        let folder = try Folder()
        let other = try Folder()
        let store = try recording(folder)
        if isOurs {
            try recording(other).close(ending: "stopped")
        } else {
            try Data().write(to: URL(fileURLWithPath: other.database))
            try Database(path: other.database, access: .readWrite).execute("CREATE TABLE t (x)")
        }
        #expect(unsafe rename(other.database, folder.database) == 0)
        store.append(.sample(1))
        let kind = isOurs ? StoreError.Kind.cannotOpen : .foreignApplication
        for _ in 0..<2 {
            #expect { try store.commit() } throws: { ($0 as? StoreError)?.kind == kind }
            #expect(store.durableSequence == 1 && store.waiting == 1)
        }
        if isOurs { #expect(try sequences(folder.database) == [1]) }
        try files.removeItem(atPath: folder.database)
        #expect(try store.commit() == 2)
        #expect(try sequences(folder.database) == [2] && store.losses == 1)
    }
}
