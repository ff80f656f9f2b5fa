/// Decimal numbers as bytes, the same in every locale.
enum DecimalText {
    /// The number that fills the range: sign, digits, point, exponent; `nil` for anything else.
    static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        if let (value, end) = unsafe scan(bytes.bytes, range.lowerBound), end == range.upperBound {
            return value
        }
        return slow(bytes, range)
    }

    /// The number of the form `-123.456` that begins at an index, and where it ends.
    ///
    /// - Returns: `nil` for one of another form, of more than 15 digits, or close to the end of the bytes.
    @inline(__always)
    static func scan(_ bytes: RawSpan, _ start: Int) -> (value: Double, end: Int)? {
        // Seven digits, a point and two words at most are looked at.
        guard start &+ 32 <= bytes.byteCount else { return nil }
        let isNegative =
            unsafe bytes.unsafeLoad(fromUncheckedByteOffset: start, as: UInt8.self) == 45
        let begin = start &+ (isNegative ? 1 : 0)
        let whole = digits(bytes, begin)
        let point = begin &+ whole.count
        guard whole.count &- 1 < 7, whole.count > 0,
            unsafe bytes.unsafeLoad(fromUncheckedByteOffset: point, as: UInt8.self) == 46
        else { return nil }
        let first = digits(bytes, point &+ 1)
        var decimals = first.count
        var mantissa = whole.value &* tens(first.count) &+ first.value
        if decimals == 8 {
            let second = digits(bytes, point &+ 9)
            guard second.count < 8, whole.count &+ second.count <= 7 else { return nil }
            mantissa = mantissa &* tens(second.count) &+ second.value
            decimals &+= second.count
        }
        // Exact: a whole number under 2^53 over a power of ten under 10^22 (Clinger, 1990).
        let value = Double(Int64(truncatingIfNeeded: mantissa)) / power(decimals)
        return (isNegative ? -value : value, point &+ 1 &+ decimals)
    }

    /// The digits among the next eight bytes before any other byte.
    @inline(__always)
    private static func digits(_ bytes: RawSpan, _ index: Int) -> (value: UInt64, count: Int) {
        let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
        // Eight bytes at once (Lemire, "Quickly parsing eight digits", 2018): a digit is 0 to 9 then.
        let values = word.littleEndian ^ 0x3030_3030_3030_3030
        let others = (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
        let count = others.trailingZeroBitCount &>> 3
        // Digits go to the end, zeros stand before them.
        var value = (values &<< 8) &<< UInt64(truncatingIfNeeded: 56 &- 8 &* count)
        if count == 8 { value = values }
        value = (value &* 2561) &>> 8
        value = ((value & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
        value = ((value & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
        return (value, count)
    }

    /// Ten to the power of 0 to 8.
    @inline(__always)
    private static func tens(_ power: Int) -> UInt64 {
        switch power {
        case 6: 1_000_000
        case 7: 10_000_000
        case 5: 100_000
        case 8: 100_000_000
        case 4: 10_000
        case 3: 1000
        case 2: 100
        case 1: 10
        default: 1
        }
    }

    /// Ten to the power of 0 to 15.
    @inline(__always)
    private static func power(_ decimals: Int) -> Double {
        decimals <= 8
            ? Double(Int64(truncatingIfNeeded: tens(decimals)))
            : 1e8 * Double(Int64(truncatingIfNeeded: tens(decimals &- 8)))
    }

    /// Whole numbers, long ones and exponents.
    private static func slow(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        guard !range.isEmpty, range.count <= 64 else { return nil }
        var text = ""
        for index in range {
            let byte = bytes[index]
            guard
                (byte >= 48 && byte <= 57) || byte == 43 || byte == 45 || byte == 46
                    || (byte | 32) == 101
            else { return nil }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The most bytes that ``write(_:to:)`` fills.
    static let longest = 16

    /// Writes degrees with ten decimals (a hundredth of a millimetre), trailing zeros dropped.
    ///
    /// - Parameter place: room for ``longest`` bytes.
    /// - Returns: how many bytes it took.
    @inline(__always)
    static func write(_ degrees: Double, to place: UnsafeMutableRawPointer) -> Int {
        // A sum of 2^52 and less than that has the nearest whole number in its low bits.
        let sum = abs(degrees) * 1e10 + 0x1p52
        let units = sum.bitPattern & 0x000F_FFFF_FFFF_FFFF
        let whole = UInt32(truncatingIfNeeded: units / 10_000_000_000)
        let fraction = units &- UInt64(whole) &* 10_000_000_000
        var count = 0
        @inline(__always)
        func put(_ byte: UInt32) {
            unsafe place.storeBytes(
                of: UInt8(truncatingIfNeeded: byte), toByteOffset: count, as: UInt8.self)
            count &+= 1
        }
        if degrees < 0, units > 0 { put(45) }
        if whole >= 100 { put(48 &+ whole / 100) }
        if whole >= 10 { put(48 &+ whole / 10 % 10) }
        put(48 &+ whole % 10)
        guard fraction > 0 else { return count }
        put(46)
        // The reverse of the above: four digits in each half, two in each quarter, one in each byte.
        let high = UInt32(truncatingIfNeeded: fraction / 100)
        let low = UInt32(truncatingIfNeeded: fraction &- UInt64(high) &* 100)
        let front = high / 10_000
        var digits = UInt64(front) | UInt64(high &- front &* 10_000) &<< 32
        let hundreds = ((digits &* 10_486) &>> 20) & 0x0000_007F_0000_007F
        digits = hundreds | (digits &- hundreds &* 100) &<< 16
        let tenths = ((digits &* 103) &>> 10) & 0x000F_000F_000F_000F
        digits = tenths | (digits &- tenths &* 10) &<< 8
        digits |= 0x3030_3030_3030_3030
        unsafe place.storeBytes(of: digits.littleEndian, toByteOffset: count, as: UInt64.self)
        if low > 0 {
            count &+= 8
            put(48 &+ low / 10)
            if low % 10 > 0 { put(48 &+ low % 10) }
        } else {
            // What is left of eight digits has zeros at its end, the highest bytes.
            count &+= 8 &- (digits & 0x0F0F_0F0F_0F0F_0F0F).leadingZeroBitCount / 8
        }
        return count
    }

    /// Appends what ``write(_:to:)`` writes.
    static func append(_ degrees: Double, _ output: inout [UInt8]) {
        unsafe withUnsafeTemporaryAllocation(byteCount: longest, alignment: 8) { room in
            guard let place = room.baseAddress else { return }
            let count = unsafe write(degrees, to: place)
            unsafe output.append(contentsOf: UnsafeRawBufferPointer(start: place, count: count))
        }
    }
}
