import Testing

@testable import JSON

/// Right answers are those of RFC 8259, with the limits that `JSONValue.parse` states.
@Suite struct JSONTests {
    private func error(_ text: String, depth: Int = 16) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONValue.parse(text, maximumDepth: depth)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("null", JSONValue.null), ("true", .bool(true)), (" false\n", .bool(false)),
        ("17", .integer(17)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("1.5e3", .number(1500)),
        ("5.0", .number(5)), ("1e-400", .number(0)),
        (#""a\u00e9\n\ud83d\ude00""#, .string("aé\n😀")),
        ("[]", .array([])), ("[1,[2]]", .array([.integer(1), .array([.integer(2)])])),
    ])
    func `a sound value is read`(text: String, value: JSONValue) throws {
        #expect(try JSONValue.parse(text) == value)
    }

    @Test func `an object keeps the order of its members and finds them by name`() throws {
        let value = try JSONValue.parse(#"{"z":1,"a":{"b":"c"},"m":null}"#)
        #expect(value.object?.members.map(\.name) == ["z", "a", "m"])
        #expect(value["a"]?["b"]?.string == "c")
        #expect(value["nothing"] == nil)
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "[1] 2", "nul", "'a'", "01", "1.", ".5", "+1", "NaN",
        "{\"a\":1,\"a\":2}", "1e999", "9223372036854775808", "\"\\ud800\"", "\"\\u0000\"",
        "{\"\\u0000\":1}", "\"a\u{0}b\"", "\"tab\there\"", "{5:1}", "//c\n1", "\u{FEFF}1",
    ])
    func `a broken value is refused`(text: String) {
        #expect(error(text) != nil)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x31, 0x00],
            [0x5B, 0x31, 0x00, 0x5D],
        ] as [[UInt8]])
    func `broken UTF-8 and NUL bytes are refused`(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue.parse(bytes) }
    }

    @Test(
        arguments: [
            (#"{"id":1,"params":{"after":1e400}}"#, "params.after"),
            (#"{"id":1,"params":{"after":99999999999999999999,"x":1}}"#, "params.after"),
            (#"{"id":1,"params":{"x":{"y":2},"list":[1,{"z":3},"a\u0000"]}}"#, "params.list"),
            (#"{"a":"{\"b\":1,","c":"\ud800"}"#, "c"), (#"{"a":1,"a":2}"#, "a"),
            (#"[[{"a":[[[["#, "a"), ("[1,2,1e999]", nil), ("{", nil), ("", nil), (",,,", nil),
        ] as [(String, String?)])
    func `an error names the member at which reading stopped`(text: String, member: String?) {
        let error = error(text, depth: 4)
        #expect(error != nil && error?.member == member)
    }

    @Test func `an error names line and column, and does not repeat the input`() {
        let duplicate = error("{\"lat\": 51.5,\n \"lat\": 52}")
        #expect(duplicate?.line == 2)
        #expect(duplicate?.message == "duplicate object key \"lat\"")
        #expect(error("[1, secret]")?.message.contains("secret") == false)
    }

    @Test func `the deepest admitted nesting is read and one more is refused`() throws {
        let deep = { (count: Int) in
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(error(deep(16)) == nil)
        #expect(
            error("\n" + deep(17))
                == JSONError(
                    line: 2, column: 17, message: "nested more than 16 deep", member: nil))
        #expect(error(String(repeating: "{\"a\":", count: 1_000_000)) != nil)
    }

    @Test func `brackets in strings are no nesting`() throws {
        let text = "\"\\\"" + String(repeating: "[", count: 100) + "\""
        #expect(try JSONValue.parse(text).string?.count == 101)
    }

    @Test(arguments: [
        #"{"a":[1,-2,0.25,1e+20,true,false,null],"b":{},"c":"q\"\\\u000a\u007fé"}"#
    ])
    func `a value is written as it was read`(text: String) throws {
        #expect(try JSONValue.parse(text).serialized == text)
    }

    @Test func `a number that is not finite is written as null`() {
        #expect(JSONValue.array([.number(.nan), .number(.infinity)]).serialized == "[null,null]")
    }

    @Test func `setting a member replaces it in place, and nil removes it`() {
        var object = JSONObject()
        object["a"] = .integer(1)
        object["b"] = .integer(2)
        object["a"] = .integer(3)
        #expect(JSONValue.object(object).serialized == #"{"a":3,"b":2}"#)
        object["a"] = nil
        #expect(object.members.map(\.name) == ["b"])
    }
}
