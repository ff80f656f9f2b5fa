import GNSS

/// What the framing remembers between pieces of input.
struct Framing {
    /// How the characters are written.
    enum Encoding {
        case undecided
        case bytes
        case utf16LittleEndian
        case utf16BigEndian
    }

    /// The most bytes that can be left over: a sentence that is not complete, and the read-ahead.
    static let capacity = 2 * NMEADecoder.longestSentence + 64

    var encoding = Encoding.undecided
    /// The first bytes, until there are four to tell the encoding from.
    var head: [UInt8] = []
    /// Bytes of a sentence that is not complete, followed by ``Body/readAhead`` bytes of no
    /// meaning.
    var carry = [UInt8](repeating: 0, count: Framing.capacity + Body.readAhead)
    var carried = 0
    /// Half of a UTF-16 unit.
    var half: UInt8?
    /// Characters of a UTF-16 source, narrowed to bytes.
    var narrowed: [UInt8] = []
    /// Whether the next byte begins a line.
    var isLineStart = true
    /// Whether a line that began with `#` goes on.
    var isComment = false
}

extension NMEADecoder {
    /// Takes bytes of any encoding.
    mutating func decode(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ emit: (Epoch) -> Void
    ) {
        guard framing.encoding == .undecided else {
            unsafe decodeKnown(base, count, emit)
            return
        }
        var used = 0
        while framing.head.count < 4, used < count {
            unsafe framing.head.append(base[used])
            used += 1
        }
        guard framing.head.count == 4 else { return }
        decideEncoding()
        decodeHead(emit)
        unsafe decodeKnown(base + used, count - used, emit)
    }

    private mutating func decideEncoding() {
        let head = framing.head
        func isText(_ byte: UInt8) -> Bool {
            byte >= 0x20 && byte < 0x7F || byte == 0x0D || byte == 0x0A
        }
        if head[0] == 0xFF, head[1] == 0xFE {
            framing.encoding = .utf16LittleEndian
        } else if head[0] == 0xFE, head[1] == 0xFF {
            framing.encoding = .utf16BigEndian
        } else if head[1] == 0, head[3] == 0, isText(head[0]), isText(head[2]) {
            framing.encoding = .utf16LittleEndian
        } else if head[0] == 0, head[2] == 0, isText(head[1]), isText(head[3]) {
            framing.encoding = .utf16BigEndian
        } else {
            framing.encoding = .bytes
        }
    }

    private mutating func decodeHead(_ emit: (Epoch) -> Void) {
        let head = framing.head
        framing.head = []
        unsafe head.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe decodeKnown(base, bytes.count, emit)
        }
    }

    private mutating func decodeKnown(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ emit: (Epoch) -> Void
    ) {
        if framing.encoding == .bytes {
            unsafe take(base, count, emit)
        } else {
            unsafe takeUTF16(base, count, emit)
        }
    }

    /// Narrows UTF-16 to bytes; what is not ASCII becomes 0x7F, which no sentence holds.
    private mutating func takeUTF16(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ emit: (Epoch) -> Void
    ) {
        var narrowed = framing.narrowed
        framing.narrowed = []
        if narrowed.isEmpty { narrowed.reserveCapacity(1024) }
        narrowed.removeAll(keepingCapacity: true)
        for index in 0..<count {
            let byte = unsafe base[index]
            guard let first = framing.half else {
                framing.half = byte
                continue
            }
            framing.half = nil
            let isLittle = framing.encoding == .utf16LittleEndian
            let unit = isLittle ? (low: first, high: byte) : (low: byte, high: first)
            if unit.high == 0xFE, unit.low == 0xFF { continue }
            narrowed.append(unit.high == 0 && unit.low < 0x80 ? unit.low : 0x7F)
            if narrowed.count == 1024 { takeNarrowed(&narrowed, emit) }
        }
        takeNarrowed(&narrowed, emit)
        framing.narrowed = narrowed
    }

    private mutating func takeNarrowed(_ narrowed: inout [UInt8], _ emit: (Epoch) -> Void) {
        unsafe narrowed.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, bytes.count > 0 else { return }
            unsafe take(base, bytes.count, emit)
        }
        narrowed.removeAll(keepingCapacity: true)
    }

    /// Takes bytes: first those that complete what was left over, then the rest in place, and keeps
    /// the new left-over.
    private mutating func take(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ emit: (Epoch) -> Void
    ) {
        var next = 0
        while framing.carried > 0, next < count {
            let old = framing.carried
            // Enough to complete any sentence or to find it overlong, so that each round consumes
            // something.
            let piece = min(NMEADecoder.longestSentence, count - next, Framing.capacity - old)
            unsafe keep(base + next, piece)
            let used = scanCarry(isLast: false, emit)
            if used >= old {
                next += used - old
                framing.carried = 0
            } else {
                dropCarry(used)
                next += piece
            }
        }
        guard next < count else { return }
        // In place, only as far as a body's read-ahead stays inside.
        if count - next > Body.readAhead {
            next += unsafe scan(base + next, count - next - Body.readAhead, isLast: false, emit)
        }
        unsafe keep(base + next, count - next)
        dropCarry(scanCarry(isLast: false, emit))
    }

    /// Reads what is left over as the end of the input.
    mutating func finishFraming(_ emit: (Epoch) -> Void) {
        if framing.encoding == .undecided, !framing.head.isEmpty {
            framing.encoding = .bytes
            decodeHead(emit)
        }
        dropCarry(scanCarry(isLast: true, emit))
        framing.carried = 0
        framing.half = nil
        framing.isLineStart = true
        framing.isComment = false
    }

    /// Appends bytes to the left-over; the callers keep the sum within ``Framing/capacity``.
    private mutating func keep(_ base: UnsafePointer<UInt8>, _ count: Int) {
        let room = Framing.capacity - framing.carried
        let count = min(count, room)
        guard count > 0 else { return }
        let carried = framing.carried
        unsafe framing.carry.withUnsafeMutableBytes { raw in
            unsafe raw.baseAddress.unsafelyUnwrapped
                .advanced(by: carried).copyMemory(from: base, byteCount: count)
        }
        framing.carried += count
    }

    /// Drops the first bytes of the left-over.
    private mutating func dropCarry(_ count: Int) {
        guard count > 0 else { return }
        let rest = framing.carried - count
        if rest > 0 {
            unsafe framing.carry.withUnsafeMutableBytes { raw in
                let start = unsafe raw.baseAddress.unsafelyUnwrapped
                unsafe start.copyMemory(from: start + count, byteCount: rest)
            }
        }
        framing.carried = max(rest, 0)
    }

    private mutating func scanCarry(isLast: Bool, _ emit: (Epoch) -> Void) -> Int {
        guard framing.carried > 0 else { return 0 }
        // Taken out for the time of the call, so that scanning may change the rest of the decoder.
        var carry: [UInt8] = []
        swap(&carry, &framing.carry)
        let count = framing.carried
        // What follows the left-over must not look like more of it.
        for index in count..<count + Body.readAhead { carry[index] = 0 }
        let used = unsafe carry.withUnsafeBufferPointer { bytes in
            unsafe scan(bytes.baseAddress.unsafelyUnwrapped, count, isLast: isLast, emit)
        }
        swap(&carry, &framing.carry)
        return used
    }
}
