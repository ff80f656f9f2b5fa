/// Reads the comma-separated fields of one sentence from left to right.
///
/// Each call takes one field with its comma; past the last field every field is empty, and
/// ``hasNext`` is false. Numbers come as scaled integers: no `String`, no `Double`, no allocation.
/// The bounds are those of ``Body``.
struct FieldCursor {
    /// A number that is not there or is none.
    static let absent = Int64.min

    private let body: Body
    /// Where the next field begins; `body.count` is an empty field behind a last comma, more is
    /// none.
    private var at: Int

    /// At the first field after `offset` bytes.
    @inline(__always)
    init(_ body: Body, from offset: Int) {
        self.body = body
        at = offset
    }

    /// Goes on behind the comma at or after `index`; `false` when the field did not end at `index`.
    @inline(__always) @discardableResult
    private mutating func end(at index: Int) -> Bool {
        var index = index
        let clean = index >= body.count || body[index] == UInt8(ascii: ",")
        if !clean {
            repeat { index &+= 1 } while index < body.count && body[index] != UInt8(ascii: ",")
        }
        at = index &+ 1
        return clean
    }

    /// Whether the field that comes next exists.
    @inline(__always)
    var hasNext: Bool { at <= body.count }

    /// Passes over one field.
    @inline(__always)
    mutating func skip() {
        guard at <= body.count else { return }
        end(at: at)
    }

    /// Passes over `count` fields.
    @inline(__always)
    mutating func skip(_ count: Int) {
        for _ in 0..<count { skip() }
    }

    /// The first byte of the field, 0 when empty; the rest is passed over.
    @inline(__always)
    mutating func letter() -> UInt8 {
        guard at < body.count else {
            skip()
            return 0
        }
        let byte = body[at]
        if byte == UInt8(ascii: ",") {
            at &+= 1
            return 0
        }
        end(at: at &+ 1)
        return byte
    }

    /// The field's bytes as they lie, for the few fields that are words.
    mutating func word() -> (start: Int, count: Int) {
        guard at <= body.count else { return (body.count, 0) }
        let start = at
        var index = at
        while index < body.count, body[index] != UInt8(ascii: ",") { index &+= 1 }
        end(at: index)
        return (start, index &- start)
    }

    /// Milliseconds since midnight of `hhmmss`, `hhmmss.s` … ; -1 when empty, -2 when it is no time
    /// of day.
    ///
    /// Second 60 is a time of day (a leap second when it is 23:59:60). Digits past the millisecond
    /// are cut.
    @inline(__always)
    mutating func timeOfDay() -> Int32 {
        guard at < body.count, body[at] != UInt8(ascii: ",") else {
            skip()
            return -1
        }
        guard at &+ 6 <= body.count else {
            skip()
            return -2
        }
        let digits = (body.word64(at: at) ^ 0x3030_3030_3030_3030) & 0x0000_FFFF_FFFF_FFFF
        let pairs = (digits &* 10 &+ (digits &>> 8)) & 0x00FF_00FF_00FF
        let hour = Int32(truncatingIfNeeded: pairs & 0xFF)
        let minute = Int32(truncatingIfNeeded: pairs &>> 16 & 0xFF)
        let second = Int32(truncatingIfNeeded: pairs &>> 32)
        var index = at &+ 6
        var milliseconds = ((hour &* 60 &+ minute) &* 60 &+ second) &* 1000
        if body[index] == UInt8(ascii: ".") {
            index &+= 1
            var unit: Int32 = 100
            while true {
                let digit = body[index] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                milliseconds &+= Int32(digit) &* unit
                unit /= 10
                index &+= 1
            }
        }
        let isTime =
            Words.nonDigits(digits) == 0 && hour < 24 && minute < 60 && second <= 60
        return end(at: index) && isTime ? milliseconds : -2
    }

    /// The six digits of a date `ddmmyy`, as they stand in the low six bytes; 0 when empty or none.
    @inline(__always)
    mutating func dateDigits() -> UInt64 {
        guard at &+ 6 <= body.count else {
            skip()
            return 0
        }
        let raw = body.word64(at: at) & 0x0000_FFFF_FFFF_FFFF
        guard Words.nonDigits(raw ^ 0x3030_3030_3030) == 0 else {
            skip()
            return 0
        }
        return end(at: at &+ 6) ? raw : 0
    }

