import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct SocketAndSignalTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a second daemon on the socket says the pid of the first and tries again later`()
        throws
    {
        let first = try RunningDaemon(in: folder)
        let second = try Program(
            "tracklogd",
            [
                "--replay", Fixture.drive.path, "--speed", "1", "--socket", first.socket.path,
                "--database", folder.url.appending(path: "second.db").path,
            ])
        #expect(second.status == EX_TEMPFAIL)
        #expect(second.errors.contains("\(first.pid)"), "\(second.errors)")
        #expect(try Program("tracklog", ["--socket", first.socket.path, "status"]).status == 0)
        #expect(first.end(SIGTERM) == 0)
    }

    @Test func `a socket file that a killed daemon left is replaced`() throws {
        let killed = try RunningDaemon(in: folder)
        #expect(killed.end(SIGKILL) == -SIGKILL)
        #expect(FileManager.default.fileExists(atPath: killed.socket.path))
        let next = try RunningDaemon(in: folder)
        #expect(next.socket == killed.socket)
        #expect(try Program("tracklog", ["--socket", next.socket.path, "status"]).status == 0)
        #expect(next.end(SIGTERM) == 0)
        #expect(!FileManager.default.fileExists(atPath: next.socket.path))
    }

    @Test func `a file on the socket's path that is no socket is never deleted`() throws {
        let path = folder.url.appending(path: "letter")
        try Data("dear".utf8).write(to: path)
        let run = try Program(
            "tracklogd",
            [
                "--replay", Fixture.drive.path, "--speed", "1", "--socket", path.path,
                "--database", folder.url.appending(path: "t.db").path,
            ])
        #expect(run.status != 0)
        #expect(run.errors.contains(path.path), "\(run.errors)")
        #expect(try Data(contentsOf: path) == Data("dear".utf8))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal to end commits what was decoded and exits with 0`(signal: Int32) throws {
        let daemon = try RunningDaemon(in: folder, ["--speed", "3600"])
        // The tenth fix has come when `watch` shows it.
        let watch = try Program(
            "/bin/sh",
            [
                "-c", "\"$1\" --socket \"$2\" watch | head -n 10", "sh",
                Program.folder.appending(path: "tracklog").path, daemon.socket.path,
            ])
        #expect(watch.output.split(separator: UInt8(ascii: "\n")).count == 10)
        #expect(daemon.end(signal) == 0)
        #expect(try SQLite.run("PRAGMA integrity_check", on: daemon.database) == "ok")
        let count = try SQLite.run("SELECT count(*) FROM fix", on: daemon.database)
        #expect(try #require(Int(count)) >= 5, "\(daemon.said)")
        #expect(
            try SQLite.run("SELECT count(*) FROM runs WHERE ended = 'running'", on: daemon.database)
                == "0")
        // The rest of the log goes in as if nothing had happened.
        let arguments = ["--replay", Fixture.drive.path, "--database"]
        let whole = folder.url.appending(path: "whole.db")
        #expect(try Program("tracklogd", arguments + [daemon.database.path]).status == 0)
        #expect(try Program("tracklogd", arguments + [whole.path]).status == 0)
        #expect(try SQLite.fixes(of: daemon.database) == SQLite.fixes(of: whole))
    }
}
