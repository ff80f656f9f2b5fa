import Foundation
import Testing

/// What no command line may do to a database.
@Suite struct ToolSafetyTests {
    @Test(arguments: [
        ["export", "--format", "gpx"], ["export", "--format", "sqlite"],
        ["export", "--format", "html"], ["power"], ["metrics"],
        ["convert", "--from", "gcj02", "--to", "wgs84"], ["db", "backup"], ["db", "salvage"],
    ])
    func `an output is never the database or a file that belongs to it`(command: [String]) throws {
        let store = try ToolStore()
        let folder = store.folder.url
        let file = FileManager.default
        let before = try Data(contentsOf: URL(filePath: store.path))
        try file.createSymbolicLink(
            atPath: folder.appending(path: "link").path, withDestinationPath: "track.db")
        let names = try file.contentsOfDirectory(atPath: folder.path).sorted()
        for target in ["track.db", "./track.db-wal", "track.db-shm", "track.db.lock", "link"] {
            let run = try Program(
                "tracklog", command + ["-d", store.path, "-o", target], in: folder)
            #expect(run.status == EX_CANTCREAT, "\(target)")
            #expect(run.errors == "tracklog: \(target): it is the database itself\n")
        }
        #expect(try file.contentsOfDirectory(atPath: folder.path).sorted() == names)
        #expect(try Data(contentsOf: URL(filePath: store.path)) == before)
    }

    @Test(arguments: [
        ["export", "--format", "gpx"], ["export", "--format", "sqlite"],
        ["export", "--format", "svg"], ["power"], ["metrics"],
        ["convert", "--from", "gcj02", "--to", "wgs84"], ["db", "backup"], ["db", "salvage"],
    ])
    func `an output is no other database, but by those that write one, when told`(
        command: [String]
    ) throws {
        let store = try ToolStore()
        let other = store.folder.url.appending(path: "other.db")
        try Data(contentsOf: URL(filePath: store.path)).write(to: other)
        let before = try Data(contentsOf: other)
        let arguments = command + ["-d", store.path, "-o", other.path]
        let run = try Program("tracklog", arguments)
        #expect(run.status == EX_CANTCREAT, "\(run.errors)")
        #expect(run.errors.contains("is a database; name another file"), "\(run.errors)")
        #expect(try Data(contentsOf: other) == before)
        let writesOne = command[0] == "db" || command.last == "sqlite"
        let told = try Program("tracklog", arguments + ["--replace"])
        #expect(told.status == (writesOne ? 0 : EX_USAGE), "\(told.errors)")
    }

    @Test func `the database may be named by the settings or as an argument`() throws {
        let store = try ToolStore()
        let folder = store.folder.url
        let settings = folder.appending(path: "t.conf")
        try Data("[Store]\nDatabase=\(store.path)\n".utf8).write(to: settings)
        for arguments in [
            ["export", "-c", settings.path], ["metrics", "-c", settings.path],
            ["db", "backup", store.path],
        ] {
            let run = try Program("tracklog", arguments + ["-o", "track.db"], in: folder)
            #expect(run.status == EX_CANTCREAT, "\(arguments): \(run.errors)")
        }
        #expect(try store.tool("list").lines.count == 5)
    }

    @Test(arguments: [
        ["list", "-n", "1"], ["stats"], ["db", "check"], ["db", "info"],
        ["export", "--format", "csv", "--last", "1"],
    ])
    func `a sound database is read where no byte more has room`(command: [String]) throws {
        let store = try ToolStore()
        let wanted = try Program("tracklog", command + ["-d", store.path])
        try #require(wanted.status == 0)
        let tool = Program.folder.appending(path: "tracklog").path
        // A limit on the size of a file is what a quota does and needs no rights.
        let run = try Program(
            "/usr/bin/env",
            ["--ignore-signal=XFSZ", "prlimit", "--fsize=4000", "--", tool] + command + [
                "-d", store.path,
            ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == wanted.output)
    }

    @Test(arguments: ["--database", "--socket", "--config", "--replay", "--set"])
    func `the daemon takes no empty value`(option: String) throws {
        let run = try Program("tracklogd", ["--check-config", option, ""])
        #expect(run.status == EX_USAGE)
        #expect(run.errors.contains("option '\(option)' needs a value: "), "\(run.errors)")
    }
}
