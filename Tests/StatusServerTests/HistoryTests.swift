import Foundation
import GNSS
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Testing

/// `watch` from a sequence number on.
@Suite struct HistoryTests {
    /// Numbers that stand for rows on a disk.
    private final class Disk {
        var durable: Int64
        var piece: Int64
        var pad = 10

        init(durable: Int64, piece: Int64 = 7) {
            (self.durable, self.piece) = (durable, piece)
        }

        func history() -> WatchHistory {
            WatchHistory(
                durableSequence: { [self] in durable },
                append: { [self] after, _, buffer in
                    let end = min(durable, after + piece)
                    guard after < end else { return after }
                    for number in (after + 1)...end {
                        buffer.appendNotification("fix") { buffer in
                            buffer.append("{\"sequence\":")
                            buffer.append(number)
                            buffer.append(",\"pad\":")
                            buffer.append(json: String(repeating: "p", count: pad))
                            buffer.append("}")
                        }
                    }
                    return end
                })
        }
    }

    private func watch(_ rig: Rig, _ params: String) throws -> TestClient {
        let client = try rig.connect()
        client.send(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":"# + params + "}\n")
        try rig.turn { !client.lines.isEmpty }
        return client
    }

    private func sequences(_ client: TestClient) throws -> [Int64] {
        try client.values().compactMap { $0["params"]?["sequence"]?.integer }
    }

    @Test
    func `who comes back gets each fix after the one it had, once, and then what becomes durable`()
        throws
    {
        let rig = try Rig()
        let disk = Disk(durable: 30)
        rig.server.history = disk.history()
        let client = try watch(rig, #"{"kinds":["fixes"],"after":5}"#)
        #expect(try client.values()[0]["result"]?["durable_sequence"]?.integer == 30)
        try rig.turn { try sequences(client).count >= 25 }
        // What is only seen is not sent to it.
        rig.server.publish(.fixes) { $0.append("{\"params\":{\"sequence\":31}}\n") }
        disk.durable = 32
        rig.server.becameDurable()
        try rig.turn { try sequences(client).count >= 27 }
        #expect(try sequences(client) == Array(6...32))
    }

    @Test func `nothing is watched live for it, so nothing is made or read early`() throws {
        let rig = try Rig()
        rig.server.history = Disk(durable: 1).history()
        let client = try watch(rig, #"{"kinds":["fixes"],"after":0}"#)
        #expect(!rig.server.isWatched(.all))
        client.send(
            #"{"jsonrpc":"2.0","id":2,"method":"watch","params":{"kinds":["fixes"]}}"# + "\n")
        try rig.turn { rig.server.isWatched(.fixes) }
    }

    @Test func `a slow reader is waited for, not cut, and gets all`() throws {
        var limits = ServerLimits()
        limits.outputBytes = 64 << 10
        let rig = try Rig(limits)
        let disk = Disk(durable: 1000, piece: 64)
        disk.pad = 1000
        rig.server.history = disk.history()
        let client = try watch(rig, #"{"kinds":["fixes"],"after":0}"#)
        try rig.turn {
            client.read(atMost: 50_000)
            return String(decoding: client.received.suffix(1100), as: UTF8.self).contains(":1000,")
        }
        #expect(try sequences(client) == Array(1...1000))
        #expect(rig.server.counts.dropped == 0)
    }

    @Test
    func `who reads nothing of it is told and dropped after a while, with little held for it`()
        throws
    {
        var limits = ServerLimits()
        limits.unreadTime = .milliseconds(100)
        let rig = try Rig(limits)
        let disk = Disk(durable: 1_000_000, piece: 64)
        disk.pad = 300
        rig.server.history = disk.history()
        let client = try rig.connect()
        client.send(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"after":0}}"# + "\n")
        try rig.turn { rig.server.counts.dropped == 1 }
        try rig.turn { rig.server.counts.connected == 0 }
    }

    @Test(arguments: [
        (#"{"after":-1}"#, "params.after"), (#"{"after":1.5}"#, "params.after"),
        (#"{"after":"7"}"#, "params.after"), (#"{"after":31}"#, "params.after"),
        (#"{"after":1,"kinds":["state"]}"#, "params.after"),
    ])
    func `a number that cannot be is refused by its name`(params: String, field: String) throws {
        let rig = try Rig()
        rig.server.history = Disk(durable: 30).history()
        let client = try watch(rig, params)
        #expect(try client.values()[0]["error"]?["data"]?["field"]?.string == field)
        #expect(!rig.server.isWatched(.all))
    }
}
