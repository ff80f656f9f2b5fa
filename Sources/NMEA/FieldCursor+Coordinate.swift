/// A latitude or longitude as one sentence gave it.
struct Coordinate {
    /// 1e-8 minutes, north and east positive; ``FieldCursor/absent`` when empty or none.
    var value: Int64
    /// How many decimals of a minute it was written with; at most 8 are read.
    var decimals: Int

    static let absent = Coordinate(value: FieldCursor.absent, decimals: 0)
    /// 1e-8 minutes in a degree.
    static let degree: Int64 = 6_000_000_000

    @inline(__always)
    var isAbsent: Bool { value == FieldCursor.absent }
}

/// The text of a position and what it says: the sentences of one epoch repeat it, and a receiver at
/// rest does for hours.
struct KnownPosition {
    /// The first 32 bytes of the four fields with their commas.
    fileprivate var text = SIMD4<UInt64>()
    /// How many of them count, 25 to 32; 0 when nothing is known.
    fileprivate var length = 0
    fileprivate(set) var latitude = Coordinate.absent
    fileprivate(set) var longitude = Coordinate.absent
}

extension FieldCursor {
    /// A latitude and a longitude with their hemispheres, put into `known`.
    @inline(__always)
    mutating func position(_ known: inout KnownPosition) {
        if known.length > 0, unsafe end - at >= known.length {
            let first = (word(0) ^ known.text[0]) | (word(8) ^ known.text[1])
            let second = word(16) ^ known.text[2]
            let unused = UInt64(truncatingIfNeeded: 256 &- 8 &* known.length)
            let last = (word(24) ^ known.text[3]) &<< unused
            if first | second | last == 0 {
                unsafe at += known.length
                return
            }
        }
        newPosition(&known)
    }

    @inline(never)
    private mutating func newPosition(_ known: inout KnownPosition) {
        let start = unsafe at
        known.latitude = latitude()
        known.longitude = longitude()
        known.length = unsafe at - start
        guard hasNext, known.length > 24, known.length <= 32, !known.latitude.isAbsent,
            !known.longitude.isAbsent
        else {
            known.length = 0
            return
        }
        // All in the body or its read-ahead, as more than 24 of the 32 bytes are in the body.
        known.text = unsafe UnsafeRawPointer(start).loadUnaligned(as: SIMD4<UInt64>.self)
    }

    /// A latitude, `4717.11801,N`.
    @inline(__always)
    mutating func latitude() -> Coordinate {
        let digits = word(0) ^ FieldCursor.zeros
        // Four digits and a point.
        guard Words.nonDigits(digits & 0xFFFF_FFFF) == 0, digits &>> 32 & 0xFF == 0x1E else {
            return unusualCoordinate(
                positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), limit: 90)
        }
        let pairs = digits &* 10 &+ (digits &>> 8)
        return coordinate(
            degrees: pairs & 0xFF, minutes: pairs &>> 16 & 0xFF, point: 4,
            positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), limit: 90)
    }

    /// A longitude, `00833.91204,E`.
    @inline(__always)
    mutating func longitude() -> Coordinate {
        let digits = word(0) ^ FieldCursor.zeros
        // Five digits and a point.
        guard Words.nonDigits(digits & 0xFF_FFFF_FFFF) == 0, digits &>> 40 & 0xFF == 0x1E else {
            return unusualCoordinate(
                positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), limit: 180)
        }
        let pairs = (digits &>> 8) &* 10 &+ (digits &>> 16)
        return coordinate(
            degrees: (digits & 0xFF) &* 100 &+ (pairs & 0xFF), minutes: pairs &>> 16 & 0xFF,
            point: 5, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), limit: 180)
    }

    /// Reads the decimals behind a point inside the field, then the hemisphere.
    @inline(__always)
    private mutating func coordinate(
        degrees: UInt64, minutes: UInt64, point: Int, positive: UInt8, negative: UInt8,
        limit: Int64
    ) -> Coordinate {
        let digits = word(point &+ 1) ^ FieldCursor.zeros
        let others = Words.nonDigits(digits)
        let length = UInt64(truncatingIfNeeded: others.trailingZeroBitCount) & 0x78
        let decimals = Int(truncatingIfNeeded: length &>> 3)
        // Eight decimals and more are read there.
        guard length < 64 else {
            return unusualCoordinate(positive: positive, negative: negative, limit: limit)
        }
        // Decimals that are not there count as zeros.
        let fraction = Words.number(digits & ((1 &<< length) &- 1))
        let value =
            Int64(truncatingIfNeeded: degrees &* 60 &+ minutes) &* 100_000_000 &+ fraction
        let isClean = next(after: point &+ 1 &+ decimals)
        let hemisphere = letter()
        guard isClean, minutes < 60, value <= limit &* Coordinate.degree else { return .absent }
        if hemisphere == positive { return Coordinate(value: value, decimals: decimals) }
        guard hemisphere == negative else { return .absent }
        return Coordinate(value: 0 &- value, decimals: decimals)
    }

    /// Reads a coordinate of unusual width, an empty one, or none.
    @inline(never)
    private mutating func unusualCoordinate(
        positive: UInt8, negative: UInt8, limit: Int64
    ) -> Coordinate {
        if unsafe at.pointee == FieldCursor.comma {
            unsafe at += 1
            _ = letter()
            return .absent
        }
        var length = 0
        var whole: Int64 = 0
        var digits = 0
        while let digit = digit(length) {
            whole = whole &* 10 &+ Int64(digit)
            digits &+= 1
            length &+= 1
        }
        var fraction: Int64 = 0
        var decimals = 0
        if unsafe digits <= 5 && at[length] == FieldCursor.point {
            length &+= 1
            while let digit = digit(length) {
                if decimals < 8 {
                    fraction = fraction &* 10 &+ Int64(digit)
                    decimals &+= 1
                }
                length &+= 1
            }
        }
        for _ in decimals..<8 { fraction = fraction &* 10 }
        let isClean = next(after: length)
        let hemisphere = letter()
        let minutes = whole % 100
        let value = (whole / 100 &* 60 &+ minutes) &* 100_000_000 &+ fraction
        guard isClean, digits >= 1, digits <= 5, minutes < 60, value <= limit &* Coordinate.degree
        else { return .absent }
        if hemisphere == positive { return Coordinate(value: value, decimals: decimals) }
        guard hemisphere == negative else { return .absent }
        return Coordinate(value: 0 &- value, decimals: decimals)
    }
}
