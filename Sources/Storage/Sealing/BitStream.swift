/// Bits in a row, the highest of a byte first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var count = 0

    /// Appends the lowest `bits` bits of a number, 0 to 64.
    mutating func put(_ value: UInt64, _ bits: Int) {
        if bits > 32 {
            put(value >> 32, bits - 32)
            return put(value & 0xFFFF_FFFF, 32)
        }
        pending = pending << UInt64(bits) | value & (1 << UInt64(bits) - 1)
        count += bits
        while count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(count)))
        }
    }

    /// Fills the last byte.
    mutating func finish() {
        if count > 0 { put(0, 8 - count) }
    }
}

/// Reads what a ``BitWriter`` wrote.
struct BitReader {
    private let bytes: [UInt8]
    private var next = 0
    private var pending: UInt64 = 0
    private var count = 0
    /// Whether more was asked for than there is.
    private(set) var isOverrun = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next bits, 0 to 64; zeros after the end.
    mutating func take(_ bits: Int) -> UInt64 {
        if bits > 32 {
            let high = take(bits - 32)
            return high << 32 | take(32)
        }
        while count < bits {
            if next < bytes.count {
                pending = pending << 8 | UInt64(bytes[next])
                next += 1
            } else {
                isOverrun = true
                pending <<= 8
            }
            count += 8
        }
        count -= bits
        return pending >> UInt64(count) & (1 << UInt64(bits) - 1)
    }
}
