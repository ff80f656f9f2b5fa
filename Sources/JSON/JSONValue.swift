/// One value of JSON (RFC 8259) as it came from outside.
public enum JSONValue: Equatable, Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; finite.
    case number(Double)
    /// Text without NUL.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members in order, no name twice.
    case object(JSONObject)
}

extension JSONValue {
    /// The text; `nil` when it is not a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The whole number; `nil` when it is not an integer (`5.0` is none).
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, whole or not; `nil` when it is neither.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The truth value; `nil` when it is not a boolean.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements; `nil` when it is not an array.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members; `nil` when it is not an object.
    public var object: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The member of that name; `nil` when there is none or this is not an object.
    public subscript(name: String) -> JSONValue? {
        object?[name]
    }

    /// What it is, for messages: `null`, `a boolean`, `a number`, `a string`, `an array` or `an object`.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The members of a JSON object in the order in which they were written.
///
/// Lookup is linear: objects of the formats read here have tens of members.
public struct JSONObject: Equatable, Sendable {
    /// One name with its value.
    public struct Member: Equatable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// A member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members in order.
    public private(set) var members: [Member] = []

    /// An object without members.
    public init() {}

    /// The value of that name; setting `nil` removes the member, a new name goes to the end.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let place = members.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Appends a member whose name is known to be new.
    mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }

    mutating func reserve(_ count: Int) {
        members.reserveCapacity(count)
    }
}
