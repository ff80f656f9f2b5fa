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
                let used = unsafe sentence(base + at, count &- at, isLast: isLast, emit)
                if used == 0 { break }
                at &+= used
            } else {
                let used = unsafe between(base + at, count &- at, isLast: isLast, emit)
                if used == 0 { break }
                at &+= used
            }
        }
        return at
    }

    /// Reads a sentence at its `$`; returns how many bytes are done with, 0 when it is not
    /// complete.
    @inline(__always)
    private mutating func sentence(
        _ base: UnsafePointer<UInt8>, _ count: Int, isLast: Bool, _ emit: (Epoch) -> Void
    ) -> Int {
        let limit = min(count, NMEADecoder.longestSentence)
        guard let star = unsafe Body.index(of: NMEADecoder.star, in: base, limit),
            star &+ 2 < count, star > 1, unsafe NMEADecoder.isLetter(base[1])
        else { return unsafe unsound(base, count, isLast: isLast, emit) }
        let body = unsafe Body(base + 1, star &- 1)
        let sum = body.checksum()
        // Compared as it is printed; lower case takes the longer way.
        let printed = body.word32(at: body.count) &>> 8
        guard !sum.hasControl, UInt16(truncatingIfNeeded: printed) == Body.hex(sum.value) else {
            return unsafe unsound(base, count, isLast: isLast, emit)
        }
        hasShownChecksum = true
        counts.lines &+= 1
        guard accept(body, emit) else {
            framing.isLineStart = false
            return unsafe nextStart(base, star &+ 3)
        }
        // The usual line end, at once.
        if star &+ 4 < count, body.word32(at: star &+ 1) &>> 8 & 0xFFFF == 0x0A0D {
            framing.isLineStart = true
            return star &+ 5
        }
        framing.isLineStart = false
        return star &+ 3
    }

    /// Reads what begins like a sentence and is not simply one: without a right checksum in upper
    /// case, or encapsulated.
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
            return unsafe eitherCase(base, index, emit)
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
        _ = unsafe acceptUnusual(base, index &- 1, emit)
        return index
    }

    /// Reads a sentence whose checksum, at `star`, is in either case, or is wrong.
    private mutating func eitherCase(
        _ base: UnsafePointer<UInt8>, _ star: Int, _ emit: (Epoch) -> Void
    ) -> Int {
        let body = unsafe Body(base + 1, star &- 1)
        let high = unsafe Body.value(hex: base[star + 1])
        let low = unsafe Body.value(hex: base[star + 2])
        guard let high, let low, high << 4 | low == body.checksum().value else {
            counts.badChecksum &+= 1
            return unsafe refuse(base, star &+ 3)
        }
        hasShownChecksum = true
        counts.lines &+= 1
        framing.isLineStart = false
        let isRead = unsafe acceptUnusual(base, star &- 1, emit)
        return unsafe isRead ? star &+ 3 : nextStart(base, star &+ 3)
    }

    /// Reads the sentence of `count` bytes behind its `$` or `!`.
    @inline(never)
    private mutating func acceptUnusual(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ emit: (Epoch) -> Void
    ) -> Bool {
        guard unsafe base[0] == NMEADecoder.dollar else {
            // Encapsulated sentences (AIS) carry other ships' positions.
            counts.ignored &+= 1
            return true
        }
        return unsafe accept(Body(base + 1, count), emit)
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
            return unsafe unsound(base, count, isLast: isLast, emit)
        case UInt8(ascii: "\\"):
            return unsafe tagBlock(base, count, isLast: isLast)
        case 0x20, 0x09, 0:
            return 1
        default:
            // All that begin nothing, up to the next that may.
            var length = 1
            while length < count,
                unsafe base[length] > 0x5C
                    || base[length] > UInt8(ascii: "$") && base[length] < 0x5C
            {
                length &+= 1
            }
            counts.noise &+= Int64(length)
            framing.isLineStart = false
            return length
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

    /// Whether a byte is a letter, or one of the twelve others in the letters' columns of ASCII.
    @inline(__always)
    private static func isLetter(_ byte: UInt8) -> Bool {
        byte & 0xC0 == 0x40
    }
}