    /// A decimal number, times ten to the power of `places`; ``absent`` when empty or none.
    ///
    /// Decimals beyond `places` are cut. Numbers of more than twelve digits are none.
    @inline(__always)
    mutating func decimal(_ places: Int) -> Int64 {
        var index = at
        guard index < body.count else {
            skip()
            return FieldCursor.absent
        }
        let sign = body[index]
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { index &+= 1 }
        let first = index
        var value: Int64 = 0
        while true {
            let digit = body[index] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ Int64(digit)
            index &+= 1
        }
        var count = index &- first
        var left = places
        if body[index] == UInt8(ascii: ".") {
            index &+= 1
            while true {
                let digit = body[index] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                if left > 0 {
                    value = value &* 10 &+ Int64(digit)
                    left &-= 1
                    count &+= 1
                } else if count == 0 {
                    count = 1
                }
                index &+= 1
            }
        }
        while left > 0 {
            value = value &* 10
            left &-= 1
        }
        let isNumber = count > 0 && count <= 12
        guard end(at: index), isNumber else { return FieldCursor.absent }
        return sign == UInt8(ascii: "-") ? 0 &- value : value
    }

    /// A small count; `nil` when empty or none, at most 255.
    @inline(__always)
    mutating func count() -> Int16 {
        let value = decimal(0)
        return value >= 0 ? Int16(min(value, 255)) : -1
    }

    /// Degrees and minutes with their hemisphere (`4717.11801,N`), in 1e-8 minutes; ``absent`` when
    /// empty or none.
    ///
    /// - Parameters:
    ///   - width: digits before the point as the standard has it, 4 or 5; others are read too,
    ///     slower.
    ///   - positive: the letter of the positive hemisphere.
    ///   - negative: the letter of the negative hemisphere.
    ///   - limit: the largest number of degrees, 90 or 180.
    /// - Returns: the value, and how many decimals it was written with (at most 8 count).
    @inline(__always)
    mutating func coordinate(
        width: Int, positive: UInt8, negative: UInt8, limit: Int64
    ) -> (value: Int64, decimals: UInt8) {
        guard at < body.count, body[at] != UInt8(ascii: ",") else {
            skip()
            skip()
            return (FieldCursor.absent, 0)
        }
        var whole: Int64
        var index = at
        // The words are eight digits with a point after the width: those before it are moved up to
        // the end.
        let digits = body.word64(at: at) ^ 0x3030_3030_3030_3030
        let head = Words.nonDigits(digits)
        let length = head == 0 ? 8 : head.trailingZeroBitCount &>> 3
        if length == width {
            whole = Words.number(digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* width))
        } else {
            guard length > 0, length < 8 else {
                skip()
                skip()
                return (FieldCursor.absent, 0)
            }
            whole = Words.number(digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* length))
        }
        index &+= length
        var fraction: Int64 = 0
        var decimals = 0
        if body[index] == UInt8(ascii: ".") {
            index &+= 1
            let digits = body.word64(at: index) ^ 0x3030_3030_3030_3030
            let tail = Words.nonDigits(digits)
            if tail == 0 {
                decimals = 8
                fraction = Words.number(digits)
            } else {
                decimals = tail.trailingZeroBitCount &>> 3
                // Digits that are not there count as zeros.
                fraction = Words.number(digits & ((1 &<< (tail.trailingZeroBitCount & 0x38)) &- 1))
            }
            index &+= decimals
            while body[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        }
        let clean = end(at: index)
        let hemisphere = letter()
        let degrees = whole / 100
        let minutes = (whole &- degrees &* 100) &* 100_000_000 &+ fraction
        let value = degrees &* 6_000_000_000 &+ minutes
        guard clean, minutes < 6_000_000_000, value <= limit &* 6_000_000_000 else {
            return (FieldCursor.absent, 0)
        }
        if hemisphere == positive { return (value, UInt8(truncatingIfNeeded: decimals)) }
        if hemisphere == negative { return (0 &- value, UInt8(truncatingIfNeeded: decimals)) }
        return (FieldCursor.absent, 0)
    }

    /// A latitude in 1e-8 minutes, north positive.
    @inline(__always)
    mutating func latitude() -> (value: Int64, decimals: UInt8) {
        coordinate(
            width: 4, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), limit: 90)
    }

    /// A longitude in 1e-8 minutes, east positive.
    @inline(__always)
    mutating func longitude() -> (value: Int64, decimals: UInt8) {
        coordinate(
            width: 5, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), limit: 180)
    }
}
