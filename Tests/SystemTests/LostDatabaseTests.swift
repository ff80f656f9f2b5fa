import Foundation
import Testing

/// The database goes away while the daemon records to it.
@Suite struct LostDatabaseTests {
    @Test func `a removed database is told, and a new one is recorded to`() throws {
        let folder = try TemporaryFolder()
        let daemon = try RunningDaemon(in: folder, ["--speed", "50"])
        let client = try RawClient(daemon.socket.path)
        func state() throws -> String {
            let store = try client.result("status")["store"] as? [String: Any]
            return try #require(store?["state"] as? String)
        }
        _ = try client.result("flush")
        #expect(try state() == "ok")
        try FileManager.default.removeItem(at: daemon.database)
        #expect(try state().hasPrefix("degraded: the database was removed"))
        let durable = try #require(try client.result("flush")["durable_sequence"] as? Int)
        #expect(try state().hasPrefix("degraded: the database was removed"))
        #expect(daemon.said.contains("database was removed or replaced"), "\(daemon.said)")
        _ = try client.result("acknowledge")
        #expect(try state() == "ok")
        #expect(daemon.end(SIGTERM) == 0)
        let newest = try SQLite.run("SELECT max(sequence) FROM fixes", on: daemon.database)
        #expect(Int(newest) ?? 0 >= durable)
    }
}
