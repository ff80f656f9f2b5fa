import GNSS
import JSON
import StatusProtocol
import Testing

@Suite struct RequestTests {
    private func error(_ line: String) -> RequestError? {
        do throws(RequestError) {
            _ = try Request.parse(Array(line.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["status", " status \r", "watch"])
    func `a bare word is a request without parameters that is answered`(line: String) throws {
        let request = try Request.parse(Array(line.utf8))
        #expect(request?.method == line.filter(\.isLetter))
        #expect(request?.id == .null)
    }

    @Test(arguments: ["", " ", "\r", "\t \r"])
    func `a blank line is no request`(line: String) throws {
        #expect(try Request.parse(Array(line.utf8)) == nil)
    }

    // JSON-RPC 2.0, sections 4 and 7.
    @Test func `a request has its id, method and parameters`() throws {
        var params = JSONObject()
        params["kinds"] = .array([.string("fixes")])
        #expect(
            try Request.parse(
                Array(
                    #"{"jsonrpc":"2.0","method":"watch","params":{"kinds":["fixes"]},"id":"a"}"#
                        .utf8)) == Request(id: .string("a"), method: "watch", params: params))
        #expect(
            try Request.parse(Array(#"{"id":7,"jsonrpc":"2.0","method":"fix","params":[]}"#.utf8))
                == Request(id: .integer(7), method: "fix"))
    }

    @Test func `a request without an id is a notification`() throws {
        let request = try Request.parse(Array(#"{"jsonrpc":"2.0","method":"flush"}"#.utf8))
        #expect(request == Request(id: nil, method: "flush"))
    }

    // Bug corpus B080, with its kind: each gets one error that names the field.
    @Test(arguments: [
        (#"{"cmd":5}"#, RPCError.Code.invalidRequest, "cmd"),
        (#"{"cmd":null}"#, RPCError.Code.invalidRequest, "cmd"),
        (#"{"cmd":["status"]}"#, RPCError.Code.invalidRequest, "cmd"),
        (#"{"cmd":"status","id":{}}"#, RPCError.Code.invalidRequest, "id"),
        (#"{"cmd":"set","interval":"ten"}"#, RPCError.Code.invalidRequest, "cmd"),
        (#"{"jsonrpc":"2.0","method":5}"#, RPCError.Code.invalidRequest, "method"),
        (#"{"jsonrpc":"2.0","id":1}"#, RPCError.Code.invalidRequest, "method"),
        (#"{"jsonrpc":2.0,"method":"status"}"#, RPCError.Code.invalidRequest, "jsonrpc"),
        (#"{"method":"status"}"#, RPCError.Code.invalidRequest, "jsonrpc"),
        (#"{"jsonrpc":"2.0","method":"status","id":1.5}"#, RPCError.Code.invalidRequest, "id"),
        (#"{"jsonrpc":"2.0","method":"status","id":true}"#, RPCError.Code.invalidRequest, "id"),
        (#"{"jsonrpc":"2.0","method":"set","params":5}"#, RPCError.Code.invalidParams, "params"),
        (#"{"jsonrpc":"2.0","method":"set","params":[1]}"#, RPCError.Code.invalidParams, "params"),
    ])
    func `a wrong member is named`(line: String, code: Int64, field: String) {
        #expect(error(line)?.error.code == code)
        #expect(error(line)?.error.field == field)
        #expect(error(line)?.error.message.contains("\"\(field)\"") == true)
    }

    @Test(arguments: ["[]", #"[{"jsonrpc":"2.0","method":"status","id":1}]"#, #""status""#, "17"])
    func `what is not an object gets one error`(line: String) {
        #expect(error(line)?.error.code == RPCError.Code.invalidRequest)
        #expect(error(line)?.id == .null)
    }

    @Test(arguments: [
        "1e999", #"{"cmd":"status","cmd":"stop"}"#, "{", "status now", "STATUS", "\u{0}",
        "sta\u{0}tus", "{\"method\":\"\u{0}\"}", "{'a':1}", "näh", "\u{FEFF}{}",
        String(repeating: "[", count: 10_000), String(repeating: "a", count: 10_000),
    ])
    func `what is not JSON is a parse error`(line: String) {
        #expect(error(line)?.error.code == RPCError.Code.parse)
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"after":1e400}}"#, "params.after"),
        (#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"status"}"#, "id"),
        (#"{"jsonrpc":"2.0","method":"status","method":"pause"}"#, "method"),
        (#"{"jsonrpc":"2.0","method":"mark","params":{"title":"a\u0000"}}"#, "params.title"),
        (
            #"{"jsonrpc":"2.0","method":"mark","params":"# + String(repeating: "[", count: 99),
            "params"
        ),
    ])
    func `a member that is not JSON is named`(line: String, field: String) {
        #expect(error(line)?.error.field == field)
        #expect(error(line)?.error.message.contains("\"\(field)\"") == true)
    }

    @Test(arguments: ["status now", "STATUS", "get Policy", "GET / HTTP/1.1"])
    func `words that are no bare word are told what a request is`(line: String) {
        #expect(error(line)?.error.message.contains("one bare word, as status") == true)
    }

    @Test func `a name given twice is named`() {
        #expect(error(#"{"cmd":"status","cmd":"stop"}"#)?.error.message.contains("\"cmd\"") == true)
    }

    @Test func `broken UTF-8 is a parse error`() {
        #expect(throws: RequestError.self) {
            try Request.parse(
                Array(#"{"jsonrpc":"2.0","method":""#.utf8) + [0xFF] + Array("\"}".utf8))
        }
    }

    @Test func `an error keeps the id that could be read`() {
        #expect(error(#"{"id":"x","jsonrpc":"2.0"}"#)?.id == .string("x"))
    }

    @Test func `a request is read as it was written`() throws {
        var params = JSONObject()
        params["interval"] = .number(0.5)
        for id in [nil, .null, .integer(-3), .string("\"\n")] as [Request.ID?] {
            let request = Request(id: id, method: "watch", params: params)
            var buffer = TextBuffer()
            buffer.append(request: request)
            #expect(buffer.bytes.last == 0x0A)
            #expect(try Request.parse(buffer.bytes.dropLast()) == request)
        }
    }
}

@Suite struct MethodTests {
    private func error(_ method: StatusProtocol.Method, _ params: String) throws -> RPCError? {
        let object = try #require(try JSONValue.parse(params).object)
        do throws(RPCError) {
            try method.check(object)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["{}", #"{"kinds":[]}"#, #"{"kinds":["fixes","state"],"interval":0.5}"#])
    func `parameters in range are taken`(params: String) throws {
        #expect(try error(.watch, params) == nil)
    }

    @Test(arguments: [
        (#"{"interval":"ten"}"#, "params.interval"), (#"{"interval":-1}"#, "params.interval"),
        (#"{"interval":1e9}"#, "params.interval"), (#"{"interval":null}"#, "params.interval"),
        (#"{"kinds":"fixes"}"#, "params.kinds"), (#"{"kinds":["fix"]}"#, "params.kinds"),
        (#"{"kinds":[5]}"#, "params.kinds"), (#"{"kind":["fixes"]}"#, "params.kind"),
    ])
    func `a wrong parameter is named`(params: String, field: String) throws {
        let error = try error(.watch, params)
        #expect(error?.code == RPCError.Code.invalidParams)
        #expect(error?.field == field)
    }

    @Test func `each kind of parameter is checked, and a required one asked for`() throws {
        let method = Method(
            "try", "Tries.",
            parameters: [
                Parameter("title", .text(atMost: 4), required: true, "A title."),
                Parameter("count", .integer(0...9), "A count."),
                Parameter("how", .word(["fast", "well"]), "A way."),
                Parameter("now", .flag, "At once."),
            ])
        #expect(try error(method, #"{"title":"abcd","count":9,"how":"well","now":true}"#) == nil)
        for (params, field) in [
            ("{}", "title"), (#"{"title":"abcde"}"#, "title"), (#"{"title":1}"#, "title"),
            (#"{"title":"a","count":10}"#, "count"), (#"{"title":"a","count":1.5}"#, "count"),
            (#"{"title":"a","how":"so"}"#, "how"), (#"{"title":"a","how":1}"#, "how"),
            (#"{"title":"a","now":1}"#, "now"),
        ] {
            #expect(try error(method, params)?.field == "params.\(field)", "\(params)")
        }
        var buffer = TextBuffer()
        method.append(to: &buffer)
        let schema = try JSONValue.parse(buffer.bytes)["params"]
        #expect(schema?["required"] == .array([.string("title")]))
        #expect(schema?["properties"]?["count"]?["maximum"] == .integer(9))
    }

    @Test(arguments: [
        Method.status, .fix, .sky, .watch, .version, .methods, .flush,
    ])
    func `a method describes itself in JSON`(method: StatusProtocol.Method) throws {
        var buffer = TextBuffer()
        method.append(to: &buffer)
        let value = try JSONValue.parse(buffer.bytes)
        #expect(value["name"]?.string == method.name)
        #expect(value["role"]?.string == method.role.name)
        #expect(value["params"]?["additionalProperties"]?.bool == false)
        #expect(value["result"]?["type"]?.string == "object")
    }
}

@Suite struct ReplyTests {
    @Test func `a reply and an error are lines of JSON-RPC`() {
        var buffer = TextBuffer()
        buffer.appendReply(to: .integer(1)) { $0.append("{\"a\":1}") }
        buffer.appendReply(to: .string("x")) { buffer throws(RPCError) in
            buffer.append("half of")
            throw RPCError(code: -32602, message: "no \"a\"", field: "params.a")
        }
        buffer.appendNotification("state") { $0.append("{}") }
        #expect(
            buffer.string == """
                {"jsonrpc":"2.0","id":1,"result":{"a":1}}
                {"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"no \\"a\\"",\
                "data":{"field":"params.a"}}}
                {"jsonrpc":"2.0","method":"state","params":{}}

                """)
    }
}
