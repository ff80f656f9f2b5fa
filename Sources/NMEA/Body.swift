import Glibc

/// The bytes of one sentence between its start character and its `*`, where they lie in memory.
///
/// This file and `FieldCursor.swift` are where the decoder leaves bounds checking, because the
/// checks would cost more than the parsing. They rest on what the framing (`Framing.swift`)
/// guarantees for every body:
///
/// 1. `start ..< start + count` is readable, and so are the ``readAhead`` bytes after it.
/// 2. The byte after the body is `*` or a control character: never a digit, a point, a sign or a
///    comma. A loop over digits therefore ends there without asking.
@safe struct Body {
    /// The first byte.
    let start: UnsafePointer<UInt8>
    /// How many bytes.
    let count: Int

    /// How many bytes after a body can be read, whatever they hold.
    static let readAhead = 16

    /// 0 to 15.
    @inline(__always) private static var places: SIMD16<UInt8> {
        SIMD16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    }

    @inline(__always)
    init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    /// The byte at `index`, which the caller knows to be at most ``readAhead`` past the end.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        unsafe start[index]
    }

    /// The two letters it begins with, the first in the low byte; to be asked of bodies that have them.
    @inline(__always)
    var talker: UInt16 { UInt16(truncatingIfNeeded: word32(at: 0)) }

    /// Four bytes from `index` on; same bounds.
    @inline(__always)
    func word32(at index: Int) -> UInt32 {
        unsafe UnsafeRawPointer(start + index).loadUnaligned(as: UInt32.self)
    }

    /// Eight bytes from `index` on; same bounds.
    @inline(__always)
    func word64(at index: Int) -> UInt64 {
        unsafe UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self)
    }

    /// The exclusive or of all bytes, and whether a control character is among them.
    @inline(__always)
    func checksum() -> (value: UInt8, hasControl: Bool) {
        var sum = SIMD16<UInt8>()
        var least = SIMD16<UInt8>(repeating: 0xFF)
        var next = unsafe UnsafeRawPointer(start)
        var left = count
        while left >= 16 {
            let bytes = unsafe next.loadUnaligned(as: SIMD16<UInt8>.self)
            sum ^= bytes
            least = least.replacing(with: bytes, where: bytes .< least)
            unsafe next += 16
            left &-= 16
        }
        // Of the last sixteen bytes (readable, rule 1) those behind the body are made 0xFF, which
        // is no control character, and taken out of the sum again.
        let inside = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: left))
        let outside = SIMD16<UInt8>(repeating: 0)
            .replacing(with: 0xFF, where: Body.places .>= inside)
        let bytes = unsafe next.loadUnaligned(as: SIMD16<UInt8>.self) | outside
        sum ^= bytes ^ outside
        least = least.replacing(with: bytes, where: bytes .< least)
        let halves = unsafe unsafeBitCast(sum, to: SIMD2<UInt64>.self)
        let lowest = unsafe unsafeBitCast(least, to: SIMD2<UInt64>.self)
        var fold = halves[0] ^ halves[1]
        let controls = Words.controls(lowest[0]) | Words.controls(lowest[1])
        fold ^= fold &>> 32
        fold ^= fold &>> 16
        fold ^= fold &>> 8
        return (UInt8(truncatingIfNeeded: fold), controls != 0)
    }

    /// The index of the first `byte` in `count` bytes behind the first one, or `nil`.
    @inline(__always)
    static func index(of byte: UInt8, in base: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        guard let found = unsafe memchr(base + 1, Int32(byte), count &- 1) else { return nil }
        return unsafe UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - base
    }

    /// Two upper-case hexadecimal digits as they lie in memory.
    @inline(__always)
    static func hex(_ byte: UInt8) -> UInt16 {
        let digits = UInt16(byte &>> 4) | UInt16(byte & 15) &<< 8
        // Adding 6 carries into the fourth bit of a digit above 9: 7 more to reach the letters.
        let letters = (digits &+ 0x0606) &>> 4 & 0x0101
        return digits &+ 0x3030 &+ letters &* 7
    }

    /// The value of a hexadecimal digit of either case, `nil` when it is none.
    static func value(hex byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }

    /// Copies the body, rounded up to sixteen bytes, to `target`, which has room for that.
    @inline(__always)
    func copy(to target: UnsafeMutableRawPointer, _ length: Int) {
        var index = 0
        while index < length {
            let piece = unsafe UnsafeRawPointer(start + index)
                .loadUnaligned(as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: piece, toByteOffset: index, as: SIMD16<UInt8>.self)
            index &+= 16
        }
    }

    /// Whether the first `length` bytes are those at `other`, which has room for one word more.
    @inline(__always)
    func equals(_ other: UnsafeRawPointer, _ length: Int) -> Bool {
        var index = 0
        while index &+ 8 <= length {
            guard
                unsafe word64(at: index)
                    == other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            else { return false }
            index &+= 8
        }
        guard index < length else { return true }
        let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- index))
        let rest =
            unsafe word64(at: index) ^ other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        return rest &<< unused == 0
    }
}
