import Foundation
import GNSS
import JSON
import Platform
import Scheduling
import StatusProtocol
import Testing

@testable import StatusServer

@Suite struct RequestReplyTests {
    @Test func `a bare word and a JSON-RPC request are answered in their order`() throws {
        let rig = try Rig()
        let client = try rig.connect()
        client.send("status\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"status\"}\r\n\n \n")
        try rig.turn { client.lines.count == 2 }
        let values = try client.values()
        #expect(values[0]["id"] == .null)
        #expect(values[1]["id"] == .integer(7))
        #expect(try StatusReport(#require(values[1]["result"])).version == "rig")
    }

    @Test func `a request may come in pieces`() throws {
        let rig = try Rig()
        let client = try rig.connect()
        for piece in ["st", "at", "us"] {
            client.send(piece)
            try rig.loop.step(atMost: .milliseconds(5))
        }
        #expect(client.lines.isEmpty)
        client.send("\n")
        try rig.turn { client.lines.count == 1 }
    }

    // Bug corpus B080: one error each, the connection stays usable.
    @Test func `each broken line gets one error and the connection stays usable`() throws {
        let broken: [[UInt8]] =
            [
                #"{"cmd":5}"#, #"{"cmd":null}"#, #"{"cmd":["status"]}"#, "[]", #""status""#, "17",
                #"{"cmd":"status","id":{}}"#, #"{"cmd":"set","interval":"ten"}"#,
                #"{"cmd":"set","interval":-1}"#, "1e999", #"{"cmd":"status","cmd":"stop"}"#,
                "nothing",
                #"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"interval":-1}}"#, "a\u{0}b",
                String(repeating: "[", count: 9000), String(repeating: "x", count: 16_385),
                String(repeating: "y", count: 60_000),
            ].map { Array($0.utf8) } + [[0xFF, 0xFE], [0x22, 0xC3, 0x28, 0x22]]
        let rig = try Rig()
        let client = try rig.connect()
        for line in broken {
            client.forget()
            var rest = (line + [0x0A])[...]
            while !rest.isEmpty {
                rest = rest.dropFirst(max(0, client.send(Array(rest))))
                try rig.loop.step(atMost: .milliseconds(1))
            }
            try rig.turn { client.lines.count == 1 }
            #expect(try client.values().first?["error"]?["message"]?.string?.isEmpty == false)
        }
        client.forget()
        client.send("status\n")
        try rig.turn { client.lines.count == 1 }
        #expect(try client.values().first?["result"] != nil)
        #expect(rig.server.counts.dropped == 0)
    }

    @Test func `a client that sends no more still gets its answer, also to a line without end`()
        throws
    {
        let rig = try Rig()
        let client = try rig.connect()
        client.send("status\nstatus")
        client.endInput()
        try rig.turn { client.isEnded }
        #expect(client.lines.count == 2)
        #expect(rig.server.counts.connected == 0)
    }

