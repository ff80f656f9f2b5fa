import Foundation
import GNSS
import Testing

@testable import Storage

/// Each thing that is no database of ours is named, and left as it was.
@Suite struct RefusalTests {
    private func refusal(_ path: String) -> StoreError? {
        do {
            _ = try TrackStore(path: path)
            return nil
        } catch {
            return error
        }
    }

    private func expectRefused(
        _ path: String, _ kind: StoreError.Kind, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try? Data(contentsOf: URL(fileURLWithPath: path))
        let error = refusal(path)
        #expect(error?.kind == kind, sourceLocation: sourceLocation)
        #expect(error?.description.contains(path) == true, sourceLocation: sourceLocation)
        #expect(throws: StoreError.self) { try TrackReader(path: path) }
        #expect(
            (try? Data(contentsOf: URL(fileURLWithPath: path))) == before,
            sourceLocation: sourceLocation)
        let beside = try FileManager.default.contentsOfDirectory(
            atPath: (path as NSString).deletingLastPathComponent)
        #expect(beside == [(path as NSString).lastPathComponent], sourceLocation: sourceLocation)
    }

    @Test func `a directory`() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(
            atPath: folder.database, withIntermediateDirectories: false)
        try expectRefused(folder.database, .isDirectory)
    }

    @Test func `a text`() throws {
        let folder = try Folder()
        try "$GPRMC,100000.00,A,4722.614,N,00832.502,E,0.0,,010526,,,A*5C\n".write(
            toFile: folder.database, atomically: false, encoding: .ascii)
        try expectRefused(folder.database, .notADatabase)
    }

    @Test func `a hundred random bytes`() throws {
        let folder = try Folder()
        var random = Seeded(5)
        let bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.database))
        try expectRefused(folder.database, .notADatabase)
    }

    @Test func `the database of another program`() throws {
        let folder = try Folder()
        try Data().write(to: URL(fileURLWithPath: folder.database))
        let other = try Database(path: folder.database, access: .readWrite)
        try other.execute("CREATE TABLE place (name TEXT); INSERT INTO place VALUES ('home')")
        try expectRefused(folder.database, .foreignApplication)
        try other.execute("PRAGMA application_id = 1196444487")
        try expectRefused(folder.database, .foreignApplication)
    }

    @Test func `a later schema`() throws {
        let folder = try Folder()
        try TrackStore(path: folder.database).close(ending: "stopped")
        let database = try Database(path: folder.database, access: .readWrite)
        try database.execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99")
        try expectRefused(folder.database, .newerSchema(found: 99, supported: Schema.version))
    }

    @Test func `a device`() throws {
        #expect(refusal("/dev/null")?.kind == .notADatabase)
    }

    @Test func `a second writer, with the process id of the first`() throws {
        let folder = try Folder()
        var first: TrackStore? = try TrackStore(path: folder.database)
        #expect(refusal(folder.database)?.kind == .locked(pid: getpid()))
        first?.beginRun(.sample)
        first = nil
        #expect(refusal(folder.database) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.database + ".lock"))
    }

    @Test func `a file that the user may not write`() throws {
        let folder = try Folder()
        try TrackStore(path: folder.database).close(ending: "stopped")
        // Another user, who may read the file and write beside it.
        guard geteuid() == 0 else { return print("skipped: not root") }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: folder.database)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let bench = try Bench(
            ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"],
            [folder.database, "1", "1"])
        #expect(bench.output().contains("read-only"))
        #expect(bench.status() == 74)
    }

    @Test func `a reader of a file that is not there makes none`() throws {
        let folder = try Folder()
        #expect(throws: StoreError.self) { try TrackReader(path: folder.database) }
        #expect(!FileManager.default.fileExists(atPath: folder.database))
    }

    @Test func `a name with the signs of a URI is a name`() throws {
        let folder = try Folder()
        let path = folder.path + "/50%25 #1?mode=memory.db"
        try TrackStore(path: path).close(ending: "stopped")
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try TrackReader(path: path).newestSequence() == 0)
    }
}
