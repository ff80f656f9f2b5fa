import GNSS
import Glibc
import JSON
import StatusProtocol
import Testing

@testable import StatusServer

@Suite struct AccessTests {
    private static let alice = PeerCredentials(pid: 7, uid: 1001, gid: 1001)

    private func role(
        _ policy: AccessPolicy, _ peer: PeerCredentials? = alice, _ groups: [UInt32] = [],
        _ socket: Role = .reader
    ) -> Role? {
        policy.role(of: peer, groups: { groups }, through: socket)
    }

    @Test func `by default everybody looks, and root and the owner change`() {
        let policy = AccessPolicy(owner: 990)
        #expect(role(policy) == .reader)
        #expect(role(policy, nil) == .reader)
        #expect(role(policy, PeerCredentials(pid: 1, uid: 0, gid: 0)) == .controller)
        #expect(role(policy, PeerCredentials(pid: 1, uid: 990, gid: 990)) == .controller)
    }

    @Test func `named users and members of named groups change`() {
        var policy = AccessPolicy(owner: 990)
        policy.controllers = .init(users: [1002], groups: [50])
        #expect(role(policy) == .reader)
        #expect(role(policy, PeerCredentials(pid: 1, uid: 1002, gid: 9)) == .controller)
        #expect(role(policy, PeerCredentials(pid: 1, uid: 1001, gid: 50)) == .controller)
        #expect(role(policy, Self.alice, [4, 50]) == .controller)
    }

    @Test func `where readers are named nobody else looks, but controllers`() {
        var policy = AccessPolicy(owner: 990)
        policy.readers = .init(users: [1002], groups: [])
        policy.controllers = .init(users: [], groups: [50])
        #expect(role(policy) == nil)
        #expect(role(policy, nil) == nil)
        #expect(role(policy, PeerCredentials(pid: 1, uid: 1002, gid: 9)) == .reader)
        #expect(role(policy, Self.alice, [50]) == .controller)
        policy.readers = .init()
        #expect(role(policy) == nil)
    }

    @Test func `a socket for controllers makes one of whoever may open it`() {
        var policy = AccessPolicy(owner: 990)
        policy.readers = .init()
        #expect(role(policy, nil, [], .controller) == .controller)
    }

    @Test func `who may not even look is told which right is missing`() throws {
        let rig = try Rig()
        let client = try rig.connect()
        rig.server.clients.values.first?.peer = Self.alice
        rig.server.access.readers = .init(users: [1])
        client.send("status\nmethods\nwatch\n")
        try rig.turn { client.lines.count == 3 }
        for (value, method) in zip(try client.values(), ["status", "methods", "watch"]) {
            #expect(value["error"]?["code"]?.integer == RPCError.Code.notPermitted)
            let message = try #require(value["error"]?["message"]?.string)
            #expect(message.hasPrefix("\(method) needs the right of a reader"), "\(message)")
        }
    }

    @Test func `the kernel tells the groups of a client`() throws {
        let rig = try Rig()
        let client = try rig.connect()
        var groups = [gid_t](repeating: 0, count: 256)
        let count = getgroups(256, &groups)
        let told = try #require(rig.server.clients.values.first).groups
        #expect(Set(told) == Set(groups.prefix(Int(max(0, count)))))
        _ = client
    }

    @Test func `what is withheld goes to controllers only`() throws {
        let rig = try Rig()
        rig.server.withholds = true
        let reader = try rig.connect()
        rig.server.clients.values.first?.peer = Self.alice
        let controller = try rig.connect()
        for client in [reader, controller] { client.send("watch\n") }
        try rig.turn { reader.lines.count == 1 && controller.lines.count == 1 }
        var report = FixReport()
        report.fix = Fix(time: nil, latitude: 51.5, longitude: -0.25, mode: .threeD)
        report.fix?.errors.eph = 4
        report.fix?.speed = 12
        report.fix?.course = 90
        report.fix?.altitudeMSL = 77
        rig.server.publish(.fixes) { buffer, withholds in
            report.isWithheld = withholds
            buffer.appendNotification("fix") { $0.append(report) }
        }
        try rig.turn { reader.lines.count == 2 && controller.lines.count == 2 }
        let withheld = try #require(try reader.values().last?["params"]?.object)
        #expect(
            Set(withheld.members.map(\.name))
                == ["mode", "eph", "withheld", "durable", "age"])
        #expect(try controller.values().last?["params"]?["lat"]?.number == 51.5)
    }
}
