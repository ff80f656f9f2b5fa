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
        var index = 0
        var fold: UInt64 = 0
        var controls: UInt64 = 0
        if count >= 16 {
            var pair = SIMD2<UInt64>()
            var low = SIMD2<UInt64>()
            let limit = SIMD2<UInt64>(repeating: 0x2020_2020_2020_2020)
            while index &+ 16 <= count {
                let next = unsafe UnsafeRawPointer(start + index)
                    .loadUnaligned(as: SIMD2<UInt64>.self)
                pair ^= next
                low |= (next &- limit) & ~next
                index &+= 16
            }
            fold = pair[0] ^ pair[1]
            controls = (low[0] | low[1]) & Words.highs
        }
        if index &+ 8 <= count {
            let word = word64(at: index)
            fold ^= word
            controls |= Words.controls(word)
            index &+= 8
        }
        // What is left of the last word is shifted in from above; zeros do not change the sum, and
        // the bytes behind the body (readable, rule 1) fall out at the top.
        let left = count &- index
        if left > 0 {
            let word = word64(at: index)
            let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* left)
            fold ^= word &<< unused
            controls |= Words.controls(word | (UInt64.max &<< (64 &- unused)))
        }
        fold ^= fold &>> 32
        fold ^= fold &>> 16
        fold ^= fold &>> 8
        return (UInt8(truncatingIfNeeded: fold), controls != 0)
    }

    /// The index of the first `byte` in `range` of `base`, or `nil`.
    @inline(__always)
    static func index(of byte: UInt8, in base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int? {
        guard let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count) else {
            return nil
        }
        return unsafe UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - base
    }

    /// The value of a hexadecimal digit of either case, or 16 and more.
    @inline(__always)
    static func hex(_ byte: UInt8) -> UInt8 {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter &+ 10 : 16
    }
}
