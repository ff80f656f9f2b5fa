import Foundation
import Testing

@Suite struct MetricsFileTests {
    @Test func `metrics are written whole, and say so when the daemon is down`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "tracklog.prom")
        let daemon = try RunningDaemon(in: folder, ["--speed", "50"])
        func metrics() throws -> (Program, String) {
            let program = try Program(
                "tracklog", ["--socket", daemon.socket.path, "metrics", "-o", file.path])
            return (program, try String(contentsOf: file, encoding: .utf8))
        }
        let (up, text) = try metrics()
        #expect(up.status == 0 && up.output.isEmpty && up.errors.isEmpty)
        #expect(text.contains("\ntracklog_up 1\n") && text.hasSuffix("\n# EOF\n"))
        let plain = try Program("tracklog", ["--socket", daemon.socket.path, "metrics"])
        #expect(plain.lines.last == "# EOF")
        #expect(daemon.end(SIGTERM) == 0)
        let (down, rest) = try metrics()
        #expect(down.status == 69)
        #expect(rest.contains("\ntracklog_up 0\n") && rest.hasSuffix("\n# EOF\n"))
        // Nothing was left beside it.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.hasSuffix(".part") })
    }
}
