import Foundation
import Testing

/// What a person does to a running daemon: locate, pause, resume, mark.
@Suite struct ControlTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func daemon(_ speed: String, _ policy: String = "continuous") throws -> RunningDaemon {
        try RunningDaemon(
            in: folder, ["--speed", speed, "--set", "DutyCycle.Policy=\(policy)"])
    }

    private func tool(_ daemon: RunningDaemon, _ arguments: String...) throws -> Program {
        try Program(
            "tracklog",
            ["--socket", daemon.socket.path, "--database", daemon.database.path] + arguments)
    }

    private func watch(_ daemon: RunningDaemon, _ kind: String) throws -> RawClient {
        let client = try RawClient(daemon.socket.path)
        _ = try client.result("watch", "{\"kinds\":[\"\(kind)\"]}")
        return client
    }

    private func next(_ client: RawClient) throws -> [String: Any] {
        try #require(try client.object()["params"] as? [String: Any])
    }

    @Test func `locate wakes a sleeping receiver, and the policy rules again afterwards`() throws {
        let daemon = try daemon("20", "on-demand")
        let cycles = try watch(daemon, "cycles")
        let client = try RawClient(daemon.socket.path)
        let before = try client.result("status")
        #expect((before["receiver"] as? [String: Any])?["state"] as? String == "off")
        #expect(before["fix"] == nil)
        let answer = try client.result("locate", "{\"accuracy\":100}")
        #expect((answer["fix"] as? [String: Any])?["lat"] is Double, "\(answer)")
        #expect(answer["good"] as? Bool == true)
        #expect(try #require(answer["candidates"] as? Int) >= 1)
        let cycle = try next(cycles)
        #expect(cycle["began_because"] as? String == "locate", "\(cycle)")
        let after = try client.result("status")
        #expect((after["receiver"] as? [String: Any])?["state"] as? String == "off")
        let shown = try tool(daemon, "locate")
        #expect(shown.status == 0 && shown.lines[0].hasPrefix("Fix  "), "\(shown.errors)")
    }

    @Test func `fix tells the last that was seen and the last on the disk`() throws {
        let daemon = try daemon("20", "continuous")
        let client = try RawClient(daemon.socket.path)
        let fixes = try watch(daemon, "fixes")
        _ = try next(fixes)
        _ = try client.result("set", #"{"name":"CommitEvery","value":"1h"}"#)
        let safe = try #require(try client.result("flush")["durable_sequence"] as? Int)
        while try #require(try next(fixes)["sequence"] as? Int) <= safe {}
        let answer = try client.result("fix")
        #expect(answer["durable"] as? Bool == false)
        #expect(try #require(answer["sequence"] as? Int) > safe)
        let durable = try #require(answer["last_durable"] as? [String: Any])
        #expect(durable["durable"] as? Bool == true && durable["lat"] is Double)
        #expect(durable["sequence"] as? Int == safe)
    }

    @Test func `without a fix in time locate says why there is none`() throws {
        let daemon = try daemon("0.01", "on-demand")
        let client = try RawClient(daemon.socket.path)
        // The log's first fix is there at once; the next is due in 100 s.
        _ = try client.ask("locate", "{\"timeout\":1}")
        let error = try client.error("locate", "{\"timeout\":1}")
        #expect(error.code == -32002 && error.message.hasPrefix("no fix within 1 s: "))
        #expect(try client.error("locate", "{\"timeout\":0.5}").field == "params.timeout")
        #expect(try client.error("locate", "{\"accuracy\":\"3\"}").field == "params.accuracy")
        let tool = try tool(daemon, "locate", "--timeout", "1s")
        #expect(tool.status == 69 && tool.errors.contains("no fix within"))
    }

    @Test func `a pause records nothing, goes on by itself and leaves a gap with its reason`()
        throws
    {
        let daemon = try daemon("200")
        let events = try watch(daemon, "events")
        let fixes = try watch(daemon, "fixes")
        _ = try fixes.object()
        let client = try RawClient(daemon.socket.path)
        let pause = try client.result("pause", "{\"duration\":1}")
        #expect(pause["paused"] as? Bool == true)
        let status = try client.result("status")
        #expect((status["pause"] as? [String: Any])?["resumes_in"] is Double)
        #expect((status["track"] as? [String: Any])?["gap"] as? String == "paused")
        let counted = (status["counts"] as? [String: Any])?["kept"] as? Int
        #expect(try client.error("locate").message.contains("paused"))
        #expect(try client.error("mark").message.contains("paused"))
        let again = try client.result("status")
        #expect((again["counts"] as? [String: Any])?["kept"] as? Int == counted)
        var gap = try next(events)
        while gap["event"] as? String != "gap" { gap = try next(events) }
        #expect(gap["reason"] as? String == "paused")
        #expect(try client.result("status")["pause"] == nil)
        _ = try client.result("flush")
        #expect(
            try SQLite.run("SELECT reason FROM gaps LIMIT 1", on: daemon.database) == "paused")
    }

    @Test func `resume goes on at once, and without a pause changes nothing`() throws {
        let daemon = try daemon("50")
        #expect(try tool(daemon, "pause").lines == ["recording is paused until 'tracklog resume'"])
        #expect(try tool(daemon, "status").lines.contains { $0.hasPrefix("Paused ") })
        #expect(try tool(daemon, "resume").lines == ["recording goes on"])
        #expect(try tool(daemon, "resume", "--json").objects().first?["paused"] as? Bool == false)
        _ = try watch(daemon, "fixes").object()
    }

    @Test func `a mark is on the disk when it is answered`() throws {
        let daemon = try daemon("50")
        _ = try watch(daemon, "fixes").object()
        let mark = try tool(daemon, "mark", "Ankerplatz \u{2693}", "--note", "6 m, \"sand\"")
        #expect(mark.status == 0 && mark.lines[0].hasSuffix("is on the disk"), "\(mark.errors)")
        #expect(daemon.end(SIGKILL) == -SIGKILL)
        let listed = try tool(daemon, "marks", "--json").objects()
        #expect(listed.map { $0["title"] as? String } == ["Ankerplatz \u{2693}"])
        #expect(listed[0]["note"] as? String == "6 m, \"sand\"")
        #expect(listed[0]["lat"] is Double && listed[0]["sequence"] is Int)
    }

    @Test func `without a fix a mark is refused, or waits for the next one`() throws {
        let daemon = try daemon("20", "on-demand")
        let refused = try tool(daemon, "mark", "here")
        #expect(refused.status == 69 && refused.errors.contains("no valid fix"))
        let fixes = try watch(daemon, "fixes")
        #expect(
            try tool(daemon, "mark", "--when-fixed", "soon").lines == ["the mark waits for a fix"])
        var fix = try next(fixes)
        while fix["flags"] != nil { fix = try next(fixes) }
        // It was kept before its fix was told of.
        let marks = try tool(daemon, "marks", "--json").objects()
        #expect(marks.map { $0["title"] as? String } == ["soon"])
        #expect(marks[0]["lat"] is Double)
    }

    @Test func `a mark that still waits at the end is kept without a place`() throws {
        let daemon = try daemon("0.01", "on-demand")
        // The log's first fix goes by while the receiver is off; the next is due in 100 s.
        let client = try RawClient(daemon.socket.path)
        var lines = 0
        while lines == 0 {
            let source = try #require(try client.result("status")["source"] as? [String: Any])
            lines = (source["counts"] as? [String: Any])?["lines"] as? Int ?? 0
        }
        #expect(try tool(daemon, "mark", "--when-fixed", "lost").status == 0)
        #expect(daemon.end(SIGTERM) == 0)
        let marks = try tool(daemon, "marks", "--json").objects()
        #expect(marks.map { $0["title"] as? String } == ["lost"])
        #expect(marks[0]["lat"] == nil)
    }

    @Test(
        arguments: [
            ("pause", #"{"duration":0}"#, "params.duration"),
            ("pause", #"{"duration":1e999}"#, "params.duration"),
            ("pause", #"{"duration":"1h"}"#, "params.duration"),
            ("pause", #"{"until":"tomorrow"}"#, "params.until"),
            ("resume", #"{"now":true}"#, "params.now"),
            ("mark", #"{"title":7}"#, "params.title"),
            ("mark", #"{"title":"\#(String(repeating: "x", count: 201))"}"#, "params.title"),
            ("mark", #"{"when_fixed":1}"#, "params.when_fixed"),
            ("mark", #"{"title":"a","title":"b"}"#, "params.title"),
        ])
    func `a bad parameter is refused by its name and nothing happens`(
        method: String, params: String, field: String
    ) throws {
        let daemon = try daemon("0.01")
        let client = try RawClient(daemon.socket.path)
        let error = try client.error(method, params)
        #expect([-32700, -32602].contains(error.code) && error.field == field, "\(error)")
        let status = try client.result("status")
        #expect(status["pause"] == nil)
        #expect(daemon.end(SIGTERM) == 0)
        #expect(try tool(daemon, "marks", "--json").objects().isEmpty)
    }
}
