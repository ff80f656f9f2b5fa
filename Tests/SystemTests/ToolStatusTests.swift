import Foundation
import Testing

@Suite struct ToolStatusTests {
    @Test func `status tells people and programs what the daemon does`() throws {
        let daemon = try ToolDaemon(speed: "50")
        _ = try daemon.tool("watch", "--kinds", "fixes", "--count", "20")
        let status = try daemon.tool("status")
        #expect(status.status == 0 && status.errors.isEmpty)
        #expect(status.lines[0].hasPrefix("tracklogd "))
        for name in ["Source", "Receiver", "Fix", "Fixes", "Track", "Store", "Clients"] {
            #expect(status.lines.contains { $0.hasPrefix("\(name) ") }, "\(name)")
        }
        let object = try #require(try daemon.tool("status", "--json").objects().first)
        #expect((object["source"] as? [String: Any])?["kind"] as? String == "replay")
        let counts = try #require(object["counts"] as? [String: Any])
        #expect(try #require(counts["kept"] as? Int) >= 20)
    }

    @Test func `watch gives fixes as they come and ends after as many as were asked for`() throws {
        let daemon = try ToolDaemon(speed: "50")
        let watch = try daemon.tool("watch", "--kinds", "fixes", "--count", "3")
        #expect(watch.status == 0)
        let fixes = try watch.objects()
        #expect(fixes.map { $0["kind"] as? String } == ["fix", "fix", "fix"])
        let sequences = fixes.compactMap { $0["sequence"] as? Int }
        #expect(sequences == (0..<3).map { (sequences.first ?? 0) + $0 })
    }

    @Test func `status and watch name the system they were asked for`() throws {
        // The bundled drive is in Australia, where no map is shifted.
        let daemon = try ToolDaemon(speed: "50")
        let watch = try daemon.tool("watch", "--kinds", "fixes", "--count", "1", "--crs", "gcj02")
        let status = try #require(
            try daemon.tool("status", "--json", "--crs", "bd09").objects().first)
        let fixes = try watch.objects() + [try #require(status["fix"] as? [String: Any])]
        #expect(fixes.map { $0["crs"] as? String } == ["gcj02", "bd09"])
        for fix in fixes {
            let latitude = try #require(fix["crs_lat"] as? Double)
            #expect(abs(latitude - (try #require(fix["lat"] as? Double))) <= 1e-9)
        }
    }

    @Test func `flush makes safe what waits, and sky shows the satellites`() throws {
        let daemon = try ToolDaemon(speed: "50")
        _ = try daemon.tool("watch", "--kinds", "fixes", "--count", "5")
        let flush = try daemon.tool("flush")
        let number = try #require(flush.lines.first?.firstMatch(of: #/up to fix (\d+) is/#)?.1)
        #expect(try #require(Int(number)) >= 5)
        let sky = try daemon.tool("sky")
        #expect(sky.lines[0].hasPrefix("SYSTEM"))
        #expect(try #require(sky.lines.last).contains(" used"))
    }

    @Test func `doctor finds nothing wrong while fixes arrive, but for what the machine lacks`()
        throws
    {
        let daemon = try ToolDaemon(speed: "50")
        _ = try daemon.tool("watch", "--kinds", "fixes", "--count", "2")
        let settings = daemon.folder.url.appending(path: "t.conf")
        try "[Status]\nGroup=\n".write(to: settings, atomically: false, encoding: .utf8)
        let doctor = try daemon.tool(
            "doctor", "-c", settings.path, "-d", daemon.folder.url.appending(path: "d.db").path)
        #expect(doctor.status == 0, "\(doctor.lines)")
        #expect(!doctor.lines.contains { $0.hasPrefix("FAIL") })
    }

    @Test func `doctor names the remedy when no daemon answers`() throws {
        let folder = try TemporaryFolder()
        let doctor = try Program(
            "tracklog", ["--socket", folder.url.appending(path: "s").path, "doctor"])
        #expect(doctor.status == 69)
        #expect(
            doctor.lines.contains {
                $0.hasPrefix("FAIL  daemon") && $0.contains("systemctl start tracklogd")
            })
    }

    @Test func `a reader that goes away ends watch without a word`() throws {
        let daemon = try ToolDaemon(speed: "50")
        let program = try Program(
            "/bin/bash",
            [
                "-c", "\"$0\" --socket \"$1\" watch | head -n 1 > /dev/null", Program.tracklog,
                daemon.socket,
            ])
        #expect(program.errors.isEmpty)
    }
}
