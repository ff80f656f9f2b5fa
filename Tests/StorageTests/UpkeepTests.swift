import Foundation
import GNSS
import Testing

@testable import Storage

/// What a person does to a database: copy it, look into it, check it, compact it.
@Suite struct UpkeepTests {
    /// A store that records, with some thousand durable fixes.
    private func recording(_ folder: Folder, _ count: Int = 5000) throws -> TrackStore {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<count { store.append(.sample(index)) }
        try store.commit()
        return store
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func names(_ folder: Folder) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    @Test func `a backup is the database of one moment, however much is recorded meanwhile`() throws
    {
        let folder = try Folder()
        let store = try recording(folder, 60_000)
        let copy = folder.path + "/copy.db"
        var steps = 0
        try Backup.run(from: folder.database, to: copy) { progress in
            guard progress.stage == .copying else { return }
            steps += 1
            store.append(.sample(60_000 + steps))
            #expect(throws: Never.self) { try store.commit() }
            #expect(progress.done <= progress.total)
        }
        #expect(steps > 1)
        let reader = try TrackReader(path: copy)
        #expect(try reader.all().map(\.sequence) == Array(1...60_000))
        #expect(try reader.check().isEmpty)
        #expect(try TrackReader(path: folder.database).newestSequence() == 60_000 + Int64(steps))
        #expect(try mode(copy) == 0o640)
        #expect(
            try names(folder).isDisjoint(with: ["copy.db-wal", "copy.db-shm", "copy.db-journal"]))
    }