    @Test func `a notification is done and not answered`() throws {
        let rig = try Rig()
        var flushed = 0
        rig.server.register(.flush) { _, _, result in
            flushed += 1
            result.append("{}")
        }
        let client = try rig.connect()
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"flush\"}\nstatus\n")
        try rig.turn { client.lines.count == 1 }
        #expect(flushed == 1)
        #expect(try client.values().first?["result"]?["version"] != nil)
    }

    @Test func `who lacks a right is told which`() throws {
        let rig = try Rig()
        rig.server.register(.flush) { _, _, result in result.append("{}") }
        let client = try rig.connect()
        rig.server.clients.values.first?.peer = PeerCredentials(pid: 1, uid: 4242, gid: 4242)
        client.send("flush\nstatus\n")
        try rig.turn { client.lines.count == 2 }
        let values = try client.values()
        #expect(values[0]["error"]?["code"]?.integer == RPCError.Code.notPermitted)
        #expect(
            values[0]["error"]?["message"]?.string?.hasPrefix(
                "flush needs the right of a controller, which root, ") == true)
        #expect(values[1]["result"] != nil)
    }

    @Test func `a handler knows who asks`() throws {
        let rig = try Rig()
        var peer: PeerCredentials?
        rig.server.register(.version) { _, client, result in
            peer = client.peer
            result.append("{}")
        }
        let client = try rig.connect()
        client.send("version\n")
        try rig.turn { client.lines.count == 1 }
        #expect(peer == PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid()))
    }

    @Test func `methods lists what is registered`() throws {
        let rig = try Rig()
        let client = try rig.connect()
        client.send("methods\n")
        try rig.turn { client.lines.count == 1 }
        let methods = try client.values().first?["result"]?["methods"]?.array ?? []
        #expect(methods.compactMap { $0["name"]?.string } == ["watch", "methods", "status"])
    }

    @Test func `an answer may come later, and other clients are answered meanwhile`() throws {
        let rig = try Rig()
        var reply: PendingReply?
        rig.server.register(.slow, later: { _, _, pending in reply = pending })
        let waiting = try rig.connect()
        waiting.send("slow\nstatus\n")
        try rig.turn { reply != nil }
        let other = try rig.connect()
        other.send("status\n")
        try rig.turn { other.lines.count == 1 }
        #expect(waiting.lines.isEmpty)
        reply?.succeed { $0.append("{\"found\":true}") }
        reply?.succeed { $0.append("{\"found\":false}") }
        try rig.turn { waiting.lines.count == 2 }
        let values = try waiting.values()
        #expect(values[0]["result"]?["found"]?.bool == true)
        #expect(values[1]["result"]?["version"] != nil)
    }

    @Test func `an answer that is forgotten is an error, and one to a client that left is dropped`()
        throws
    {
        let rig = try Rig()
        var replies: [PendingReply] = []
        rig.server.register(.slow, later: { _, _, pending in replies.append(pending) })
        let patient = try rig.connect()
        patient.send("slow\n")
        var leaving: TestClient? = try rig.connect()
        leaving?.send("slow\n")
        try rig.turn { replies.count == 2 }
        leaving = nil
        try rig.turn { rig.server.counts.connected == 1 }
        #expect(replies.map(\.isWanted) == [true, false])
        replies = []
        try rig.turn { patient.lines.count == 1 }
        #expect(
            try patient.values().first?["error"]?["code"]?.integer == RPCError.Code.internalError)
    }

    @Test func `a client that asks a lot is answered in full, without holding up another`() throws {
        let rig = try Rig()
        let busy = try rig.connect()
        let other = try rig.connect()
        busy.send(String(repeating: "status\n", count: 100))
        other.send("status\n")
        try rig.turn { other.lines.count == 1 }
        #expect(busy.lines.count <= 64)
        try rig.turn { busy.lines.count == 100 }
    }

    @Test func `a client that reads late gets every answer in order`() throws {
        var limits = ServerLimits()
        limits.requestsPerTenth = 1_000_000
        let rig = try Rig(limits)
        var asked: Int64 = 0
        rig.server.register(.sky) { _, _, result in
            asked += 1
            result.append("{\"n\":")
            result.append(asked)
            result.append(",\"text\":")
            result.append(json: String(repeating: "x", count: 2000))
            result.append("}")
        }
        let client = try rig.connect()
        #expect(client.send(String(repeating: "sky\n", count: 1000)) == 4000)
        for _ in 0..<20 { try rig.loop.step(atMost: .milliseconds(1)) }
        // Held back: 1000 answers are 2 MB, and the socket takes some 200 kB.
        #expect(asked < 500)
        try rig.turn { client.lines.count == 1000 }
        #expect(try client.values().map { $0["result"]?["n"]?.integer } == (1...1000).map { $0 })
        #expect(rig.server.counts.dropped == 0)
    }

    @Test func `stop closes every connection`() throws {
        let rig = try Rig()
        let client = try rig.connect()
        rig.server.stop()
        #expect(client.isEnded)
        #expect(rig.server.counts.connected == 0)
    }
}
