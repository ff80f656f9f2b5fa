import GNSS
import JSON

/// One parameter of a method: its type, range and unit.
public struct Parameter: Sendable {
    /// What values it takes.
    public enum Kind: Sendable {
        /// Text of at most that many bytes.
        case text(atMost: Int)
        /// One word of a list.
        case word([String])
        /// An array of words of a list.
        case words([String])
        /// A whole number in a range.
        case integer(ClosedRange<Int64>)
        /// A number in a range.
        case number(ClosedRange<Double>)
        /// A truth value.
        case flag
        /// An instant: RFC 3339 with its zone.
        case time
        /// The value of a setting: text, number, truth value, an array of those, or null for none.
        case setting
    }

    /// The name.
    public let name: String
    /// What values it takes.
    public let kind: Kind
    /// The unit of a number, as `s`.
    public let unit: String?
    /// What it is for and what its absence means, one sentence.
    public let summary: String
    /// Whether it must be there.
    public let isRequired: Bool

    /// A parameter.
    public init(
        _ name: String, _ kind: Kind, unit: String? = nil, required: Bool = false,
        _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.summary = summary
        isRequired = required
    }

    /// Checks type and range of a value.
    func check(_ value: JSONValue) throws(RPCError) {
        switch kind {
        case .text(let limit):
            guard let text = value.string else { throw wrongType(value, "a string") }
            guard text.utf8.count <= limit else {
                throw .invalidParameter(name, "is longer than \(limit) bytes")
            }
        case .word(let words):
            guard let word = value.string else { throw wrongType(value, "a string") }
            try check(word, in: words)
        case .words(let words):
            guard let array = value.array else { throw wrongType(value, "an array of strings") }
            for element in array {
                guard let word = element.string else {
                    throw wrongType(element, "an array of strings")
                }
                try check(word, in: words)
            }
        case .integer(let range):
            guard let number = value.integer else { throw wrongType(value, "a whole number") }
            guard range.contains(number) else {
                throw .invalidParameter(
                    name, "must be from \(range.lowerBound) to \(range.upperBound)")
            }
        case .number(let range):
            guard let number = value.number else { throw wrongType(value, "a number") }
            guard range.contains(number) else {
                var words = TextBuffer()
                words.append("must be from ")
                words.append(range.lowerBound, decimals: 3, trimming: true)
                words.append(" to ")
                words.append(range.upperBound, decimals: 3, trimming: true)
                throw .invalidParameter(name, String(decoding: words.bytes, as: UTF8.self))
            }
        case .flag:
            guard value.bool != nil else { throw wrongType(value, "true or false") }
        case .time:
            guard let text = value.string else { throw wrongType(value, "a string") }
            guard UTCTime(text) != nil else {
                throw .invalidParameter(name, "must be a time as 2026-03-01T14:00:00Z")
            }
        case .setting: try checkSetting(value)
        }
    }

    private func checkSetting(_ value: JSONValue) throws(RPCError) {
        switch value {
        case .null, .bool, .integer, .number: break
        case .string(let text):
            guard text.utf8.count <= 4096 else {
                throw .invalidParameter(name, "is longer than 4096 bytes")
            }
        case .array(let elements):
            for element in elements {
                guard element.array == nil, element != .null else {
                    throw wrongType(element, "an array of plain values")
                }
                try checkSetting(element)
            }
        case .object: throw wrongType(value, "a plain value or an array of such")
        }
    }

    private func check(_ word: String, in words: [String]) throws(RPCError) {
        guard words.contains(word) else {
            throw .invalidParameter(name, "must be one of \(words.joined(separator: ", "))")
        }
    }

    private func wrongType(_ value: JSONValue, _ wanted: String) -> RPCError {
        .invalidParameter(name, "must be \(wanted), not \(value.typeName)")
    }

    /// Appends its JSON Schema.
    func append(to buffer: inout TextBuffer) {
        switch kind {
        case .text(let limit):
            buffer.append("{\"type\":\"string\",\"maxLength\":")
            buffer.append(limit)
        case .word(let words):
            buffer.append("{\"type\":\"string\",\"enum\":")
            append(words, to: &buffer)
        case .words(let words):
            buffer.append("{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":")
            append(words, to: &buffer)
            buffer.append("}")
        case .integer(let range):
            buffer.append("{\"type\":\"integer\",\"minimum\":")
            buffer.append(range.lowerBound)
            buffer.append(",\"maximum\":")
            buffer.append(range.upperBound)
        case .number(let range):
            buffer.append("{\"type\":\"number\",\"minimum\":")
            buffer.append(range.lowerBound, decimals: 3, trimming: true)
            buffer.append(",\"maximum\":")
            buffer.append(range.upperBound, decimals: 3, trimming: true)
        case .flag: buffer.append("{\"type\":\"boolean\"")
        case .time: buffer.append("{\"type\":\"string\",\"format\":\"date-time\"")
        case .setting:
            buffer.append("{\"type\":[\"string\",\"number\",\"boolean\",\"array\",\"null\"]")
        }
        if let unit {
            buffer.append(",\"unit\":")
            buffer.append(json: unit)
        }
        buffer.append(",\"description\":")
        buffer.append(json: summary)
        buffer.append("}")
    }

    private func append(_ words: [String], to buffer: inout TextBuffer) {
        JSONValue.array(words.map { .string($0) }).append(to: &buffer.bytes)
    }
}
