/// A growing run of UTF-8 that numbers, times and escaped text are appended to, the same in every locale.
///
/// It exists so that nothing on the way out needs Foundation or `printf`: a decimal comma or an exponent
/// in a coordinate has broken other trackers' files.
public struct TextBuffer: Sendable {
    /// The bytes so far.
    public var bytes: [UInt8] = []

    /// An empty buffer.
    @inlinable
    public init() {}

    /// The bytes as text.
    public var string: String {
        // Only valid UTF-8 is appended.
        String(decoding: bytes, as: UTF8.self)
    }

    /// Appends ASCII that is known when the program is built.
    @inlinable
    public mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends text as it is.
    public mutating func append(text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends one byte of ASCII.
    @inlinable
    public mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends a whole number in decimal.
    public mutating func append(_ value: some BinaryInteger) {
        append(magnitude: UInt64(value.magnitude), negative: value < 0, width: 1)
    }

    /// Appends a whole number with leading zeros up to `width` digits.
    public mutating func append(_ value: Int, width: Int) {
        append(magnitude: UInt64(value.magnitude), negative: value < 0, width: width)
    }

    /// Appends `value` rounded half away from zero, without an exponent and without `-0`.
    ///
    /// - Parameters:
    ///   - value: finite; a NaN or infinity appends `null`, which is what JSON has for it.
    ///   - decimals: digits after the point, 0 to 12.
    ///   - trimming: drops trailing zeros (and the point) when true.
    public mutating func append(_ value: Double, decimals: Int, trimming: Bool = false) {
        guard value.isFinite, abs(value) < 1e15 else {
            append("null")
            return
        }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        // Exact below 2^63: the integer part is under 1e15 only when few decimals are asked.
        let scaled = (abs(value) * scale).rounded(.toNearestOrAwayFromZero)
        guard scaled < 9.2e18 else {
            append(value.rounded(), decimals: 0)
            return
        }
        var digits = UInt64(scaled)
        var places = decimals
        if trimming {
            while places > 0, digits % 10 == 0 {
                digits /= 10
                places -= 1
            }
        }
        if value < 0, digits != 0 { bytes.append(UInt8(ascii: "-")) }
        var divisor: UInt64 = 1
        for _ in 0..<places { divisor *= 10 }
        append(magnitude: digits / divisor, negative: false, width: 1)
        guard places > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        append(magnitude: digits % divisor, negative: false, width: places)
    }

    /// Appends `2026-05-01T10:00:00.000Z`.
    public mutating func append(_ time: UTCTime) {
        let date = time.date
        append(date.year, width: 4)
        append(byte: UInt8(ascii: "-"))
        append(date.month, width: 2)
        append(byte: UInt8(ascii: "-"))
        append(date.day, width: 2)
        append(byte: UInt8(ascii: "T"))
        append(timeOfDay: time.timeOfDay)
        append(byte: UInt8(ascii: "Z"))
    }

    /// Appends milliseconds of a day as `10:00:00.000`.
    public mutating func append(timeOfDay milliseconds: Int) {
        append(milliseconds / 3_600_000, width: 2)
        append(byte: UInt8(ascii: ":"))
        append(milliseconds / 60_000 % 60, width: 2)
        append(byte: UInt8(ascii: ":"))
        append(milliseconds / 1000 % 60, width: 2)
        append(byte: UInt8(ascii: "."))
        append(milliseconds % 1000, width: 3)
    }

    /// Appends a JSON string with its quotes; control characters are escaped (RFC 8259, section 7).
    public mutating func append(json text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20, 0x7F:
                append("\\u00")
                bytes.append(TextBuffer.hexDigit(byte >> 4))
                bytes.append(TextBuffer.hexDigit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends character data for XML 1.0; characters XML cannot hold become U+FFFD (section 2.2).
    public mutating func append(xml text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "\t", "\n", "\r": bytes.append(UInt8(scalar.value))
            default:
                let bad = scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
                bytes.append(contentsOf: String(bad ? "\u{FFFD}" : scalar).utf8)
            }
        }
    }

    /// The lower-case hexadecimal digit of 0 to 15.
    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 48 + value : 87 + value
    }

    private mutating func append(magnitude: UInt64, negative: Bool, width: Int) {
        if negative { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = magnitude
        repeat {
            bytes.append(48 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        while bytes.count - start < width { bytes.append(48) }
        bytes[start...].reverse()
    }
}
