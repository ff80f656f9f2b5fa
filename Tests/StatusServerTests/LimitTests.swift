import Foundation
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Testing

@Suite struct LimitTests {
    @Test func `one over the limit may ask one thing, and not watch`() throws {
        var limits = ServerLimits()
        limits.clients = 2
        let rig = try Rig(limits)
        let members = [try rig.connect(), try rig.connect()]
        let guest = try rig.connect()
        guest.send("status\nstatus\n")
        try rig.turn { guest.isEnded }
        #expect(guest.lines.count == 1)
        #expect(try guest.values().first?["result"] != nil)
        let watcher = try rig.connect()
        watcher.send("watch\n")
        try rig.turn { watcher.isEnded }
        #expect(try watcher.values().first?["error"]?["code"]?.integer == RPCError.Code.busy)
        #expect(rig.server.counts.refused == 1)
        members[0].send("status\n")
        try rig.turn { members[0].lines.count == 1 }
    }

    @Test func `of many over the limit the oldest gives way`() throws {
        var limits = ServerLimits()
        limits.clients = 1
        limits.guests = 2
        limits.guestTime = .seconds(60)
        let rig = try Rig(limits)
        let member = try rig.connect()
        let guests = try (0..<4).map { _ in try rig.connect() }
        #expect(guests.map(\.isEnded) == [true, true, false, false])
        #expect(!member.isEnded)
        guests[2].send("status\n")
        try rig.turn { guests[2].lines.count == 1 }
        #expect(rig.server.counts.refused == 2)
    }

    @Test func `who asks nothing is told and disconnected, who has asked stays`() throws {
        var limits = ServerLimits()
        limits.firstRequestTime = .milliseconds(30)
        let rig = try Rig(limits)
        let silent = try rig.connect()
        let asking = try TestClient(rig.path)
        asking.send("status\n")
        try rig.turn { silent.isEnded }
        #expect(try silent.values().first?["error"]?["code"]?.integer == RPCError.Code.tooSlow)
        #expect(!asking.isEnded)
        #expect(rig.server.counts.connected == 1)
    }

    @Test func `one over the limit that asks nothing makes room`() throws {
        var limits = ServerLimits()
        limits.clients = 1
        limits.guestTime = .milliseconds(10)
        let rig = try Rig(limits)
        let member = try rig.connect()
        let guest = try TestClient(rig.path)
        try rig.turn { guest.isEnded }
        #expect(!member.isEnded)
    }

    @Test func `a server without clients wakes for nothing`() throws {
        let rig = try Rig()
        var client: TestClient? = try rig.connect()
        client?.send("status\n")
        try rig.turn { client?.lines.count == 1 }
        client = nil
        try rig.turn { rig.server.counts.connected == 0 }
        #expect(try rig.loop.step(atMost: .milliseconds(50)) == false)
    }

    @Test func `without descriptors nobody is accepted, nothing spins, and it goes on afterwards`()
        async
    {
        await #expect(processExitsWith: .success) {
            let rig = try Rig()
            let client = try TestClient(rig.path)
            var taken: [Int32] = []
            while true {
                let descriptor = dup(0)
                guard descriptor >= 0 else { break }
                taken.append(descriptor)
                guard taken.count < 100_000 else { exit(2) }
            }
            var turns = 0
            let end = SystemClock.now + .milliseconds(200)
            while SystemClock.now < end {
                try rig.loop.step(atMost: .milliseconds(50))
                turns += 1
            }
            guard rig.server.counts.accepted == 0, turns < 20 else { exit(3) }
            taken.forEach { close($0) }
            client.send("status\n")
            try rig.turn { client.lines.count == 1 }
            // Nothing is torn down by exit.
            try FileManager.default.removeItem(atPath: rig.folder)
            exit(rig.server.counts.accepted == 1 ? 0 : 4)
        }
    }

    @Test func `a storm leaves nothing behind`() throws {
        let rig = try Rig()
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for round in 0..<20 {
            let clients = try (0..<30).map { _ in try TestClient(rig.path) }
            for (index, client) in clients.enumerated() {
                switch (index + round) % 4 {
                case 0: client.send("status\n")
                case 1: client.send([0xFF, 0x00, 0x0A])
                case 2: client.send("{\"jsonrpc\":")
                default: break
                }
            }
            try rig.loop.step(atMost: .milliseconds(1))
        }
        try rig.turn { rig.server.counts.accepted == 600 && rig.server.counts.connected == 0 }
        let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(abs(after - before) < 100)
    }
}
