import Foundation
import GNSS
import Testing

/// What programs get from commands that write files or text: one JSON object a line, nothing else.
@Suite struct ToolJSONTests {
    @Test func `every command takes --json`() throws {
        let table = try Program("tracklog", ["help", "--json"])
        let commands = try table.objects()
        #expect(commands.count > 30)
        for command in commands {
            let options = try #require(command["options"] as? [[String: Any]])
            #expect(options.contains { $0["name"] as? String == "json" }, "\(command)")
            #expect((command["examples"] as? [String])?.isEmpty == false)
        }
        let one = try Program("tracklog", ["help", "export", "--json"]).objects()
        #expect(one.map { $0["command"] as? String } == ["export"])
    }

    @Test(arguments: [
        "gpx", "geojson", "csv", "jsonl", "kml", "kmz", "nmea", "gpsd", "sqlite", "svg", "html",
    ])
    func `export tells what it wrote`(format: String) throws {
        let store = try ToolStore()
        let file = store.folder.url.appending(path: "out.\(format)").path
        let told = try #require(
            try store.tool("export", "--json", "--format", format, "-o", file).objects().first)
        #expect(told["file"] as? String == file)
        #expect(told["format"] as? String == format)
        #expect(told["fixes"] as? Int == 4)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test func `convert tells what it moved`() throws {
        let store = try ToolStore()
        let input = store.folder.url.appending(path: "in.txt")
        try Data("39.9,116.4\n47.4,8.5\n".utf8).write(to: input)
        let output = store.folder.url.appending(path: "out.txt").path
        let told = try #require(
            try Program(
                "tracklog",
                ["convert", "-j", "--from", "wgs84", "--to", "gcj02", input.path, "-o", output]
            ).objects().first)
        #expect(told["positions"] as? Int == 2 && told["moved"] as? Int == 1)
    }

    @Test(arguments: [
        ["export", "--json", "-f", "gpx"], ["export", "-j", "-f", "gpx", "-o", "-"],
        [
            "convert", "--json", "--from", "wgs84", "--to", "gcj02",
        ],
    ])
    func `an object and the data never share the output`(arguments: [String]) throws {
        let store = try ToolStore()
        let program = try Program("tracklog", arguments + ["--database", store.path])
        #expect(program.status == 64 && program.output.isEmpty)
        #expect(program.errors.contains("name one with --output"))
    }

    @Test func `forget and the actions of db tell what they did`() throws {
        let store = try ToolStore()
        func one(_ arguments: String...) throws -> [String: Any] {
            let program = try Program("tracklog", arguments + ["--json", "--database", store.path])
            #expect(program.status == 0, "\(program.errors)")
            let objects = try program.objects()
            #expect(objects.count == 1)
            return objects.first ?? [:]
        }
        let copy = store.folder.url.appending(path: "copy.db").path
        #expect(try one("db", "backup", "-o", copy)["sound"] as? Bool == true)
        let rescued = store.folder.url.appending(path: "rescued.db").path
        #expect(try one("db", "salvage", "-o", rescued)["fixes"] as? Int == 5)
        #expect(try one("db", "vacuum")["after"] is Int)
        #expect(try one("db", "unseal")["fixes"] as? Int == 0)
        #expect(try one("db", "acknowledge")["damaged"] is NSNull)
        let gone = try one("forget", "--yes", "--since", "2026-05-01")
        #expect(gone["fixes"] as? Int == 5 && gone["erased"] as? Bool == true)
        let none = try one("forget", "--yes", "--since", "2026-05-01")
        #expect(none["fixes"] as? Int == 0 && none["erased"] as? Bool == true)
    }

    @Test func `texts come as one member`() throws {
        let script = try Program("tracklog", ["completion", "bash", "--json"]).objects()
        #expect((script.first?["script"] as? String)?.contains("complete -o default") == true)
        let example = try Program("tracklog", ["config", "example", "--json"]).objects()
        #expect((example.first?["text"] as? String)?.contains("[Store]") == true)
        let setting = try Program("tracklog", ["config", "explain", "CommitEvery", "-j"]).objects()
        #expect(setting.first?["default"] as? String == "10s")
        #expect((setting.first?["meaning"] as? String)?.isEmpty == false)
    }
}
