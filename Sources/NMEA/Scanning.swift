import GNSS

extension NMEADecoder {
    private static let dollar = UInt8(ascii: "$")
    private static let star = UInt8(ascii: "*")
    private static let carriageReturn: UInt8 = 0x0D
    private static let lineFeed: UInt8 = 0x0A

    /// Finds the sentences in `count` bytes and reads them.
    ///
    /// Nothing depends on where the input was cut: a sentence is decided on when its last byte is
    /// there, and until then the scan stops before it.
    ///
    /// - Parameters:
    ///   - base: the bytes; ``Body/readAhead`` more can be read behind them.
    ///   - count: how many.
    ///   - isLast: no more will come, so nothing is left over.
    /// - Returns: how many bytes are done with. The rest is an incomplete sentence shorter than
    ///   ``longestSentence``.
    mutating func scan(
        _ base: UnsafePointer<UInt8>, _ count: Int, isLast: Bool, _ emit: (Epoch) -> Void
    ) -> Int {
        var at = 0
        while at < count {
            let byte = unsafe base[at]
            if byte == NMEADecoder.dollar, !framing.isComment {
                let used = unsafe sentence(base + at, count - at, isLast: isLast, emit)
                if used == 0 { break }
                at &+= used
            } else {
                let used = unsafe between(base + at, count - at, isLast: isLast, emit)
                if used == 0 { break }
                at &+= used
            }
        }
        return at
    }

    /// Reads a sentence at its `$` or `!`; returns how many bytes are done with, 0 when it is not
    /// complete.
    @inline(__always)
    private mutating func sentence(
        _ base: UnsafePointer<UInt8>, _ count: Int, isLast: Bool, _ emit: (Epoch) -> Void
    ) -> Int {
        let limit = min(count, NMEADecoder.longestSentence)
        if let star = unsafe Body.index(of: NMEADecoder.star, in: base, 1..<max(limit, 1)),
            star &+ 2 < count, star > 1
        {
            let body = unsafe Body(base + 1, star &- 1)
            let sum = body.checksum()
            if unsafe !sum.hasControl
                && Body.hex(base[star + 1]) &<< 4 | Body.hex(base[star + 2]) == sum.value
                && Body.hex(base[star + 1]) < 16 && Body.hex(base[star + 2]) < 16,
                NMEADecoder.isLetter(body[0])
            {
                return unsafe sound(base, body, count, emit)
            }
        }
        return unsafe unsound(base, count, isLast: isLast, emit)
    }

    /// Reads a sentence whose checksum is right.
    @inline(__always)
    private mutating func sound(
        _ base: UnsafePointer<UInt8>, _ body: Body, _ count: Int, _ emit: (Epoch) -> Void
    ) -> Int {
        counts.lines &+= 1
        hasShownChecksum = true
        framing.isLineStart = false
        if unsafe base[0] == NMEADecoder.dollar {
            guard accept(body, emit) else {
                return unsafe nextStart(base, body.count &+ 4)
            }
        } else {
            // Encapsulated sentences (AIS) carry other ships' positions.
            counts.ignored &+= 1
        }
        // The usual line end, at once.
        let end = body.count &+ 4
        if end &+ 1 < count, unsafe base[end] == NMEADecoder.carriageReturn,
            unsafe base[end + 1] == NMEADecoder.lineFeed
        {
            framing.isLineStart = true
            return end &+ 2
        }
        return end
    }

