import CSystemd

/// A value of a D-Bus message; variants are taken out of their wrapping.
public indirect enum BusValue: Equatable, Sendable {
    /// A string, an object path or a signature.
    case text(String)
    /// A truth value.
    case boolean(Bool)
    /// An integer of any width and sign.
    case integer(Int64)
    /// A floating-point number.
    case number(Double)
    /// A file descriptor, the message's.
    case descriptor(Int32)
    /// An array or a structure.
    case list([BusValue])
    /// One entry of a dictionary.
    case entry(BusValue, BusValue)

    /// The text; `nil` for anything else.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The truth value; `nil` for anything else.
    public var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The integer; `nil` for anything else.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, of an integer too; `nil` for anything else.
    public var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The elements; empty for what has none.
    public var elements: [BusValue] {
        if case .list(let elements) = self { elements } else { [] }
    }

    /// What a dictionary has under a key.
    public subscript(key: String) -> BusValue? {
        for case .entry(.text(key), let value) in elements { return value }
        return nil
    }
}

/// What is sent: a value of one of D-Bus's simple types.
public enum BusArgument: Equatable, Sendable {
    /// `s`.
    case text(String)
    /// `b`.
    case boolean(Bool)
    /// `u`.
    case unsigned(UInt32)
}

extension BusValue {
    /// Reads what is left of a message, or of the container that was entered.
    ///
    /// The C functions are `sd_bus_message_peek_type`, `sd_bus_message_enter_container` and
    /// `sd_bus_message_read_basic`. A message that breaks off gives what came before.
    static func readAll(_ message: OpaquePointer, depth: Int = 0) -> [BusValue] {
        var values: [BusValue] = []
        while let value = unsafe read(message, depth) { values.append(value) }
        return values
    }

    private static func read(_ message: OpaquePointer, _ depth: Int) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_peek_type(message, &type, &contents) > 0, depth < 32 else {
            return nil
        }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "v"), UInt8(ascii: "e"):
            guard unsafe sd_bus_message_enter_container(message, type, contents) >= 0 else {
                return nil
            }
            let inner = unsafe readAll(message, depth: depth + 1)
            guard unsafe sd_bus_message_exit_container(message) >= 0 else { return nil }
            if type == CChar(UInt8(ascii: "v")) { return inner.first }
            if type == CChar(UInt8(ascii: "e")) {
                return inner.count == 2 ? .entry(inner[0], inner[1]) : nil
            }
            return .list(inner)
        default: return unsafe readBasic(message, type)
        }
    }

    private static func readBasic(_ message: OpaquePointer, _ type: CChar) -> BusValue? {
        func value<Plain: BitwiseCopyable>(_ plain: Plain) -> Plain? {
            var plain = plain
            return unsafe sd_bus_message_read_basic(message, type, &plain) > 0 ? plain : nil
        }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
            var text: UnsafePointer<CChar>?
            guard unsafe sd_bus_message_read_basic(message, type, &text) > 0, let text = unsafe text
            else { return nil }
            return unsafe .text(String(cString: text))
        case UInt8(ascii: "b"): return value(Int32(0)).map { .boolean($0 != 0) }
        case UInt8(ascii: "y"): return value(UInt8(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "n"): return value(Int16(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "q"): return value(UInt16(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "i"): return value(Int32(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "u"): return value(UInt32(0)).map { .integer(Int64($0)) }
        case UInt8(ascii: "x"): return value(Int64(0)).map { .integer($0) }
        case UInt8(ascii: "t"): return value(UInt64(0)).map { .integer(Int64(clamping: $0)) }
        case UInt8(ascii: "d"): return value(0.0).map { .number($0) }
        case UInt8(ascii: "h"): return value(Int32(-1)).map { .descriptor($0) }
        default: return nil
        }
    }
}
