import Foundation
import Testing

/// What a daemon says of its methods, against what it answers.
@Suite struct ProtocolTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Told {
        let name: String
        let params: [String: [String: Any]]
        let required: [String]
        let result: [String: Any]
    }

    private func methods(_ client: RawClient) throws -> (methods: [Told], notices: [Told]) {
        func read(_ list: Any?, _ result: String) throws -> [Told] {
            try #require(list as? [[String: Any]]).map { entry in
                let params = try #require(entry["params"] as? [String: Any])
                return Told(
                    name: try #require(entry["name"] as? String),
                    params: params["properties"] as? [String: [String: Any]] ?? [:],
                    required: params["required"] as? [String] ?? [],
                    result: try #require(entry[result] as? [String: Any]))
            }
        }
        let answer = try client.result("methods")
        return (try read(answer["methods"], "result"), try read(answer["notifications"], "params"))
    }

    @Test func `every reply and notification is as methods describes it`() throws {
        let daemon = try RunningDaemon(in: folder, ["--speed", "50"])
        let watcher = try RawClient(daemon.socket.path)
        _ = try watcher.ask("watch")
        // Before the first fix there is none to describe.
        var lines: [[String: Any]] = []
        repeat {
            lines.append(try watcher.object())
        } while lines.last?["method"] as? String != "fix"
        let client = try RawClient(daemon.socket.path)
        let (methods, notices) = try methods(client)
        let params = [
            "set": #"{"name":"CommitEvery","value":"2s"}"#, "get": #"{"name":"CommitEvery"}"#,
            "why": #"{"time":"2026-03-14T23:00:00Z"}"#, "mark": #"{"title":"t","when_fixed":true}"#,
            "forget": #"{"until":"1990-01-01T00:00:00Z"}"#,
            "watch": #"{"kinds":["fixes"],"after":0}"#, "pause": #"{"duration":100}"#,
        ]
        // The others first: after pause there is nothing to locate, after watch lines come by themselves.
        let order =
            methods.map(\.name).filter { !["pause", "resume", "watch"].contains($0) }
            + ["pause", "resume", "watch"]
        for name in order {
            let told = try #require(methods.first { $0.name == name })
            let reply = try client.ask(name, params[name] ?? "{}")
            let result = try #require(reply["result"], "\(name): \(reply)")
            if name == "methods" { continue }
            #expect(JSONSchema.faults(in: result, by: told.result, at: name) == [])
        }
        // The pause has ended a cycle and the going on begins another segment.
        var heard: Set<String> = []
        while heard.count < notices.count {
            let line = try lines.isEmpty ? watcher.object() : lines.removeFirst()
            let name = try #require(line["method"] as? String)
            let told = try #require(notices.first { $0.name == name })
            heard.insert(name)
            #expect(
                JSONSchema.faults(in: try #require(line["params"]), by: told.result, at: name)
                    == [])
        }
    }

    /// Values that a parameter does not take, as JSON, made from what is told of it.
    private func bad(_ schema: [String: Any]) -> [String] {
        if schema["type"] is [String] { return ["{}", "[[1]]", "[null]"] }
        switch schema["type"] as? String {
        case "string":
            let limit = (schema["maxLength"] as? Int).map {
                ["\"" + String(repeating: "x", count: $0 + 1) + "\""]
            }
            return ["7", "null", "true", "[]", "{}", "[\"a\"]"] + (limit ?? ["\"nonsense\""])
        case "array": return ["7", "\"fixes\"", "{}", "[7]", "[\"nonsense\"]", "[[]]", "null"]
        case "boolean": return ["1", "0", "\"true\"", "null", "[]", "{}"]
        case "integer", "number":
            let low = (schema["minimum"] as? NSNumber)?.doubleValue ?? 0
            return ["\"ten\"", "null", "[]", "{}", "true", "\(low - 1)", "1e300", "-1e300"]
                + (schema["type"] as? String == "integer" ? ["1.5", "9223372036854775807"] : [])
        default: return []
        }
    }

    @Test func `no method takes a parameter that it does not describe, and none harms`() throws {
        let daemon = try RunningDaemon(in: folder)
        let client = try RawClient(daemon.socket.path)
        let before = try client.result("config")
        var asked = 0
        func expect(_ method: String, _ params: String, _ field: String) throws {
            let error = try client.error(method, params)
            #expect(error.code == -32602, "\(method) \(params): \(error)")
            #expect(error.field == "params.\(field)", "\(method) \(params): \(error)")
            #expect(error.message.contains("\"\(field)\""), "\(method) \(params): \(error)")
            asked += 1
        }
        for method in try methods(client).methods {
            try expect(method.name, "{\"zzz\":1}", "zzz")
            for name in method.required {
                let others = method.required.filter { $0 != name }.map {
                    "\"\($0)\":\"CommitEvery\""
                }
                try expect(method.name, "{\(others.joined(separator: ","))}", name)
            }
            for (name, schema) in method.params {
                for value in bad(schema) {
                    try expect(method.name, "{\"\(name)\":\(value)}", name)
                }
            }
        }
        #expect(asked > 100)
        #expect(try client.result("config") as NSDictionary == before as NSDictionary)
        #expect(try client.result("status")["pause"] == nil)
        let clients = try #require(try client.result("status")["clients"] as? [String: Any])
        #expect(clients["accepted"] as? Int == 1 && clients["dropped"] as? Int == 0)
    }

    @Test(arguments: [
        // The scenario of a public bug report: a number where a text is expected, and its kind.
        #"{"cmd":5}"#, #"{"cmd":null}"#, #"{"cmd":["status"]}"#, "[]", #""status""#, "17",
        #"{"cmd":"status","id":{}}"#, #"{"cmd":"set","interval":"ten"}"#,
        #"{"cmd":"set","interval":-1}"#, "1e999", #"{"cmd":"status","cmd":"stop"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"name":"a","name":"b"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":5}"#, #"{"jsonrpc":"2.0","id":1}"#,
        #"{"jsonrpc":2.0,"id":1,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":[],"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":1.5,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":1e400,"method":"status"}"#,
        #"{"jsonrpc":"2.0","id":99999999999999999999,"method":"status"}"#,
        #"[{"jsonrpc":"2.0","id":1,"method":"status"},{"jsonrpc":"2.0","id":2,"method":"fix"}]"#,
        #"{"jsonrpc":"2.0","id":1,"method":"status"}{"jsonrpc":"2.0","id":2,"method":"fix"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"status"#, "stop", "reboot", "sta\u{0}tus", "\u{7F}",
        #"{"jsonrpc":"2.0","id":1,"method":"sta\u0000tus"}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\",\"params\":"
            + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000) + "}",
        String(repeating: "{\"a\":", count: 2000), String(repeating: "x", count: 20_000),
    ])
    func `a line that is no request gets one error and the connection stays usable`(
        line: String
    ) throws {
        let daemon = try RunningDaemon(in: folder)
        let client = try RawClient(daemon.socket.path)
        let before = try client.result("config")
        client.send(line + "\n")
        let reply = try client.object()
        let error = try #require(reply["error"] as? [String: Any], "\(reply)")
        #expect(try #require(error["code"] as? Int) < -32000)
        #expect(try #require(error["message"] as? String).count > 5)
        // The next line is the answer to the next request: it was one error.
        #expect(try client.ask("version")["result"] != nil)
        #expect(try client.result("config") as NSDictionary == before as NSDictionary)
    }
}
