public import GNSS
public import JSON

/// What a client may do.
public enum Role: UInt8, Comparable, Sendable {
    /// Look.
    case reader = 0
    /// Look and change.
    case controller = 1

    /// The name used in messages and in `methods`.
    public var name: String {
        self == .reader ? "reader" : "controller"
    }

    /// Who has it, for messages.
    public var holders: String {
        switch self {
        case .reader: "root, the user of tracklogd and those that Readers= and Controllers= name"
        case .controller: "root, the user of tracklogd and those that Controllers= names"
        }
    }

    /// Whether `a` may do less than `b`.
    public static func < (a: Role, b: Role) -> Bool {
        a.rawValue < b.rawValue
    }
}

/// One method of the socket: its name, what it takes and who may call it.
public struct Method: Sendable {
    /// The name.
    public let name: String
    /// What it does, one sentence.
    public let summary: String
    /// Who may call it.
    public let role: Role
    /// What it takes.
    public let parameters: [Parameter]
    /// Appends the JSON Schema of its result.
    public let resultSchema: @Sendable (inout TextBuffer) -> Void

    /// A method.
    public init(
        _ name: String, _ summary: String, role: Role = .reader, parameters: [Parameter] = [],
        resultSchema: @escaping @Sendable (inout TextBuffer) -> Void = { buffer in
            buffer.append("{\"type\":\"object\"}")
        }
    ) {
        self.name = name
        self.summary = summary
        self.role = role
        self.parameters = parameters
        self.resultSchema = resultSchema
    }

    /// Checks that `params` are what the method takes; handlers then read them without checks.
    public func check(_ params: JSONObject) throws(RPCError) {
        for member in params.members {
            guard let parameter = parameters.first(where: { $0.name == member.name }) else {
                let known = parameters.map(\.name).joined(separator: ", ")
                throw .invalidParameter(
                    member.name,
                    "is unknown; \(name) takes \(known.isEmpty ? "no parameters" : known)")
            }
            try parameter.check(member.value)
        }
        for parameter in parameters where parameter.isRequired && params[parameter.name] == nil {
            throw .invalidParameter(parameter.name, "is missing")
        }
    }

    /// Appends its description as one JSON object; parameters and result are JSON Schemas.
    public func append(to buffer: inout TextBuffer) {
        buffer.append("{\"name\":")
        buffer.append(json: name)
        buffer.append(",\"summary\":")
        buffer.append(json: summary)
        buffer.append(",\"role\":")
        buffer.append(json: role.name)
        buffer.append(",\"params\":{\"type\":\"object\",\"properties\":{")
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.append(json: parameter.name)
            buffer.append(":")
            parameter.append(to: &buffer)
        }
        buffer.append("},\"required\":[")
        for (index, parameter) in parameters.filter(\.isRequired).enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.append(json: parameter.name)
        }
        buffer.append("],\"additionalProperties\":false},\"result\":")
        resultSchema(&buffer)
        buffer.append("}")
    }
}
