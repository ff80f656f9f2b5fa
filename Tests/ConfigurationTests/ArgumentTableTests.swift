import Configuration
import Foundation
import Testing

@Suite struct ArgumentTableTests {
    private let table = ArgumentTable(
        program: "prog", summary: "does things",
        options: [Option("socket", value: "PATH", "answer on PATH", setting: "Status.Socket")],
        commands: [
            Command(
                "list", "lists fixes", operands: Operands("[FILE]", count: 0...1),
                options: [
                    Option("json", short: "j", "print JSON"),
                    Option("all", short: "a", "print all"),
                    Option("since", value: "TIME", "from TIME"),
                    Option("output", short: "o", value: "FILE", "write FILE"),
                    Option("format", value: "KIND", "as KIND", choices: ["gpx", "geojson", "csv"]),
                    Option("tag", value: "WORD", "tag with WORD", isRepeatable: true),
                ]),
            Command("status", "asks"),
        ])

    @Test func `options and operands mix as in GNU programs`() throws {
        let parsed = try table.parse([
            "list", "-ja", "x", "--since=-2h", "-oout", "--tag", "a", "--tag=b",
        ])
        #expect(parsed.command?.name == "list")
        #expect(parsed.has("json") && parsed.has("all"))
        #expect(parsed.operands == ["x"])
        #expect(parsed.value("since") == "-2h")
        #expect(parsed.value("output") == "out")
        #expect(parsed.values("tag") == ["a", "b"])
    }

    @Test(arguments: [["-o", ""], ["--output="], ["--socket", ""], ["--since", ""], ["--tag="]])
    func `an empty value is refused`(arguments: [String]) {
        let error = #expect(throws: UsageError.self) { try table.parse(["list"] + arguments) }
        #expect(error?.description.contains("needs a value: ") == true)
    }

    @Test func `a value may begin with a hyphen`() throws {
        #expect(try table.parse(["list", "--since", "-2h"]).value("since") == "-2h")
        #expect(try table.parse(["list", "-o", "-"]).value("output") == "-")
    }

    @Test func `two hyphens end the options and one is an operand`() throws {
        #expect(try table.parse(["list", "--", "--json"]).operands == ["--json"])
        #expect(try table.parse(["list", "-"]).operands == ["-"])
    }

    @Test func `a number below nothing is an operand`() throws {
        #expect(try table.parse(["list", "-2h", "-j"]).operands == ["-2h"])
        #expect(throws: UsageError.self) { try table.parse(["list", "-x"]) }
    }

    @Test func `options of the program stand before or after the command`() throws {
        #expect(try table.parse(["--socket", "s", "status"]).value("socket") == "s")
        let after = try table.parse(["status", "--socket", "s"])
        #expect(after.overrides.map(\.name) == ["Status.Socket"])
        #expect(after.overrides.map(\.value) == ["s"])
    }

    @Test(arguments: [
        (["lsit"], "unknown command 'lsit'; did you mean 'list'?"),
        (["list", "--sinec", "x"], "unknown option '--sinec' of list; did you mean '--since'?"),
        (["list", "--frobnicate"], "unknown option '--frobnicate' of list"),
        (["list", "-json"], "unknown option '-s' of list; did you mean '--json'?"),
        (["list", "-z"], "unknown option '-z' of list"),
        (["list", "--since"], "option '--since' needs a value: TIME"),
        (["list", "--since", "--json"], "option '--since' needs a value: TIME"),
        (["list", "--json=1"], "option '--json' takes no value"),
        (["list", "--since", "a", "--since", "b"], "option '--since' was given twice"),
        (
            ["list", "--format", "geojsn"],
            "bad value 'geojsn' for --format: expected gpx, geojson, csv; did you mean 'geojson'?"
        ),
        (["list", "a", "b"], "list: one argument too many: 'b'"),
        (["--json", "list"], "option '--json' belongs after 'list'"),
        ([], "a command is missing"),
    ])
    func `an error names what is wrong and the nearest right word`(
        arguments: [String], message: String
    ) {
        #expect(throws: UsageError(message)) { try table.parse(arguments) }
    }

    @Test(arguments: [
        ["--help"], ["-h"], ["list", "--help"], ["list", "--bogus", "-h"], ["bogus", "-h"],
    ])
    func `help is given whatever else is wrong`(arguments: [String]) throws {
        #expect(try table.parse(arguments).has("help"))
    }

    @Test func `help names every command and every option within 80 columns`() {
        for help in [table.help(), ArgumentTable.daemon.help()]
            + table.commands.map({ table.help(for: $0) })
        {
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
        }
        for command in table.commands {
            #expect(table.help().contains("  \(command.name) "))
            for option in command.options + table.options {
                #expect(table.help(for: command).contains("--\(option.long)"))
            }
        }
    }

    @Test func `the manual page of the daemon names every option`() throws {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let manual = try String(
            contentsOf: root.appending(path: "Documentation/tracklogd.8"), encoding: .utf8)
        for option in ArgumentTable.daemon.options {
            #expect(manual.contains("Fl \\-\(option.long)"), "\(option.long)")
        }
    }

    @Test func `options of the daemon that override a setting name one that exists`() {
        for option in ArgumentTable.daemon.options {
            guard let name = option.setting else { continue }
            #expect(SettingCatalog.all.contains { $0.name == name }, "\(name)")
        }
    }

    @Test func `set gives a value for any setting`() throws {
        let parsed = try ArgumentTable.daemon.parse([
            "--set", "Store.CommitEvery=5s", "-d", "a=b.db",
        ])
        #expect(
            try parsed.settingOverrides().map { "\($0.name)=\($0.value) \($0.origin)" }
                == ["Store.Database=a=b.db -d", "Store.CommitEvery=5s --set"])
        #expect(throws: UsageError.self) {
            try ArgumentTable.daemon.parse(["--set", "nothing"]).settingOverrides()
        }
    }
}
