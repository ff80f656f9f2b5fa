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

    /// `corpus/coordinates/inverse_vectors.csv`, is001: one place in Shanghai in three systems.
    @Test(arguments: [
        ("GCJ-02", 31.218398, 121.434559), ("BD-09", 31.224751708, 121.440985024),
    ])
    func `doctor finds two tracks that are one map's offset apart`(
        system: String, latitude: Double, longitude: Double
    ) throws {
        let folder = try TemporaryFolder()
        func csv(_ name: String, _ latitude: Double, _ longitude: Double) throws -> String {
            let rows = (10..<30).map {
                "2026-05-01T10:00:\($0)Z,\(latitude + Double($0) * 1e-5),\(longitude)\n"
            }
            let file = folder.url.appending(path: name)
            try ("time,lat,lon\n" + rows.joined()).write(
                to: file, atomically: false, encoding: .utf8)
            return file.path
        }
        let honest = try csv("honest.csv", 31.220254865, 121.429929033)
        let shifted = try csv("shifted.csv", latitude, longitude)
        // Hundreds of metres off, by no map's offset.
        let other = try csv("other.csv", 31.2250, 121.4299)
        func positions(_ files: String...) throws -> [String] {
            let database = folder.url.appending(path: UUID().uuidString).path
            for file in files {
                #expect(try Program("tracklog", ["import", "-d", database, file]).status == 0)
            }
            return try Program(
                "tracklog", ["doctor", "-d", database, "--socket", "/nonexistent/s"]
            ).lines.filter { $0.contains(" positions ") }
        }
        #expect(try positions(honest, other).isEmpty)
        #expect(try positions(other, shifted).isEmpty)
        let said = [try positions(honest, shifted), try positions(shifted, honest)]
        for (lines, segment) in zip(said, [2, 1]) {
            #expect(lines.count == 1)
            #expect(lines.first?.hasPrefix("doubt positions segment \(segment) (") == true)
            #expect(lines.first?.contains("by the offset of \(system)") == true)
        }
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
