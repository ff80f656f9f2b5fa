import Foundation
import GNSS
import Testing

@Suite struct ToolExportTests {
    @Test func `GPX is read back by gpsbabel to the same points`() throws {
        let store = try ToolStore()
        let exported = try store.tool("export", "--format", "gpx")
        #expect(exported.status == 0 && exported.errors.isEmpty)
        let file = store.folder.url.appending(path: "t.gpx")
        try exported.output.write(to: file)
        let babel = try Program(
            "/usr/bin/gpsbabel", ["-t", "-i", "gpx", "-f", file.path, "-o", "unicsv", "-F", "-"])
        #expect(babel.status == 0, "\(babel.errors)")
        let points = babel.lines.dropFirst()
        #expect(points.count == 4)
        #expect(points.allSatisfy { $0.contains("11.5") })
    }

    @Test func `a format is told by the ending of the file`() throws {
        let store = try ToolStore()
        func export(_ name: String) throws -> String {
            let file = store.folder.url.appending(path: name)
            #expect(try store.tool("export", "-o", file.path).status == 0)
            return try String(contentsOf: file, encoding: .utf8)
        }
        #expect(try export("t.gpx").contains("<gpx "))
        #expect(try export("t.kml").contains("<kml "))
        #expect(try export("t.csv").split(whereSeparator: \.isNewline).count == 5)
        #expect(try export("t.jsonl").split(separator: "\n").count == 4)
        let json = try JSONSerialization.jsonObject(with: Data(try export("t.geojson").utf8))
        #expect((json as? [String: Any])?["type"] as? String == "FeatureCollection")
        #expect(try store.tool("export", "-o", "t.xyz").status == 64)
        #expect(try store.tool("export").status == 64)
    }

    @Test func `rejected fixes are exported only when asked for`() throws {
        let store = try ToolStore()
        let all = try store.tool("export", "--format", "jsonl", "--all").objects()
        #expect(all.count == 5)
        #expect(all[4]["flags"] as? [String] == ["outlier"])
    }

    @Test func `a place that cannot be written is told and nothing is left there`() throws {
        let store = try ToolStore()
        let missing = try store.tool("export", "-o", "/nonexistent/t.gpx")
        #expect(missing.status == 73)
        #expect(missing.errors == "tracklog: /nonexistent/t.gpx: No such file or directory\n")
        let folder = try store.tool("export", "--format", "gpx", "-o", store.folder.url.path)
        #expect(folder.status == 73)
    }

    @Test func `an export that fails leaves the old file and no other`() throws {
        let store = try ToolStore(fixes: 2000, every: 1)
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "t.gpx")
        try Data("old".utf8).write(to: file)
        // A limit of 100 KiB a file stands for a full disk.
        let program = try Program(
            "/bin/bash",
            [
                "-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" export -d \"$1\" -o \"$2\"",
                Program.tracklog, store.path, file.path,
            ])
        #expect(program.status == 74)
        #expect(program.errors == "tracklog: \(file.path): File too large\n")
        #expect(try String(contentsOf: file, encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["t.gpx"])
    }

    @Test func `a whole export replaces the old file and keeps its rights`() throws {
        let store = try ToolStore()
        let file = store.folder.url.appending(path: "t.csv")
        try Data("old".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(try store.tool("export", "-o", file.path).status == 0)
        #expect(try String(contentsOf: file, encoding: .utf8) != "old")
        let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(rights as? Int == 0o600)
    }

    @Test func `positions are shifted for Chinese maps only when asked for`() throws {
        let store = try ToolStore()
        let plain = try store.tool("export", "--format", "jsonl").output
        #expect(try store.tool("export", "--format", "jsonl", "--crs", "wgs84").output == plain)
        // Outside China nothing is shifted, but the file says what it is.
        let shifted = try store.tool("export", "--format", "geojson", "--crs", "gcj02")
        #expect(String(decoding: shifted.output, as: UTF8.self).contains("GCJ-02"))
    }

    @Test func `a pipe is written to as it is`() throws {
        let store = try ToolStore()
        let program = try store.tool("export", "--format", "csv", "-o", "/dev/stdout")
        #expect(program.lines.count == 5)
    }
}
