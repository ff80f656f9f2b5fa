/// A 64-bit digest of a stream of bytes, readable at every length: XXH64 with seed 0.
///
/// It tells whether a log begins with what was replayed before. It is no protection against a forger.
/// Source: Yann Collet, "xxHash fast digest algorithm", doc/xxhash_spec.md, section "XXH64 algorithm".
public struct LogDigest: Equatable, Sendable {
    /// Bytes taken.
    public private(set) var count: Int64 = 0

    // The accumulators of seed 0.
    private var lanes: SIMD4<UInt64> = [
        Prime.p1 &+ Prime.p2, Prime.p2, 0, 0 &- Prime.p1,
    ]
    // The last, not yet full, 32 bytes.
    private var tail = SIMD32<UInt8>()

    /// The digest of nothing.
    public init() {}

    /// Takes the next bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var filled = Int(count % 32)
        count += Int64(bytes.count)
        var place = 0
        if filled > 0 {
            while filled < 32, place < bytes.count {
                tail[filled] = unsafe bytes[place]
                filled += 1
                place += 1
            }
            guard filled == 32 else { return }
            let words = unsafe unsafeBitCast(tail, to: SIMD4<UInt64>.self)
            for lane in 0..<4 {
                lanes[lane] = LogDigest.round(lanes[lane], UInt64(littleEndian: words[lane]))
            }
        }
        var (a, b, c, d) = (lanes[0], lanes[1], lanes[2], lanes[3])
        while bytes.count - place >= 32 {
            a = LogDigest.round(a, unsafe LogDigest.word(bytes, place))
            b = LogDigest.round(b, unsafe LogDigest.word(bytes, place + 8))
            c = LogDigest.round(c, unsafe LogDigest.word(bytes, place + 16))
            d = LogDigest.round(d, unsafe LogDigest.word(bytes, place + 24))
            place += 32
        }
        lanes = [a, b, c, d]
        for offset in 0..<(bytes.count - place) {
            tail[offset] = unsafe bytes[place + offset]
        }
    }

    /// The digest of the bytes so far.
    public var value: UInt64 {
        var hash: UInt64
        if count >= 32 {
            hash =
                LogDigest.rotate(lanes[0], 1) &+ LogDigest.rotate(lanes[1], 7)
                &+ LogDigest.rotate(lanes[2], 12) &+ LogDigest.rotate(lanes[3], 18)
            for lane in 0..<4 {
                hash ^= LogDigest.round(0, lanes[lane])
                hash = hash &* Prime.p1 &+ Prime.p4
            }
        } else {
            hash = Prime.p5
        }
        hash = hash &+ UInt64(bitPattern: count)
        let rest = Int(count % 32)
        var place = 0
        while rest - place >= 8 {
            hash ^= LogDigest.round(0, tailWord(place, bytes: 8))
            hash = LogDigest.rotate(hash, 27) &* Prime.p1 &+ Prime.p4
            place += 8
        }
        if rest - place >= 4 {
            hash ^= tailWord(place, bytes: 4) &* Prime.p1
            hash = LogDigest.rotate(hash, 23) &* Prime.p2 &+ Prime.p3
            place += 4
        }
        while place < rest {
            hash ^= UInt64(tail[place]) &* Prime.p5
            hash = LogDigest.rotate(hash, 11) &* Prime.p1
            place += 1
        }
        hash = (hash ^ (hash >> 33)) &* Prime.p2
        hash = (hash ^ (hash >> 29)) &* Prime.p3
        return hash ^ (hash >> 32)
    }

    private func tailWord(_ place: Int, bytes: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<bytes {
            word |= UInt64(tail[place + offset]) << UInt64(8 * offset)
        }
        return word
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* Prime.p2, 31) &* Prime.p1
    }

    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        (value << bits) | (value >> (64 - bits))
    }
}

private enum Prime {
    static let p1: UInt64 = 0x9E37_79B1_85EB_CA87
    static let p2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    static let p3: UInt64 = 0x1656_67B1_9E37_79F9
    static let p4: UInt64 = 0x85EB_CA77_C2B2_AE63
    static let p5: UInt64 = 0x27D4_EB2F_1656_67C5
}
