/// Reads the comma-separated fields of one sentence from left to right.
///
/// Each call takes one field with its comma; behind the last one every field is empty, and
/// ``hasNext`` is false. Numbers come as scaled integers: no `String`, no `Double`, no allocation.
///
/// The bounds are those of ``Body``: `at` never passes `end`, the byte at `end` is none that a
/// number or a field goes on with, and a word loaded at `at` stays within the read-ahead.
@safe struct FieldCursor {
    /// A number that is not there or is none.
    static let absent = Int64.min

    /// Where the next field begins.
    var at: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    /// Whether the next field exists, be it empty.
    private(set) var hasNext = true

    static let comma = UInt8(ascii: ",")
    static let point = UInt8(ascii: ".")
    static let zeros: UInt64 = 0x3030_3030_3030_3030

    /// At the field that begins `offset` bytes into a sentence of at least that length.
    @inline(__always)
    init(_ body: Body, from offset: Int) {
        unsafe at = body.start + offset
        unsafe end = body.start + body.count
    }

    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
        unsafe UnsafeRawPointer(at + offset).loadUnaligned(as: UInt64.self)
    }

    /// Goes on behind the field that ended after `length` bytes; `false` when it goes on there.
    @inline(__always)
    mutating func next(after length: Int) -> Bool {
        // A comma is never at the end: it lies inside.
        if unsafe at[length] == FieldCursor.comma {
            unsafe at += length &+ 1
            return true
        }
        return nextUnusual(after: length)
    }

    @inline(__always)
    private mutating func nextUnusual(after length: Int) -> Bool {
        unsafe at += length
        if unsafe at == end {
            hasNext = false
            return true
        }
        unsafe at = FieldCursor.find(at, end)
        hasNext = unsafe at < end
        if hasNext { unsafe at += 1 }
        return false
    }

    /// The first comma from `start` on, or `end`.
    @inline(never)
    private static func find(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var start = unsafe start
        while unsafe start < end, unsafe start.pointee != comma { unsafe start += 1 }
        return unsafe start
    }

    /// Passes over one field.
    @inline(__always)
    mutating func skip() {
        _ = next(after: 0)
    }

    /// Passes over `count` fields.
    mutating func skip(_ count: Int) {
        for _ in 0..<count { skip() }
    }

    /// The first byte of the field, 0 when empty; the rest is passed over.
    @inline(__always)
    mutating func letter() -> UInt8 {
        let byte = unsafe at.pointee
        if byte == FieldCursor.comma {
            unsafe at += 1
            return 0
        }
        guard unsafe at < end else {
            hasNext = false
            return 0
        }
        _ = next(after: 1)
        return byte
    }

    /// The field's length; it begins at the returned index of `body`.
    mutating func range(in body: Body) -> Range<Int> {
        let start = unsafe at - body.start
        let found = unsafe FieldCursor.find(at, end)
        let range = unsafe start..<start + (found - at)
        skip()
        return range
    }

    /// Milliseconds since midnight of `hhmmss`, `hhmmss.s` … ; -1 when empty, -2 when it is none.
    ///
    /// Second 60 is a time of day (a leap second when it is 23:59:60). Digits past the
    /// millisecond are cut.
    @inline(__always)
    mutating func timeOfDay() -> Int32 {
        let digits = (word(0) ^ FieldCursor.zeros) & 0x0000_FFFF_FFFF_FFFF
        guard Words.nonDigits(digits) == 0 else { return noTimeOfDay() }
        // Six digits: `end` is at or behind the sixth, as its byte is none.
        let pairs = (digits &* 10 &+ (digits &>> 8)) & 0x00FF_00FF_00FF
        let hour = Int32(truncatingIfNeeded: pairs & 0xFF)
        let minute = Int32(truncatingIfNeeded: pairs &>> 16 & 0xFF)
        let second = Int32(truncatingIfNeeded: pairs &>> 32)
        var milliseconds = ((hour &* 60 &+ minute) &* 60 &+ second) &* 1000
        var length = 6
        if unsafe at[6] == FieldCursor.point {
            // Each digit lies inside, so the byte behind it can be looked at.
            length = 7
            if let tenths = digit(7) {
                milliseconds &+= tenths &* 100
                length = 8
                if let hundredths = digit(8) {
                    milliseconds &+= hundredths &* 10
                    length = 9
                    if let thousandths = digit(9) {
                        milliseconds &+= thousandths
                        length = 10
                        while digit(length) != nil { length &+= 1 }
                    }
                }
            }
        }
        let isTime = hour < 24 && minute < 60 && second <= 60
        return next(after: length) && isTime ? milliseconds : -2
    }

    /// The digit `offset` bytes on, `nil` when there is none; at the end there never is.
    @inline(__always)
    func digit(_ offset: Int) -> Int32? {
        let digit = unsafe at[offset] &- UInt8(ascii: "0")
        return digit < 10 ? Int32(digit) : nil
    }

    @inline(never)
    private mutating func noTimeOfDay() -> Int32 {
        next(after: 0) ? -1 : -2
    }

    /// The six digits of a date `ddmmyy` as they stand in the low six bytes; 0 when empty or none.
    @inline(__always)
    mutating func dateDigits() -> UInt64 {
        let raw = word(0) & 0x0000_FFFF_FFFF_FFFF
        guard Words.nonDigits(raw ^ 0x3030_3030_3030) == 0 else {
            skip()
            return 0
        }
        return next(after: 6) ? raw : 0
    }

    /// A decimal number, times ten to the power of `places`; ``absent`` when empty or none.
    ///
    /// Decimals beyond `places` are cut.
    ///
    /// - Parameter places: 0 to 4.
    @inline(__always)
    mutating func decimal(_ places: Int) -> Int64 {
        let raw = word(0)
        let digits = raw ^ FieldCursor.zeros
        let others = Words.nonDigits(digits)
        // The usual number: up to four digits, perhaps a point and more digits, a comma, in eight
        // ASCII bytes. Then `others` is exact for all of them.
        let whole = UInt64(truncatingIfNeeded: others.trailingZeroBitCount) & 0x78
        let second = others & (others &- 1)
        guard raw & Words.highs == 0, whole != 0, whole <= 32, second != 0 else {
            return unusualDecimal(places)
        }
        let after = UInt8(truncatingIfNeeded: raw &>> whole)
        var all = digits & ((1 &<< whole) &- 1)
        var length = Int(truncatingIfNeeded: whole &>> 3)
        if after == FieldCursor.point {
            let stop = UInt64(truncatingIfNeeded: second.trailingZeroBitCount) & 0x78
            // Bytes behind the point move to its place, those from `stop` on fall away.
            all |= (digits & ((1 &<< stop) &- 1)) &>> 8 & (UInt64.max &<< whole)
            length = Int(truncatingIfNeeded: stop &>> 3)
        }
        // The last of the wanted decimals goes to the highest byte; what is not there is 0.
        let wanted = whole &+ UInt64(truncatingIfNeeded: places &* 8)
        let value = Words.number(all &<< (64 &- wanted))
        return next(after: length) ? value : FieldCursor.absent
    }

    /// Reads a number with a sign, more digits, or none of these.
    @inline(never)
    private mutating func unusualDecimal(_ places: Int) -> Int64 {
        let sign = unsafe at.pointee
        if sign == FieldCursor.comma {
            unsafe at += 1
            return FieldCursor.absent
        }
        let start = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? 1 : 0
        var length = start
        var value: Int64 = 0
        var digits = 0
        var left = -1
        while unsafe at + length < end {
            let byte = unsafe at[length]
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 {
                digits &+= 1
                if left != 0, digits <= 12 {
                    value = value &* 10 &+ Int64(digit)
                    left = left > 0 ? left &- 1 : left
                } else if left != 0 {
                    // Too many digits for a number: none that a receiver prints.
                    digits = 1000
                }
            } else if byte == FieldCursor.point, left < 0 {
                left = places
            } else {
                break
            }
            length &+= 1
        }
        for _ in 0..<(left < 0 ? places : left) { value = value &* 10 }
        let isNumber = digits > 0 && digits < 1000
        guard next(after: length), isNumber else { return FieldCursor.absent }
        return sign == UInt8(ascii: "-") ? 0 &- value : value
    }

    /// A small count, at most 255; -1 when empty or none.
    @inline(__always)
    mutating func count() -> Int16 {
        let tens = unsafe at[0] &- UInt8(ascii: "0")
        if tens < 10 {
            // A digit lies inside, so the byte behind it can be looked at.
            let ones = unsafe at[1] &- UInt8(ascii: "0")
            if ones < 10, unsafe at[2] == FieldCursor.comma {
                unsafe at += 3
                return Int16(tens) &* 10 &+ Int16(ones)
            }
        }
        let value = unusualDecimal(0)
        return value >= 0 ? Int16(truncatingIfNeeded: min(value, 255)) : -1
    }
}
