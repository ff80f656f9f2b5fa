/// Why a request was not done, as JSON-RPC 2.0 tells it.
public struct RPCError: Error, Equatable, Sendable {
    /// A number of ``Code``.
    public let code: Int64
    /// What is wrong, in words a person can act on.
    public let message: String
    /// The member of the request that is wrong, as `params.kinds`; `nil` when it is none in particular.
    public let field: String?

    /// An error.
    public init(code: Int64, message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }

    /// The codes; those from -32768 to -32600 are the specification's (section 5.1).
    public enum Code {
        /// The line is not JSON.
        public static let parse: Int64 = -32700
        /// The line is JSON and not a request.
        public static let invalidRequest: Int64 = -32600
        /// No such method.
        public static let methodNotFound: Int64 = -32601
        /// A parameter is unknown, missing, of the wrong type or out of range.
        public static let invalidParams: Int64 = -32602
        /// The daemon failed.
        public static let internalError: Int64 = -32603
        /// The client lacks a right.
        public static let notPermitted: Int64 = -32001
        /// It cannot be done in the present state.
        public static let unavailable: Int64 = -32002
        /// Too many clients.
        public static let busy: Int64 = -32003
        /// The client did not read what it was sent, or did not ask in time; it is disconnected.
        public static let tooSlow: Int64 = -32004
    }
}

extension RPCError {
    /// A right is missing; the message says which and who has it.
    public static func notPermitted(_ message: String) -> RPCError {
        RPCError(code: Code.notPermitted, message: message)
    }

    /// It cannot be done in the present state.
    public static func unavailable(_ message: String) -> RPCError {
        RPCError(code: Code.unavailable, message: message)
    }

    /// A parameter is not what the method takes.
    public static func invalidParameter(_ name: String, _ message: String) -> RPCError {
        RPCError(
            code: Code.invalidParams, message: "parameter \"\(name)\" \(message)",
            field: "params.\(name)")
    }
}
