import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Rows "bad input" of the daemon's contract: what is wrong with a database.
@Suite struct BadDatabaseTests {
    let folder: TemporaryFolder
    let database: URL

    init() throws {
        folder = try TemporaryFolder()
        database = folder.url.appending(path: "track.db")
    }

    private func replay() throws -> Program {
        try Program("tracklogd", ["--replay", Fixture.drive.path, "--database", database.path])
    }

    /// Expects a refusal that says `words` and leaves the file as it is.
    private func expectRefusal(_ words: String..., status: Int32? = nil) throws {
        let before = try Data(contentsOf: database)
        let run = try replay()
        #expect(run.status != 0)
        if let status { #expect(run.status == status) }
        for word in [database.path] + words {
            #expect(run.errors.contains(word), "no '\(word)' in: \(run.errors)")
        }
        #expect(try Data(contentsOf: database) == before, "something was written")
    }

    @Test func `a database of a newer schema is left alone`() throws {
        #expect(try replay().status == 0)
        _ = try SQLite.run("PRAGMA user_version = 9999", on: database)
        try expectRefusal("9999", "newer")
    }

    @Test func `another program's database is left alone`() throws {
        _ = try SQLite.run(
            "PRAGMA application_id = 1196444487; CREATE TABLE features (id)", on: database)
        try expectRefusal("another program")
    }

    @Test func `a file that is no database is left alone`() throws {
        try Data(String(repeating: "no database at all. ", count: 500).utf8).write(to: database)
        try expectRefusal("not a database")
    }

    @Test func `a database that may not be written is said to be read-only`() throws {
        #expect(try replay().status == 0)
        chmod(folder.url.path, 0o755)
        chmod(database.path, 0o444)
        let arguments = ["--replay", Fixture.drive.path, "--database", database.path]
        let before = try Data(contentsOf: database)
        let log = folder.url.appending(path: "drive.nmea.gz")
        try FileManager.default.copyItem(at: Fixture.drive, to: log)
        let run =
            geteuid() == 0
            ? try Program.unprivileged(
                "tracklogd", ["--replay", log.path, "--database", database.path], in: folder)
            : try Program("tracklogd", arguments)
        #expect(run.status != 0)
        #expect(run.errors.contains(database.path), "\(run.errors)")
        #expect(run.errors.contains("read-only"), "\(run.errors)")
        #expect(try Data(contentsOf: database) == before)
    }

    @Test func `a database another tracklogd has is refused with its pid`() throws {
        let first = try RunningDaemon(in: folder)
        let run = try Program(
            "tracklogd", ["--replay", Fixture.drive.path, "--database", first.database.path])
        #expect(run.status == EX_TEMPFAIL)
        #expect(run.errors.contains(first.database.path), "\(run.errors)")
        #expect(run.errors.contains("\(first.pid)"), "\(run.errors)")
        #expect(first.end(SIGTERM) == 0)
    }

    @Test func `when the disk is full what was committed stays and the rest can be replayed`()
        throws
    {
        #expect(try replay().status == 0)
        let whole = try SQLite.fixes(of: database)
        let full = folder.url.appending(path: "full.db")
        let arguments = [
            "--replay", Fixture.drive.path, "--database", full.path, "--set",
            "Store.CommitCount=500",
        ]
        let tracklogd = Program.folder.appending(path: "tracklogd").path
        // A limit on the size of a file is what a quota does and needs no rights.
        let run = try Program(
            "/usr/bin/env",
            ["--default-signal=XFSZ", "prlimit", "--fsize=150000", "--", tracklogd] + arguments)
        #expect(run.status == EX_IOERR)
        #expect(run.errors.contains(full.path), "\(run.errors)")
        #expect(try SQLite.run("PRAGMA integrity_check", on: full) == "ok")
        let kept = try #require(Int(try SQLite.run("SELECT count(*) FROM fix", on: full)))
        #expect((1..<7048).contains(kept))
        #expect(
            run.errors.contains("replay not stored to its end")
                && run.errors.contains("known=0 stored=\(kept) not_stored="), "\(run.errors)")
        #expect(try Program("tracklogd", arguments).status == 0)
        #expect(try SQLite.fixes(of: full) == whole)
    }

    @Test(.enabled(if: geteuid() == 0, "skipped: mounting needs root"))
    func `a full file system is survived as a limit is`() throws {
        #expect(try replay().status == 0)
        let whole = try SQLite.fixes(of: database)
        let tracklogd = Program.folder.appending(path: "tracklogd").path
        // A mount of its own, in a namespace that goes away with the shell.
        let script = """
            mount -t tmpfs -o size=300k none "$1" && cd "$1" || exit 99
            "$2" --replay "$3" --database full.db --set Store.CommitCount=500; echo "status $?"
            mount -o remount,size=20m "$1"
            sqlite3 full.db 'PRAGMA integrity_check; SELECT count(*) > 0 FROM fix'
            "$2" --replay "$3" --database full.db; echo "status $?"
            sqlite3 full.db 'VACUUM INTO "'"$4"'"'
            """
        let mount = folder.url.appending(path: "mount")
        let copy = folder.url.appending(path: "copy.db")
        try FileManager.default.createDirectory(at: mount, withIntermediateDirectories: true)
        let run = try Program(
            "/usr/bin/unshare",
            ["-m", "sh", "-c", script, "sh", mount.path, tracklogd, Fixture.drive.path, copy.path])
        let said = String(decoding: run.output, as: UTF8.self)
        #expect(said == "status \(EX_IOERR)\nok\n1\nstatus 0\n", "\(run.errors)")
        #expect(try SQLite.fixes(of: copy) == whole)
    }
}
