import Foundation
import Testing

@Suite struct WatchAfterTests {
    @Test func `who comes back after the daemon was killed misses no fix`() throws {
        let folder = try TemporaryFolder()
        var had: [Int] = []
        /// Takes durable fixes after the last one it had.
        func take(_ count: Int, from daemon: RunningDaemon) throws {
            let client = try RawClient(daemon.socket.path)
            _ = try client.result("watch", "{\"kinds\":[\"fixes\"],\"after\":\(had.last ?? 0)}")
            for _ in 0..<count {
                let fix = try #require(try client.object()["params"] as? [String: Any])
                #expect(fix["durable"] as? Bool == true)
                had.append(try #require(fix["sequence"] as? Int))
            }
        }
        let arguments = ["--speed", "100", "--set", "Store.CommitEvery=0.2s"]
        for round in 0..<3 {
            let daemon = try RunningDaemon(in: folder, arguments)
            try take(40 + round, from: daemon)
            #expect(daemon.end(SIGKILL) == -SIGKILL)
        }
        #expect(had == Array(1...123))
        let database = folder.url.appending(path: "d.db")
        let tool = try RunningDaemon(in: folder, arguments)
        let watch = try Program(
            "tracklog",
            [
                "--socket", tool.socket.path, "watch", "--kinds", "fixes", "--after", "120", "-n",
                "3",
            ])
        let shown = try watch.objects()
        #expect(shown.map { $0["sequence"] as? Int } == [121, 122, 123])
        let stored = try SQLite.run(
            "SELECT lat FROM fixes WHERE sequence BETWEEN 121 AND 123", on: database)
        #expect(
            stored.split(separator: "\n").map { Double($0) } == shown.map { $0["lat"] as? Double })
    }
}
