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
    /// Bits that were read and not taken, the next one the highest; zeros below them.
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
        if count < bits { fill() }
        let value = bits == 0 ? 0 : pending >> UInt64(64 - bits)
        skip(bits)
        return value
    }

    /// How many times a bit comes in a row, and passes over the other one that ends them.
    ///
    /// - Parameter limit: 0 to 48; so many are not ended by another.
    mutating func run(of bit: UInt64, atMost limit: Int) -> Int {
        if count <= limit { fill() }
        let run = min((bit == 0 ? pending : ~pending).leadingZeroBitCount, limit)
        skip(run < limit ? run + 1 : run)
        return run
    }

    @inline(__always)
    private mutating func fill() {
        while count <= 56, next < bytes.count {
            pending |= UInt64(bytes[next]) << UInt64(56 - count)
            next += 1
            count += 8
        }
    }

    @inline(__always)
    private mutating func skip(_ bits: Int) {
        pending <<= UInt64(bits)
        count -= bits
        guard count < 0 else { return }
        isOverrun = true
        count = 0
    }
}
