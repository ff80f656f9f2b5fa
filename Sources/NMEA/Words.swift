/// Eight bytes at a time: the arithmetic that reads digits without a loop.
///
/// A word is loaded little-endian, so that the first byte of the text is the lowest of the word.
enum Words {
    /// The highest bit of each byte.
    @inline(__always) static var highs: UInt64 { 0x8080_8080_8080_8080 }

    /// The highest bit of each byte up to and including the first that is no digit, given `word ^
    /// "00000000"`.
    ///
    /// Bits after the first set one mean nothing: an addition may have carried there.
    @inline(__always)
    static func nonDigits(_ digits: UInt64) -> UInt64 {
        ((digits &+ 0x7676_7676_7676_7676) | digits) & highs
    }

    /// Eight decimal digits, each 0 to 9 in its byte, as a number.
    @inline(__always)
    static func number(_ digits: UInt64) -> Int64 {
        // Neighbours are joined three times: ones to tens, hundreds to thousands, the two halves.
        let pairs = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
        return Int64((fours &* 10_000 &+ (fours >> 32)) & 0xFFFF_FFFF)
    }

    /// Not zero when a byte is a control character (below a space); which one it does not say.
    @inline(__always)
    static func controls(_ word: UInt64) -> UInt64 {
        (word &- 0x2020_2020_2020_2020) & ~word & highs
    }
}
