import Foundation
import GNSS
import Testing

@testable import Storage

/// No new file costs a database that is there, nor its log: SQLite knows a log by its name alone.
@Suite struct ReplacementTests {
    /// Puts a database of so many fixes there as a power cut leaves it: the last of them in its log alone.
    private func cutOff(_ path: String, _ count: Int = 3000, in folder: Folder) throws {
        let made = folder.path + "/made.db"
        let store = try TrackStore(path: made)
        store.beginRun(.sample)
        for index in 0..<count {
            store.append(.sample(index))
            if index % 100 == 99 { try store.commit() }
        }
        try store.commit()
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: made + ending, toPath: path + ending)
        }
        try store.close(ending: "stopped")
        try FileManager.default.removeItem(atPath: made)
        try #require(StoreFile.size(of: path + "-wal") > 0)
    }

    private func sequences(_ path: String) throws -> [Int64] {
        let reader = try TrackReader(path: path)
        try #require(reader.check().isEmpty)
        return try reader.all().map(\.sequence)
    }

    private func names(_ folder: Folder) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    @Test func `a vacuum keeps the fixes of a log that a power cut left, and leaves no log`() throws
    {
        let folder = try Folder()
        try cutOff(folder.database, in: folder)
        _ = try Vacuum.run(folder.database) { _ in }
        #expect(try names(folder) == ["track.db"])
        #expect(try sequences(folder.database) == Array(1...3000))
    }

    @Test func `at each step of a vacuum what is on the disk is the whole track`() throws {
        let folder = try Folder()
        try cutOff(folder.database, 20_000, in: folder)
        var steps = 0
        _ = try Vacuum.run(folder.database) { _ in
            steps += 1
            let cut = folder.path + "/cut-\(steps).db"
            for ending in ["", "-wal", "-journal"] {
                try? FileManager.default.copyItem(
                    atPath: folder.database + ending, toPath: cut + ending)
            }
            let found = try? sequences(cut)
            #expect(found == Array(1...20_000))
        }
        #expect(steps > 0)
    }

    @Test func `a checkpoint finds the log of a database that nothing was read of yet`() throws {
        let folder = try Folder()
        try cutOff(folder.database, in: folder)
        let database = try Database(path: folder.database, access: .readWrite)
        #expect(try database.checkpoint(truncating: true))
        #expect(StoreFile.size(of: folder.database + "-wal") == 0)
    }

    @Test(arguments: [false, true])
    func `a database is replaced by another only when that is wanted`(wanted: Bool) throws {
        let folder = try Folder()
        try cutOff(folder.database, 500, in: folder)
        let old = folder.path + "/old.db"
        try cutOff(old, 3000, in: folder)
        for salvages in [false, true] {
            func copy() throws {
                if salvages {
                    _ = try Salvage.run(from: folder.database, to: old, replaces: wanted) { _, _ in
                    }
                } else {
                    try Backup.run(from: folder.database, to: old, replaces: wanted) { _ in }
                }
            }
            if wanted {
                try copy()
                #expect(try sequences(old) == Array(1...500))
                #expect(StoreFile.size(of: old + "-wal") == 0)
            } else {
                let error = #expect(throws: StoreError.self) { try copy() }
                #expect(error?.kind == .occupied)
                #expect(StoreFile.size(of: old + "-wal") > 0)
            }
        }
        #expect(try sequences(old).count == (wanted ? 500 : 3000))
    }

    @Test func `no file takes the place of a database that a store records into`() throws {
        let folder = try Folder()
        let source = folder.path + "/source.db"
        try cutOff(source, in: folder)
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for content in [FilePlace.Content.database(replaces: true), .other] {
            for target in ["", "-wal", "-shm"] {
                let error = #expect(throws: StoreError.self, "\(target)") {
                    try FilePlace(folder.database + target, for: content)
                }
                #expect(error?.kind == .locked(pid: getpid()))
            }
        }
        try FileManager.default.removeItem(atPath: folder.database)
        let error = #expect(throws: StoreError.self, "it will be made again there") {
            try Backup.run(from: source, to: folder.database) { _ in }
        }
        #expect(error?.kind == .locked(pid: getpid()))
    }

    @Test func `a database that another program has open is not replaced`() throws {
        let folder = try Folder()
        let source = folder.path + "/source.db"
        try cutOff(source, 500, in: folder)
        try cutOff(folder.database, in: folder)
        do {
            let other = try TrackReader(path: folder.database)
            let error = #expect(throws: StoreError.self) {
                try Backup.run(from: source, to: folder.database, replaces: true) { _ in }
            }
            #expect(error?.kind == .busy)
            #expect(try other.newestSequence() == 3000)
        }
        #expect(try sequences(folder.database) == Array(1...3000))
    }

    @Test(arguments: ["", "-wal", "-shm", "-journal", ".lock"])
    func `what is no database never replaces one or a file of it`(ending: String) throws {
        let folder = try Folder()
        try cutOff(folder.database, in: folder)
        let error = #expect(throws: StoreError.self) {
            try FilePlace(folder.database + ending, for: .other)
        }
        #expect(error?.kind == .occupied)
    }

    @Test func `a log whose database was moved away is laid over no other`() throws {
        let folder = try Folder()
        try cutOff(folder.database, in: folder)
        let moved = folder.path + "/moved.db"
        try FileManager.default.moveItem(atPath: folder.database, toPath: moved)
        let source = folder.path + "/source.db"
        try cutOff(source, 500, in: folder)
        let error = #expect(throws: StoreError.self) {
            try Backup.run(from: source, to: folder.database) { _ in }
        }
        #expect(error?.kind == .occupied)
        #expect(error?.detail.contains("track.db-wal") == true)

        // A store that begins there keeps it under another name.
        let store = try TrackStore(path: folder.database)
        #expect(store.remarks.contains { $0.hasSuffix("track.db-wal.left-1") })
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.close(ending: "stopped")
        #expect(try sequences(folder.database) == [1])
        try FileManager.default.moveItem(
            atPath: folder.database + "-wal.left-1", toPath: moved + "-wal")
        #expect(try sequences(moved) == Array(1...3000))
    }

    @Test func `where a log cannot be read in its place the database is read with it all the same`()
        throws
    {
        let folder = try Folder()
        try cutOff(folder.database, in: folder)
        // Takes the name of the index, without which SQLite reads no log.
        let file = FileManager.default
        try file.createDirectory(
            atPath: folder.database + "-shm", withIntermediateDirectories: false)
        let before = try ["", "-wal"].map {
            try Data(contentsOf: URL(fileURLWithPath: folder.database + $0))
        }
        #expect(try sequences(folder.database) == Array(1...3000))
        let after = try ["", "-wal"].map {
            try Data(contentsOf: URL(fileURLWithPath: folder.database + $0))
        }
        #expect(after == before)

        let place = folder.path + "/place"
        try file.createDirectory(atPath: place, withIntermediateDirectories: false)
        let copy = try ReadingCopy.open(folder.database, in: [folder.path + "/none", place])
        #expect(try copy.newestSequence() == 3000)
        #expect(try file.contentsOfDirectory(atPath: place) == [])
        let error = #expect(throws: StoreError.self) {
            try ReadingCopy.open(folder.database, in: [folder.path + "/none"])
        }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.description.contains("copy \(folder.database) and") == true)
    }

    @Test func `a link leads to the log as well as to the database`() throws {
        let folder = try Folder()
        try cutOff(folder.database, in: folder)
        let file = FileManager.default
        try file.createDirectory(
            atPath: folder.path + "/elsewhere", withIntermediateDirectories: false)
        let link = folder.path + "/elsewhere/link"
        try file.createSymbolicLink(atPath: link, withDestinationPath: "../track.db")
        let rescued = folder.path + "/rescued.db"
        #expect(try Salvage.run(from: link, to: rescued) { _, _ in }.fixes == 3000)
        try file.createDirectory(
            atPath: folder.database + "-shm", withIntermediateDirectories: false)
        #expect(try sequences(link) == Array(1...3000))
    }

    @Test func `a database is not opened by a name that its log does not have`() throws {
        let folder = try Folder()
        try cutOff(folder.database, in: folder)
        let other = folder.path + "/other.db"
        try FileManager.default.linkItem(atPath: folder.database, toPath: other)
        for open in [
            { _ = try TrackReader(path: other) }, { _ = try TrackStore(path: other) },
            { _ = try Vacuum.run(other) { _ in } },
        ] as [() throws -> Void] {
            let error = #expect(throws: StoreError.self) { try open() }
            #expect(error?.detail.contains(folder.database) == true)
        }
        try TrackStore(path: folder.database).close(ending: "stopped")
        #expect(try sequences(other) == Array(1...3000))
    }

    @Test func `a file that is no database is replaced, empty logs with it`() throws {
        let folder = try Folder()
        let source = folder.path + "/source.db"
        try cutOff(source, 500, in: folder)
        for (ending, text) in [
            ("", "before"), ("-wal", ""), ("-shm", "of a program that was killed"),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.database + ending))
        }
        try Backup.run(from: source, to: folder.database) { _ in }
        #expect(!(try names(folder)).contains("track.db-shm"))
        #expect(try sequences(folder.database) == Array(1...500))
    }
}
