import Foundation
import Testing

@Suite struct ToolUsageTests {
    @Test(arguments: [
        (["lsit"], "tracklog: unknown command 'lsit'; did you mean 'list'?"),
        (
            ["list", "--sinec", "x"],
            "tracklog: unknown option '--sinec' of list; did you mean '--since'?"
        ),
        (["list", "--since", "yesterdy"], "tracklog: bad value 'yesterdy' for --since"),
        (["list", "--last", "0"], "tracklog: bad value '0' for --last"),
        (["list", "--units", "metrik"], "tracklog: bad value 'metrik' for --units"),
        (["list", "--tz", "Europe/Nowhere"], "tracklog: bad value 'Europe/Nowhere' for --tz"),
        (["list", "--tz", "America"], "tracklog: bad value 'America' for --tz"),
        (["list", "--tz", "Asia/"], "tracklog: bad value 'Asia/' for --tz"),
        (["list", "--tz", "."], "tracklog: bad value '.' for --tz"),
        (["list", "--tz", "tzdata.zi"], "tracklog: bad value 'tzdata.zi' for --tz"),
        (["list", "--since", "2026-05-02", "--until", "2026-05-01"], "tracklog: --until"),
        (["list", "extra"], "tracklog: list: one argument too many: 'extra'"),
        ([], "tracklog: a command is missing"),
        (["config", "shwo"], "tracklog: unknown action 'shwo' of config; did you mean 'show'?"),
        (
            ["config", "explain", "Intervall"],
            "tracklog: unknown setting 'Intervall'; did you mean 'DutyCycle.Interval'?"
        ),
        (
            ["watch", "--kinds", "fixe"],
            "tracklog: bad value 'fixe' for --kinds: expected fixes, state, cycles, events; did you mean 'fixes'?"
        ),
        (["export", "--format", "gpxx"], "tracklog: bad value 'gpxx' for --format"),
        (["completion", "zhs"], "tracklog: unknown shell 'zhs'"),
    ])
    func `a wrong command line ends with 64 and one line that names what is wrong`(
        arguments: [String], message: String
    ) throws {
        let program = try Program("tracklog", arguments)
        #expect(program.status == 64)
        #expect(program.output.isEmpty)
        #expect(program.errors.hasPrefix(message), "\(program.errors)")
        #expect(program.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ("Foo/Bar", false), ("Europe", false), ("CET-1CEST,x", false), ("AB3", false),
        ("/etc/passwd", false), ("UTC", true), ("", true), (":Europe/Paris", true),
        ("/usr/share/zoneinfo/Asia/Tokyo", true), ("<+0330>-3:30", true), ("EST5EDT", true),
        ("CET-1CEST,M3.5.0,M10.5.0/3", true),
    ])
    func `the local zone is one that the C library understands`(zone: String, isKnown: Bool) throws
    {
        // tzset(3) takes the rest for UTC without a word. The database is not there: 66 once the zone is.
        let program = try Program(
            "/usr/bin/env",
            [
                "TZ=\(zone)", Program.folder.appending(path: "tracklog").path, "list", "--tz",
                "local",
                "--database", "/nonexistent/tracks.db",
            ])
        #expect(program.status == (isKnown ? 66 : 64), "\(program.errors)")
        #expect(isKnown || program.errors.contains("TZ is '\(zone)'"))
    }

    @Test func `help and version go to standard output and end with 0`() throws {
        for arguments in [
            ["--help"], ["help"], ["help", "list"], ["list", "-h"], ["--version"], ["version"],
        ] {
            let program = try Program("tracklog", arguments)
            #expect(program.status == 0 && program.errors.isEmpty)
            #expect(!program.output.isEmpty)
        }
        #expect(try Program("tracklog", ["version"]).lines[0].hasPrefix("tracklog "))
    }

    @Test func `the manual page names every command and option`() throws {
        let manual = try String(
            contentsOf: Program.root.appending(path: "Documentation/tracklog.1"), encoding: .utf8)
        func words(_ help: String) -> [String] {
            help.split(separator: "\n").compactMap { line in
                line.firstMatch(of: #/^  (?:-., |    )?--([a-z-]+)/#).map { String($0.1) }
            }
        }
        let program = try Program("tracklog", ["help"])
        let help = String(decoding: program.output, as: UTF8.self)
        let commands = help.matches(of: #/(?m)^  ([a-z]+)  +[a-z]/#).map { String($0.1) }
        #expect(commands.count >= 5)
        for option in words(help) { #expect(manual.contains("Fl \\-\(option)"), "--\(option)") }
        for command in commands {
            #expect(manual.contains(".It Ic \(command)"), "\(command)")
            let text = String(
                decoding: try Program("tracklog", ["help", command]).output, as: UTF8.self)
            for option in words(text) {
                #expect(manual.contains("Fl \\-\(option)"), "\(command) --\(option)")
            }
        }
    }

    @Test(arguments: ["tracklog.1", "tracklogd.8", "tracklogd.conf.5"])
    func `manual pages are clean mdoc`(page: String) throws {
        let path = Program.root.appending(path: "Documentation/\(page)").path
        let lint = try Program("/usr/bin/mandoc", ["-T", "lint", "-W", "warning", path])
        #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.lines)")
    }

    @Test(arguments: ["status", "watch"])
    func `a daemon that does not answer is told with the remedy`(command: String) throws {
        let folder = try TemporaryFolder()
        let socket = folder.url.appending(path: "s").path
        let program = try Program("tracklog", ["--socket", socket, command])
        #expect(program.status == 69)
        #expect(program.output.isEmpty)
        #expect(
            program.errors.contains(socket) && program.errors.contains("systemctl start tracklogd"))
        let long = String(repeating: "x", count: 200)
        #expect(try Program("tracklog", ["--socket", long, command]).status == 64)
    }

    @Test func `output that cannot be written ends with 74`() throws {
        let program = try Program(
            "/bin/sh", ["-c", "exec \"$0\" config example > /dev/full", Program.tracklog])
        #expect(program.status == 74)
        #expect(program.errors == "tracklog: standard output: No space left on device\n")
    }

    @Test func `a reader that has enough ends the tool without a word`() throws {
        let program = try Program(
            "/bin/bash",
            ["-c", "\"$0\" config example | head -c 1; echo ${PIPESTATUS[0]}", Program.tracklog])
        #expect(program.errors.isEmpty)
    }

    @Test func `settings are checked with line and column`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "t.conf")
        try "[Store]\nCommitEvry=5s\n".write(to: file, atomically: false, encoding: .utf8)
        let wrong = try Program("tracklog", ["config", "check", "-c", file.path])
        #expect(wrong.status == 78)
        #expect(
            wrong.errors
                == "tracklog: \(file.path):2:1: unknown key 'CommitEvry' in [Store]; did you mean 'CommitEvery'?\n"
        )
        try "[Store]\nCommitEvery=5s\n".write(to: file, atomically: false, encoding: .utf8)
        #expect(try Program("tracklog", ["config", "check", "-c", file.path]).status == 0)
        let shown = try Program("tracklog", ["config", "show", "--changed", "-c", file.path])
        #expect(shown.lines == ["Store.CommitEvery=5s  # \(file.path):2"])
        #expect(try Program("tracklog", ["config", "check", "-c", "/nonexistent"]).status == 66)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completion names every command`(shell: String) throws {
        let script = String(
            decoding: try Program("tracklog", ["completion", shell]).output, as: UTF8.self)
        for command in ["list", "stats", "config"] { #expect(script.contains(command)) }
    }

    @Test func `bash completes commands, options and words`() throws {
        let script = """
            source <("$0" completion bash)
            COMP_WORDS=(tracklog "${@}"); COMP_CWORD=$#; _tracklog; echo "${COMPREPLY[*]}"
            """
        func complete(_ words: String...) throws -> String {
            try Program("/bin/bash", ["-c", script, Program.tracklog] + words).lines.first ?? ""
        }
        #expect(try complete("li") == "list")
        #expect(try complete("list", "--si") == "--since")
        #expect(try complete("list", "--units", "n") == "nautical")
        #expect(try complete("db", "sal") == "salvage")
        #expect(try complete("get", "Store.CommitE") == "Store.CommitEvery")
        #expect(try complete("export", "x") == "")
    }
}

extension Program {
    /// The path of the tool.
    static var tracklog: String { folder.appending(path: "tracklog").path }
}
