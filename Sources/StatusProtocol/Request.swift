public import JSON

/// One request of a client: a JSON-RPC 2.0 object on a line, or a bare word.
public struct Request: Equatable, Sendable {
    /// What tells a client which reply belongs to which request.
    public enum ID: Equatable, Sendable {
        /// None: a bare word, or a request that could not be read.
        case null
        /// A whole number.
        case integer(Int64)
        /// Text.
        case string(String)
    }

    /// The client's mark; `nil` for a notification, which gets no reply.
    public var id: ID?
    /// The name of the method.
    public var method: String
    /// The parameters by name.
    public var params: JSONObject

    /// A request.
    public init(id: ID?, method: String, params: JSONObject = JSONObject()) {
        self.id = id
        self.method = method
        self.params = params
    }
}

/// A line that is not a request, with the reply it is owed.
public struct RequestError: Error, Equatable, Sendable {
    /// The id of the request as far as it could be read.
    public let id: Request.ID
    /// What is wrong with it.
    public let error: RPCError
}

extension Request {
    /// Reads one line without its line feed; a carriage return and spaces around are allowed.
    ///
    /// Members other than those of JSON-RPC 2.0 are refused, so that a misspelt one is not passed over.
    /// - Returns: `nil` for a blank line, which is no request and gets no reply.
    public static func parse(
        _ line: some BidirectionalCollection<UInt8>
    ) throws(RequestError) -> Request? {
        var line = line[...]
        while let last = line.last, isSpace(last) { line = line.dropLast() }
        line = line.drop(while: isSpace)
        guard let first = line.first else { return nil }
        // `null`, `true` and `false` are JSON and then no requests.
        let isLiteral = ["null", "true", "false"].contains { line.elementsEqual($0.utf8) }
        if isLetter(first | 0x20), !isLiteral {
            if let word = bareWord(line) { return Request(id: .null, method: word) }
            throw RequestError(
                id: .null,
                error: RPCError(
                    code: RPCError.Code.parse,
                    message: "not JSON: a request is one JSON object or one bare word, as status"))
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(line)
        } catch {
            let place = error.member.map { " in \"\($0)\"" } ?? ""
            throw RequestError(
                id: .null,
                error: RPCError(
                    code: RPCError.Code.parse, message: "not JSON: \(error)\(place)",
                    field: error.member))
        }
        return try Request(value)
    }

    private init(_ value: JSONValue) throws(RequestError) {
        guard let object = value.object else {
            let what =
                value.array == nil
                ? "a request is an object, not \(value.typeName)"
                : "a request is one object; batches are not taken"
            throw RequestError(id: .null, error: .invalidRequest(what))
        }
        // The id first: every other error is told with it.
        let id: ID?
        switch object["id"] {
        case nil: id = nil
        case .null?: id = .null
        case .integer(let number)?: id = .integer(number)
        case .string(let text)?: id = .string(text)
        case let other?:
            throw RequestError(
                id: .null,
                error: .invalidRequest(
                    "\"id\" must be a string, a whole number or null", field: "id", other))
        }
        do throws(RPCError) {
            self = try Request(id: id, object)
        } catch {
            throw RequestError(id: id ?? .null, error: error)
        }
    }

    private init(id: ID?, _ object: JSONObject) throws(RPCError) {
        for member in object.members where !Request.members.contains(member.name) {
            throw .invalidRequest(
                "unknown member \"\(member.name)\"; a request has jsonrpc, id, method and params",
                field: member.name)
        }
        guard object["jsonrpc"]?.string == "2.0" else {
            throw .invalidRequest("\"jsonrpc\" must be \"2.0\"", field: "jsonrpc")
        }
        guard let method = object["method"] else {
            throw .invalidRequest("\"method\" is missing", field: "method")
        }
        guard let name = method.string else {
            throw .invalidRequest("\"method\" must be a string", field: "method", method)
        }
        switch object["params"] {
        case nil, .array([])?: self.init(id: id, method: name)
        case .object(let params)?: self.init(id: id, method: name, params: params)
        case let other?:
            throw RPCError(
                code: RPCError.Code.invalidParams,
                message: "\"params\" must be an object, not \(other.typeName)", field: "params")
        }
    }

    private static let members = ["jsonrpc", "id", "method", "params"]

    private static func bareWord(_ line: some Collection<UInt8>) -> String? {
        guard line.count <= 32, line.allSatisfy({ isLetter($0) || $0 == UInt8(ascii: "_") }) else {
            return nil
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }
}

extension RPCError {
    fileprivate static func invalidRequest(
        _ message: String, field: String? = nil, _ found: JSONValue? = nil
    ) -> RPCError {
        let found = found.map { ", not \($0.typeName)" } ?? ""
        return RPCError(
            code: Code.invalidRequest, message: message + found, field: field)
    }
}
