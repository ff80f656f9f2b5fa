import Foundation
import GNSS
import Testing

@testable import Storage

/// B070 of ../shared/corpus/bugs: a damaged database at start leaves a recorder stuck and silent.
@Suite struct DamageTests {
    private let options: TrackStore.Options = {
        var options = TrackStore.Options()
        options.movesDamagedAside = true
        return options
    }()

    /// A sound database of some thousand fixes.
    private func sound(_ folder: Folder) throws -> Data {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<5000 { store.append(.sample(index)) }
        try store.close(ending: "stopped")
        return try Data(contentsOf: URL(fileURLWithPath: folder.database))
    }

    @Test(arguments: ["random", "half", "first page", "schema"])
    func `a damaged file is kept beside a new one that records`(kind: String) throws {
        let folder = try Folder()
        var bytes = try sound(folder)
        switch kind {
        case "random":
            var random = Seeded(9)
            bytes = Data((0..<100).map { _ in UInt8.random(in: 0...255, using: &random) })
        case "half": bytes.removeLast(bytes.count / 2)
        case "first page": bytes.replaceSubrange(0..<4096, with: Data(count: 4096))
        default: bytes.replaceSubrange(100..<4096, with: Data(repeating: 0x5A, count: 3996))
        }
        try bytes.write(to: URL(fileURLWithPath: folder.database))
        #expect(throws: StoreError.self) { try TrackStore(path: folder.database) }
        let store = try TrackStore(path: folder.database, options: options)
        let aside = folder.database + ".damaged-1"
        #expect(store.movedAside == aside)
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.commit()
        #expect(try TrackReader(path: folder.database).all().count == 1)
        #expect(try TrackReader(path: folder.database).check().isEmpty)
    }

    @Test(arguments: [
        "user_version = 540540933", "user_version = -7", "user_version = 3", "application_id = 99",
        "application_id = 0",
    ])
    func `a number in the header that cannot be ours beside our tables is damage`(number: String)
        throws
    {
        let folder = try Folder()
        _ = try sound(folder)
        let database = try Database(path: folder.database, access: .readWrite)
        try database.execute("PRAGMA journal_mode = DELETE; PRAGMA \(number)")
        #expect(throws: StoreError.self) { try TrackStore(path: folder.database) }
        let rescued = folder.path + "/rescued.db"
        _ = try Salvage.run(from: folder.database, to: rescued) { _, _ in }
        #expect(try TrackReader(path: rescued).all().count == 5000)
        let store = try TrackStore(path: folder.database, options: options)
        #expect(store.movedAside == folder.database + ".damaged-1")
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.commit()
        #expect(try TrackReader(path: folder.database).all().count == 1)
    }

    @Test func `a log of garbage is passed over, the file goes on`() throws {
        let folder = try Folder()
        _ = try sound(folder)
        try Data(repeating: 0xA5, count: 50_000).write(
            to: URL(fileURLWithPath: folder.database + "-wal"))
        let store = try TrackStore(path: folder.database, options: options)
        #expect(store.movedAside == nil)
        #expect(store.counts.kept == 5000)
    }

    @Test func `the database of another program is never moved`() throws {
        let folder = try Folder()
        try Data().write(to: URL(fileURLWithPath: folder.database))
        let other = try Database(path: folder.database, access: .readWrite)
        try other.execute("CREATE TABLE place (name TEXT)")
        #expect(throws: StoreError.self) {
            try TrackStore(path: folder.database, options: options)
        }
        #expect(FileManager.default.fileExists(atPath: folder.database))
    }

    @Test func `records that waited go to the new file with their run and correction`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database, options: options)
        store.beginRun(.sample)
        let correction = try store.correction(digest: "d", text: "t")
        store.append(.sample(0))
        try store.commit()
        let other = try Database(path: folder.database, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        store.append(.sample(1))
        #expect(throws: StoreError.self) { try store.commit() }
        #expect(store.failure?.kind == .busy)
        try other.execute("ROLLBACK")
        try Data(repeating: 1, count: 5000).write(to: URL(fileURLWithPath: folder.database))
        #expect(try store.commit() == 2)
        #expect(store.movedAside == folder.database + ".damaged-1")
        let reader = try TrackReader(path: folder.database)
        #expect(try reader.all().map(\.sequence) == [2])
        #expect(try reader.runs().map(\.id) == [1])
        #expect(try reader.correction(correction)?.digest == "d")
    }
}
