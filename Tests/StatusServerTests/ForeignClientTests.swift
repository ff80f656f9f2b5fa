import Foundation
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Testing

/// Clients that nobody here wrote, and the one that was.
@Suite struct ForeignClientTests {
    @Test(arguments: [
        "command -v socat && echo status | socat -t 5 - UNIX-CONNECT:$S",
        "command -v nc && echo status | nc -N -U $S",
        "command -v nc && printf status | nc -N -U $S",
        """
        command -v python3 && python3 -c '
        import socket, os
        s = socket.socket(socket.AF_UNIX)
        s.connect(os.environ["S"])
        s.sendall(b"status\\n")
        print(s.makefile().readline(), end="")
        '
        """,
    ])
    func `a foreign client gets its answer`(command: String) throws {
        let rig = try Rig()
        let lines = try rig.run(command).split(separator: "\n")
        guard let program = lines.first else {
            print("skipped: no \(command.split(separator: " ")[2])")
            return
        }
        let answer = try #require(lines.dropFirst().first, "no answer to \(program)")
        #expect(
            try StatusReport(#require(try JSONValue.parse(answer.utf8)["result"])).version == "rig")
    }

    /// Calls `body` with a connected client on a thread of its own while the loop turns.
    private func withClient<R: Sendable>(
        _ rig: Rig, _ body: @escaping @Sendable (StatusClient) throws -> R
    ) throws -> R {
        let box = Box<R>()
        let path = rig.path
        let thread = Thread {
            box.set(Result { try body(StatusClient(path: path)) })
        }
        thread.start()
        try rig.turn { box.result != nil }
        return try #require(box.result).get()
    }

    @Test func `the tool's client reads the status`() throws {
        #expect(try withClient(Rig()) { try $0.status().version } == "rig")
    }

    @Test func `the tool's client gets errors with their field`() throws {
        let error = try withClient(Rig()) { client -> ClientError? in
            var params = JSONObject()
            params["interval"] = .integer(-1)
            do throws(ClientError) {
                _ = try client.call("watch", params)
                return nil
            } catch {
                return error
            }
        }
        guard case .refused(let refusal) = error else {
            Issue.record("no refusal: \(String(describing: error))")
            return
        }
        #expect(refusal.field == "params.interval")
    }

    @Test func `the tool's client watches`() throws {
        let rig = try Rig()
        rig.server.greeting = { _, buffer in
            buffer.appendNotification("state") { $0.append("{\"n\":1}") }
        }
        let seen = try withClient(rig) { client in
            _ = try client.call("watch")
            return try client.next(timeout: 5)
        }
        #expect(seen.method == "state")
        #expect(seen.params["n"]?.integer == 1)
    }

    @Test func `the tool's client does not wait for ever`() throws {
        let rig = try Rig()
        var kept: [PendingReply] = []
        rig.server.register(.slow, later: { _, _, reply in kept.append(reply) })
        #expect(throws: ClientError.timedOut) {
            try withClient(rig) { _ = try $0.call("slow", timeout: 0.05) }
        }
    }

    @Test func `without a daemon the tool's client says so`() throws {
        let path = NSTemporaryDirectory() + "tracklog-none-\(UUID().uuidString.prefix(8))"
        #expect(throws: ClientError.notRunning(path: path)) { try StatusClient(path: path) }
        let long = String(repeating: "x", count: 200)
        #expect(throws: ClientError.address(.tooLong(path: long, limit: 107))) {
            try StatusClient(path: long)
        }
    }
}

private final class Box<R: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Result<R, any Error>?

    var result: Result<R, any Error>? {
        lock.withLock { stored }
    }

    func set(_ result: Result<R, any Error>) {
        lock.withLock { stored = result }
    }
}
