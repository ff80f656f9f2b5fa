import Foundation
import GNSS
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Testing

@Suite struct WatchTests {
    private func watch(_ rig: Rig, _ params: String = "{}") throws -> TestClient {
        let client = try rig.connect()
        client.send(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":"# + params + "}\n")
        try rig.turn { client.lines.count == 1 }
        #expect(try client.values().first?["result"] != nil)
        client.forget()
        return client
    }

    private func publish(_ rig: Rig, _ kind: WatchKinds, number: Int, size: Int = 10) {
        rig.server.publish(kind) { buffer in
            buffer.appendNotification("fix") { buffer in
                buffer.append("{\"n\":")
                buffer.append(number)
                buffer.append(",\"pad\":")
                buffer.append(json: String(repeating: "p", count: size))
                buffer.append("}")
            }
        }
    }

    private func numbers(_ client: TestClient) throws -> [Int64] {
        try client.values().compactMap { $0["params"]?["n"]?.integer }
    }

    @Test func `a client gets the kinds it asked for`() throws {
        let rig = try Rig()
        let all = try watch(rig)
        let fixes = try watch(rig, #"{"kinds":["fixes","events"]}"#)
        #expect(rig.server.isWatched(.state))
        publish(rig, .fixes, number: 1)
        publish(rig, .state, number: 2)
        publish(rig, .events, number: 3)
        #expect(try numbers(all) == [1, 2, 3])
        #expect(try numbers(fixes) == [1, 3])
    }

    @Test func `nothing is made when nobody watches`() throws {
        let rig = try Rig()
        var made = 0
        rig.server.publish(.fixes) { _ in made += 1 }
        #expect(made == 0)
        var client: TestClient? = try watch(rig, #"{"kinds":["fixes"]}"#)
        rig.server.publish(.fixes) { _ in made += 1 }
        #expect(made == 1)
        #expect(!rig.server.isWatched(.state))
        client = nil
        _ = client
        try rig.turn { rig.server.counts.connected == 0 }
        rig.server.publish(.fixes) { _ in made += 1 }
        #expect(made == 1)
    }

    @Test func `an empty list of kinds ends a watch`() throws {
        let rig = try Rig()
        let client = try watch(rig)
        client.send(#"{"jsonrpc":"2.0","id":2,"method":"watch","params":{"kinds":[]}}"# + "\n")
        try rig.turn { client.lines.count == 1 }
        #expect(!rig.server.isWatched(.all))
    }

    @Test func `an interval thins out fixes and nothing else`() throws {
        let rig = try Rig()
        let client = try watch(rig, #"{"interval":3600}"#)
        for number in 1...3 { publish(rig, .fixes, number: number) }
        publish(rig, .state, number: 4)
        #expect(try numbers(client) == [1, 4])
    }

    @Test func `a greeting comes after the reply and before anything else`() throws {
        let rig = try Rig()
        rig.server.greeting = { _, buffer in
            buffer.appendNotification("state") { $0.append("{\"n\":0}") }
        }
        let client = try rig.connect()
        client.send("watch\n")
        try rig.turn { client.lines.count == 2 }
        publish(rig, .fixes, number: 1)
        #expect(try client.values().first?["result"] != nil)
        #expect(try numbers(client) == [0, 1])
    }

    @Test func `a client that sends no more watches on until it hangs up`() throws {
        let rig = try Rig()
        var client: TestClient? = try watch(rig)
        client?.endInput()
        for _ in 0..<5 { try rig.loop.step(atMost: .milliseconds(2)) }
        publish(rig, .fixes, number: 1)
        #expect(try client.map(numbers) == [1])
        // Nothing of this wakes the loop.
        #expect(try rig.loop.step(atMost: .milliseconds(20)) == false)
        client = nil
        try rig.turn { rig.server.counts.connected == 0 }
    }

    // Reliability promise R10: cut at 256 KiB, counted, told if it can be, others unharmed.
    @Test func `a slow reader is cut at 256 KiB and told, and another misses nothing`() throws {
        let rig = try Rig()
        let slow = try watch(rig)
        let quick = try watch(rig)
        var sent = 0
        while rig.server.counts.dropped == 0, sent < 10_000 {
            sent += 1
            publish(rig, .fixes, number: sent, size: 1000)
            quick.read()
        }
        for number in sent + 1...sent + 10 {
            publish(rig, .fixes, number: number, size: 1000)
            quick.read()
        }
        #expect(try numbers(quick) == (1...Int64(sent + 10)).map { $0 })
        #expect(rig.server.counts.dropped == 1)
        // 256 KiB of the server and what the kernel holds (212,992 bytes with its overhead).
        #expect((256...600).contains(sent))
        try rig.turn {
            slow.read(atMost: 65_536)
            return slow.isClosed
        }
        let values = try slow.values()
        #expect(values.last?["error"]?["code"]?.integer == RPCError.Code.tooSlow)
        let got = values.dropLast().compactMap { $0["params"]?["n"]?.integer }
        #expect(got == (1...Int64(got.count)).map { $0 })
        #expect(rig.server.counts.connected == 1)
    }

    @Test func `output that stays unread is given up after a time`() throws {
        var limits = ServerLimits()
        limits.unreadTime = .milliseconds(30)
        let rig = try Rig(limits)
        let slow = try watch(rig)
        for number in 0..<230 { publish(rig, .fixes, number: number, size: 1000) }
        #expect(rig.server.counts.connected == 1)
        try rig.turn { rig.server.counts.connected == 0 }
        #expect(rig.server.counts.dropped == 1)
        #expect(slow.isEnded)
    }

    @Test func `a client cut while a line is half sent is not sent half a line more`() throws {
        let rig = try Rig()
        let slow = try watch(rig)
        publish(rig, .fixes, number: 1, size: 600_000)
        #expect(rig.server.counts.dropped == 1)
        try rig.turn { slow.isEnded }
        let values = try slow.values()
        #expect(values.count == 2)
        #expect(values.first?["params"]?["pad"]?.string?.count == 600_000)
        #expect(values.last?["error"]?["code"]?.integer == RPCError.Code.tooSlow)
    }

    // Reliability promise R10: all clients together grow the daemon by 8 MB at most.
    @Test func `when all together leave too much unread the worst is cut`() throws {
        var limits = ServerLimits()
        limits.totalOutputBytes = 200 << 10
        let rig = try Rig(limits)
        let worst = try watch(rig)
        publish(rig, .fixes, number: 0, size: 300_000)
        let second = try watch(rig)
        var number = 0
        while rig.server.counts.dropped == 0, number < 1000 {
            number += 1
            publish(rig, .fixes, number: number, size: 1000)
        }
        try rig.turn { worst.isEnded }
        #expect(try worst.values().last?["error"]?["code"]?.integer == RPCError.Code.tooSlow)
        #expect(rig.server.counts.dropped == 1)
        #expect(!second.isEnded)
    }
}
