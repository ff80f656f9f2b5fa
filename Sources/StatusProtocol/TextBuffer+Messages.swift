public import GNSS
import JSON

extension TextBuffer {
    /// Appends the reply to a request, one line, with what `result` appends as its result.
    ///
    /// When `result` throws, nothing of it stays in the buffer and the reply is the error.
    public mutating func appendReply(
        to id: Request.ID, _ result: (inout TextBuffer) throws(RPCError) -> Void
    ) {
        let start = bytes.count
        beginReply(to: id)
        append("\"result\":")
        do throws(RPCError) {
            try result(&self)
            append("}\n")
        } catch {
            bytes.removeSubrange(start...)
            appendError(to: id, error)
        }
    }

    /// Appends the reply to a request that was not done, one line.
    public mutating func appendError(to id: Request.ID, _ error: RPCError) {
        beginReply(to: id)
        append("\"error\":{\"code\":")
        append(error.code)
        append(",\"message\":")
        append(json: error.message)
        if let field = error.field {
            append(",\"data\":{\"field\":")
            append(json: field)
            append("}")
        }
        append("}}\n")
    }

    /// Appends a notification, one line, with what `params` appends as its parameters.
    public mutating func appendNotification(
        _ method: StaticString, _ params: (inout TextBuffer) -> Void
    ) {
        append("{\"jsonrpc\":\"2.0\",\"method\":\"")
        append(method)
        append("\",\"params\":")
        params(&self)
        append("}\n")
    }

    /// Appends a request, one line.
    public mutating func append(request: Request) {
        append("{\"jsonrpc\":\"2.0\",")
        if let id = request.id { append(id: id) }
        append("\"method\":")
        append(json: request.method)
        if !request.params.members.isEmpty {
            append(",\"params\":")
            JSONValue.object(request.params).append(to: &bytes)
        }
        append("}\n")
    }

    private mutating func beginReply(to id: Request.ID) {
        append("{\"jsonrpc\":\"2.0\",")
        append(id: id)
    }

    private mutating func append(id: Request.ID) {
        append("\"id\":")
        switch id {
        case .null: append("null")
        case .integer(let number): append(number)
        case .string(let text): append(json: text)
        }
        append(",")
    }
}