    @Test func `a backup that fails leaves the one before it`() throws {
        let folder = try Folder()
        _ = try recording(folder)
        let copy = folder.path + "/copy.db"
        try Data("before".utf8).write(to: URL(fileURLWithPath: copy))
        #expect(throws: StoreError.self) {
            try Backup.run(from: folder.path + "/none.db", to: copy) { _ in }
        }
        #expect(throws: StoreError.self) {
            try Backup.run(from: folder.database, to: folder.path) { _ in }
        }
        #expect(throws: StoreError.self) {
            try Backup.run(from: folder.database, to: folder.database) { _ in }
        }
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "before")
        #expect(try names(folder).allSatisfy { !$0.hasSuffix(".part") })
    }

    @Test func `a backup never takes the place of its database's own files`() throws {
        let folder = try Folder()
        let store = try recording(folder)
        let file = FileManager.default
        try file.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.database)
        try file.linkItem(atPath: folder.database, toPath: folder.path + "/hard")
        try file.createSymbolicLink(
            atPath: folder.path + "/log", withDestinationPath: folder.database + "-journal")
        try file.createSymbolicLink(atPath: folder.path + "/here", withDestinationPath: ".")
        let name = try #require(folder.database.split(separator: "/").last)
        let before = try names(folder)
        for target in [
            "\(name)", name + "-wal", name + "-shm", name + "-journal", name + ".lock", "link",
            "hard", "log", "here/\(name)", "here/./here/\(name)-journal",
        ] {
            #expect(throws: StoreError.self, "\(target)") {
                try Backup.run(from: folder.database, to: "\(folder.path)/\(target)") { _ in }
            }
        }
        #expect(try names(folder) == before)
        store.append(.sample(5000))
        try store.close(ending: "stopped")
        #expect(try TrackReader(path: folder.database).newestSequence() == 5001)
    }

    @Test func `what a killed vacuum left is removed by the next, another's work is not`() throws {
        let folder = try Folder()
        try recording(folder).close(ending: "stopped")
        let ended = Process()
        ended.executableURL = URL(fileURLWithPath: "/bin/true")
        try ended.run()
        ended.waitUntilExit()
        let name = try #require(folder.database.split(separator: "/").last)
        let dead = ".\(name).\(ended.processIdentifier).part"
        // The parent lives as long as the test.
        let others = [
            ".\(name).\(getppid()).part", ".other.\(ended.processIdentifier).part",
            ".\(name).x.part",
        ]
        for left in [dead, dead + "-journal"] + others {
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder.path)/\(left)"))
        }
        _ = try Vacuum.run(folder.database) { _ in }
        #expect(try names(folder).filter { $0.contains(".part") } == Set(others))
    }

    @Test func `the copy of a damaged database is refused`() throws {
        let folder = try Folder()
        try recording(folder).close(ending: "stopped")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        bytes.replaceSubrange(40 * 4096..<41 * 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: URL(fileURLWithPath: folder.database))
        let error = #expect(throws: StoreError.self) {
            try Backup.run(from: folder.database, to: folder.path + "/copy.db") { _ in }
        }
        #expect(error?.kind == .damaged)
        #expect(try names(folder).isSubset(of: ["track.db", "track.db-wal", "track.db-shm"]))
    }

    @Test func `vacuum gives unused pages back and keeps mode and rows`() throws {
        let folder = try Folder()
        try recording(folder, 20_000).close(ending: "stopped")
        do {
            let database = try Database(path: folder.database, access: .readWrite)
            try database.execute("CREATE TABLE junk (text TEXT)")
            try database.execute(
                "INSERT INTO junk SELECT hex(zeroblob(1000)) FROM fix LIMIT 2000; DROP TABLE junk")
            let error = #expect(throws: StoreError.self) {
                try Vacuum.run(folder.database) { _ in }
            }
            #expect(error?.kind == .busy, "somebody else has it open")
        }
        let before = try TrackReader(path: folder.database).all()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.database)
        let outcome = try Vacuum.run(folder.database) { _ in }
        #expect(outcome.after < outcome.before / 2)
        #expect(try mode(folder.database) == 0o600)
        let reader = try TrackReader(path: folder.database)
        #expect(try reader.all() == before)
        #expect(try reader.info().freeBytes == 0)
        #expect(try TrackStore(path: folder.database).durableSequence == 20_000)
    }

    @Test func `vacuum waits for nobody: a store that records keeps the file`() throws {
        let folder = try Folder()
        let store = try recording(folder)
        let error = #expect(throws: StoreError.self) { try Vacuum.run(folder.database) { _ in } }
        #expect(error?.kind == .locked(pid: getpid()))
        #expect(try store.commit() == 5000)
    }

    @Test func `info tells counts, times and sizes from sums`() throws {
        let folder = try Folder()
        let store = try recording(folder)
        let info = try TrackReader(path: folder.database).info()
        #expect(info.counts == store.counts)
        #expect(info.durableSequence == 5000)
        #expect(info.begin == RecordedFix.sample(0).fix.time)
        #expect(info.end == RecordedFix.sample(4999).fix.time)
        #expect(info.segments == 1)
        #expect(info.lastRun?.run == .sample)
        #expect(info.lastRun?.ended == nil)
        #expect(info.bytes + info.logBytes == store.sizeOnDisk)
        #expect(info.mode == 0o640)
        #expect(info.damaged.isEmpty)
    }

    @Test func `a check of a sound database reads every fix and finds nothing`() throws {
        let folder = try Folder()
        _ = try recording(folder)
        let found = try TrackReader(path: folder.database).checkup { _, _ in }
        #expect(found.isSound)
        #expect(found.rows == 5000)
    }

    @Test func `a check says in words which page is overwritten`() throws {
        let folder = try Folder()
        try recording(folder).close(ending: "stopped")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        bytes.replaceSubrange(40 * 4096..<41 * 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: URL(fileURLWithPath: folder.database))
        let found = try TrackReader(path: folder.database).checkup { _, _ in }
        #expect(
            found.damage.contains { $0.contains("41") && $0.contains("overwritten") },
            "\(found.damage)")
    }

    @Test func `a check finds a fix that queries would pass by`() throws {
        let folder = try Folder()
        try recording(folder).close(ending: "stopped")
        let database = try Database(path: folder.database, access: .readWrite)
        try database.execute("UPDATE fix SET lat = lat + 100000000 WHERE sequence = 2000")
        let found = try TrackReader(path: folder.database).checkup { _, _ in }
        #expect(found.damage.isEmpty)
        #expect(found.disagreements.count == 1)
        #expect(found.disagreements.first?.contains("1024 to 2047") == true)
    }
}
