import Foundation
import GNSS
import Testing

@testable import Storage

/// What is said of a file before and while it is recorded into.
@Suite struct OpeningTests {
    private let live: TrackStore.Options = {
        var options = TrackStore.Options()
        options.movesDamagedAside = true
        options.outlivesFailures = true
        return options
    }()

    private func overwrite(_ path: String, _ wanted: (Data, Int) -> Bool) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for page in 1..<bytes.count / 4096 where wanted(bytes, page * 4096) {
            bytes.replaceSubrange(
                page * 4096..<page * 4096 + 4096, with: Data(repeating: 0x5A, count: 4096))
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    private func record(_ folder: Folder, _ count: Int = 5000) throws {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<count { store.append(.sample(index)) }
        try store.close(ending: "stopped")
    }

    @Test func `a link to elsewhere is followed and said, and guarded by the same lock`() throws {
        let folder = try Folder()
        let real = folder.path + "/real.db"
        try Data().write(to: URL(fileURLWithPath: real))
        try FileManager.default.createSymbolicLink(
            atPath: folder.database, withDestinationPath: real)
        let store = try TrackStore(path: folder.database)
        #expect(store.remarks.contains { $0.contains("link") && $0.contains(real) })
        #expect(store.path == real)
        #expect(throws: StoreError.self) { try TrackStore(path: real) }
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.commit()
        #expect(try TrackReader(path: real).all().count == 1)
    }

    @Test func `a link to where nothing is yet makes the file there, never a missing directory`()
        throws
    {
        let folder = try Folder()
        let away = folder.path + "/away"
        try FileManager.default.createDirectory(atPath: away, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/near.db", withDestinationPath: "away/real.db")
        let store = try TrackStore(path: folder.path + "/near.db")
        #expect(store.path == folder.path + "/away/real.db")
        #expect(store.remarks.contains { $0.contains("link") })
        #expect(FileManager.default.fileExists(atPath: away + "/real.db"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/lost.db", withDestinationPath: "card/track.db")
        let error = #expect(throws: StoreError.self) {
            try TrackStore(path: folder.path + "/lost.db", options: live)
        }
        #expect(error?.description.contains("card/track.db, whose directory is not there") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/card"))
        // A link that leads to itself.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/loop.db", withDestinationPath: "loop.db")
        #expect(throws: StoreError.self) { try TrackStore(path: folder.path + "/loop.db") }
    }

    @Test func `a database that has another name elsewhere says so`() throws {
        let folder = try Folder()
        #expect(try TrackStore(path: folder.database).remarks.isEmpty)
        let elsewhere = try Folder()
        try FileManager.default.linkItem(atPath: folder.database, toPath: elsewhere.database)
        let remark = try #require(try TrackStore(path: folder.database).remarks.first)
        #expect(remark.contains("2 names"))
    }

    @Test func `a file that others may read is said, one of our own mode is not`() throws {
        let folder = try Folder()
        try record(folder, 1)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o750], ofItemAtPath: folder.path)
        #expect(try TrackStore(path: folder.database).remarks.isEmpty)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: folder.database)
        #expect(try TrackStore(path: folder.database).remarks.contains { $0.contains("0644") })
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(
            try TrackStore(path: folder.database).remarks.contains { $0.contains("by anybody") })
    }

    @Test func `damage stays said over a restart until somebody has noticed`() throws {
        let folder = try Folder()
        try record(folder)
        try overwrite(folder.database) { _, offset in offset >= 0 }
        let aside = folder.database + ".damaged-1"
        #expect(try TrackStore(path: folder.database, options: live).movedAside == aside)
        #expect(try TrackStore(path: folder.database, options: live).movedAside == aside)
        #expect(try DamageNote.acknowledge(folder.database) == aside)
        #expect(try TrackStore(path: folder.database, options: live).movedAside == nil)
        #expect(try DamageNote.acknowledge(folder.database) == nil)
        #expect(FileManager.default.fileExists(atPath: aside))
    }

    @Test func `damage that is met when the last fix is looked for does not stop the recording`()
        throws
    {
        let folder = try Folder()
        try record(folder)
        // Leaves of indexes ("Database File Format", section 1.6): those of the chunks are there.
        try overwrite(folder.database) { $0[$1] == 0x0A }
        let store = try TrackStore(path: folder.database, options: live)
        store.beginRun(.sample)
        #expect(try store.latest() == nil)
        #expect(store.movedAside == folder.database + ".damaged-1")
        store.append(.sample(0))
        #expect(try store.commit() > 0)
        #expect(try TrackReader(path: folder.database).all().count == 1)
        #expect(try TrackReader(path: folder.database).runs().count == 1)
    }

    @Test func `damage that is met when rows are written does not stop the recording`() throws {
        let folder = try Folder()
        try record(folder)
        let store = try TrackStore(path: folder.database, options: live)
        store.beginRun(.sample)
        try overwrite(folder.database) { $0[$1] == 0x0A }
        for index in 5000..<7000 { store.append(.sample(index)) }
        #expect(try store.commit() == 7000)
        #expect(store.movedAside == folder.database + ".damaged-1")
        #expect(try TrackReader(path: folder.database).all().map(\.sequence) == Array(5001...7000))
        #expect(store.failure == nil)
    }

    @Test func `a clock of 1970 dates the run and nothing else`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        var run = Run.sample
        run.started = UTCTime(milliseconds: 12_000)
        store.beginRun(run)
        store.append(.sample(0))
        try store.close(ending: "stopped")
        let reader = try TrackReader(path: folder.database)
        #expect(try reader.runs().map(\.run.started) == [UTCTime(milliseconds: 12_000)])
        #expect(try reader.all().map(\.fix.time) == [RecordedFix.sample(0).fix.time])
        #expect(try reader.info().begin == RecordedFix.sample(0).fix.time)
    }

    @Test func `a folder that is made is said, one that is there is not`() throws {
        let folder = try Folder()
        let inside = folder.path + "/a/b/track.db"
        let store = try TrackStore(path: inside)
        #expect(store.remarks.contains { $0.hasSuffix("/a/b does not exist, so it is made") })
        try store.close(ending: "stopped")
        #expect(try !TrackStore(path: inside).remarks.contains { $0.contains("is made") })
    }
}
