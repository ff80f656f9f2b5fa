/// A queue of numbers in little room: of a track's times about one byte each, of its places four.
///
/// A number is told by how far it is from where the two before lead, in units of the queue; one that is no whole number
/// of them is kept as it is. What comes out is what went in, to the bit.
struct PackedNumbers {
    private let scale: Double
    /// In pieces, so that room is neither asked for twice nor kept when it is not needed any more.
    private var pieces: [[UInt8]] = []
    private var place = 0
    private var written = Predictor()
    private var read = Predictor()
    /// How many there are.
    private(set) var count = 0

    private static let pieceSize = 1 << 16

    private struct Predictor {
        var last: Int64 = 0
        var step: Int64 = 0

        var next: Int64 { last &+ step }

        mutating func take(_ number: Int64) {
            step = number &- last
            last = number
        }
    }

    /// - Parameter scale: units in 1, as 1e7 for degrees of seven decimals.
    init(scale: Double) {
        self.scale = scale
    }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ number: Double) {
        count += 1
        if (pieces.last?.count ?? PackedNumbers.pieceSize) >= PackedNumbers.pieceSize {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(PackedNumbers.pieceSize + 16)
        }
        let scaled = (number * scale).rounded()
        guard scaled.magnitude < 1e16, Double(Int64(scaled)) / scale == number,
            scaled != 0 || number.sign == .plus
        else {
            // The mark of one that is kept as it is.
            put(1)
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                put(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
            }
            return
        }
        let off = Int64(scaled) &- written.next
        written.take(Int64(scaled))
        // Small numbers of either sign are small, and even: the mark is odd.
        var rest = UInt64(bitPattern: (off << 1) ^ (off >> 63)) << 1
        while rest > 127 {
            put(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        put(UInt8(rest))
    }

    mutating func popFirst() -> Double? {
        guard count > 0 else { return nil }
        count -= 1
        defer {
            if place >= pieces[0].count {
                pieces.removeFirst()
                place = 0
            }
        }
        if pieces[0][place] == 1 {
            place += 1
            var bits: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(get()) << shift }
            return Double(bitPattern: bits)
        }
        var rest: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = get()
            rest |= UInt64(byte & 127) << shift
            guard byte > 127 else { break }
            shift += 7
        }
        rest >>= 1
        let off = Int64(bitPattern: rest >> 1) ^ -Int64(rest & 1)
        let number = read.next &+ off
        read.take(number)
        return Double(number) / scale
    }

    private mutating func put(_ byte: UInt8) { pieces[pieces.count - 1].append(byte) }

    private mutating func get() -> UInt8 {
        defer { place += 1 }
        return pieces[0][place]
    }
}