    /// Reads what begins like a sentence and has no right checksum.
    @inline(never)
    private mutating func unsound(
        _ base: UnsafePointer<UInt8>, _ count: Int, isLast: Bool, _ emit: (Epoch) -> Void
    ) -> Int {
        guard count > 1 else {
            if isLast { counts.noise &+= 1 }
            return isLast ? 1 : 0
        }
        guard unsafe NMEADecoder.isLetter(base[1]) else {
            counts.noise &+= 1
            framing.isLineStart = false
            return 1
        }
        var index = 1
        let limit = min(count, NMEADecoder.longestSentence)
        while index < limit {
            let byte = unsafe base[index]
            if byte == NMEADecoder.star || byte < 0x20 { break }
            index &+= 1
        }
        if index == limit {
            if limit < count || limit == NMEADecoder.longestSentence {
                counts.overlong &+= 1
                return unsafe refuse(base, index)
            }
            guard isLast else { return 0 }
            // Cut by the end of the input.
            counts.missingChecksum &+= 1
            return unsafe refuse(base, index)
        }
        if unsafe base[index] == NMEADecoder.star {
            guard index &+ 2 < count else {
                guard isLast else { return 0 }
                counts.badChecksum &+= 1
                return unsafe refuse(base, count)
            }
            counts.badChecksum &+= 1
            return unsafe refuse(base, index &+ 3)
        }
        let end = unsafe base[index]
        let isWhole = end == NMEADecoder.carriageReturn || end == NMEADecoder.lineFeed
        let isAdmitted =
            switch settings.missingChecksum {
            case .untilShown: !hasShownChecksum
            case .refuse: false
            case .admit: true
            }
        // Another start inside means that this one was cut.
        guard isWhole, isAdmitted, unsafe nextStart(base, index) == index else {
            counts.missingChecksum &+= 1
            return unsafe refuse(base, index)
        }
        counts.lines &+= 1
        framing.isLineStart = false
        if unsafe base[0] == NMEADecoder.dollar {
            _ = unsafe accept(Body(base + 1, index - 1), emit)
        } else {
            counts.ignored &+= 1
        }
        return index
    }

    /// Counts the begun sentence and goes on with the next start inside it, if any.
    private mutating func refuse(_ base: UnsafePointer<UInt8>, _ count: Int) -> Int {
        counts.lines &+= 1
        framing.isLineStart = false
        return unsafe nextStart(base, count)
    }

    /// The index of the next `$` or `!` with a letter behind it, `count` when there is none.
    private func nextStart(_ base: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var index = 1
        while index < count {
            if unsafe NMEADecoder.isStart(base[index]),
                index &+ 1 == count || NMEADecoder.isLetter(unsafe base[index + 1])
            {
                return index
            }
            index &+= 1
        }
        return count
    }

    /// Passes over bytes that are no sentence: line ends, comments, TAG blocks, other protocols.
    @inline(never)
    private mutating func between(
        _ base: UnsafePointer<UInt8>, _ count: Int, isLast: Bool, _ emit: (Epoch) -> Void
    ) -> Int {
        let byte = unsafe base[0]
        switch byte {
        case NMEADecoder.carriageReturn, NMEADecoder.lineFeed:
            framing.isLineStart = true
            framing.isComment = false
            return 1
        case _ where framing.isComment:
            if byte < 0x20, byte != 0x09 {
                // Not text after all.
                framing.isComment = false
                counts.noise &+= 1
            }
            return 1
        case UInt8(ascii: "#") where framing.isLineStart:
            framing.isComment = true
            framing.isLineStart = false
            return 1
        case UInt8(ascii: "!"):
            return unsafe sentence(base, count, isLast: isLast, emit)
        case UInt8(ascii: "\\"):
            return unsafe tagBlock(base, count, isLast: isLast)
        case 0x20, 0x09, 0:
            return 1
        default:
            counts.noise &+= 1
            framing.isLineStart = false
            return 1
        }
    }

    /// Passes over a TAG block (NMEA 0183 4.0, `\…*hh\`), or one byte when it is none.
    private mutating func tagBlock(
        _ base: UnsafePointer<UInt8>, _ count: Int, isLast: Bool
    ) -> Int {
        // The standard allows 80 characters.
        let limit = min(count, 256)
        var index = 1
        while index < limit {
            let byte = unsafe base[index]
            if byte == UInt8(ascii: "\\") { return index &+ 1 }
            if byte < 0x20 { break }
            index &+= 1
        }
        if index == count, index < 256, !isLast { return 0 }
        counts.noise &+= 1
        framing.isLineStart = false
        return 1
    }

    @inline(__always)
    private static func isStart(_ byte: UInt8) -> Bool {
        byte == NMEADecoder.dollar || byte == UInt8(ascii: "!")
    }

    @inline(__always)
    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}
