import GNSS

extension NMEADecoder {
    /// Four letters as they lie in memory.
    @inline(__always)
    private static func name(_ a: Unicode.Scalar, _ b: Unicode.Scalar, _ c: Unicode.Scalar)
        -> UInt32
    {
        a.value | b.value << 8 | c.value << 16 | UInt32(UInt8(ascii: ",")) << 24
    }

    /// Reads one sentence that the framing found sound, and counts what became of it.
    ///
    /// - Returns: false when it was malformed, so that the framing looks for another sentence
    ///   inside it.
    @inline(__always)
    mutating func accept(_ body: Body, _ emit: (Epoch) -> Void) -> Bool {
        let outcome: Outcome
        if body.count >= 6, body[5] == UInt8(ascii: ","),
            body[0] != UInt8(ascii: "P") || body[1] == UInt8(ascii: "Q")
        {
            // Two letters of the talker, three of the sentence. Any talker; Quectel's "PQ" only
            // looks proprietary.
            switch body.word32(at: 2) {
            case NMEADecoder.name("G", "S", "V"): outcome = skyStore.keepGSV(body)
            case NMEADecoder.name("R", "M", "C"): outcome = rmc(body, emit)
            case NMEADecoder.name("G", "G", "A"): outcome = gga(body, emit)
            case NMEADecoder.name("G", "S", "A"): outcome = gsa(body)
            case NMEADecoder.name("V", "T", "G"): outcome = vtg(body)
            default: outcome = acceptRarer(body, emit)
            }
        } else {
            outcome = acceptProprietary(body, emit)
        }
        switch outcome {
        case .used: counts.accepted &+= 1
        case .ignored: counts.ignored &+= 1
        case .malformed:
            counts.malformed &+= 1
            return false
        }
        return true
    }

    @inline(never)
    private mutating func acceptRarer(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        switch body.word32(at: 2) {
        case NMEADecoder.name("G", "L", "L"): gll(body, emit)
        case NMEADecoder.name("G", "N", "S"): gns(body, emit)
        case NMEADecoder.name("Z", "D", "A"): zda(body, emit)
        case NMEADecoder.name("G", "S", "T"): gst(body, emit)
        case NMEADecoder.name("G", "B", "S"): gbs(body, emit)
        case NMEADecoder.name("H", "D", "T"), NMEADecoder.name("T", "H", "S"):
            heading(body)
        case NMEADecoder.name("D", "T", "M"): dtm(body)
        default: .ignored
        }
    }

    @inline(never)
    private mutating func acceptProprietary(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        guard body.count > 8, body[0] == UInt8(ascii: "P") else { return .ignored }
        switch body.word32(at: 1) {
        case NMEADecoder.word("UBX,") where body.word32(at: 4) == NMEADecoder.word(",00,"):
            return pubx00(body, emit)
        case NMEADecoder.word("UBX,") where body.word32(at: 4) == NMEADecoder.word(",04,"):
            return pubx04(body, emit)
        case NMEADecoder.word("GRME") where body[5] == UInt8(ascii: ","):
            return pgrme(body)
        default: return .ignored
        }
    }

    /// Four ASCII characters as they lie in memory.
    private static func word(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { bytes in
            var word: UInt32 = 0
            for index in (0..<4).reversed() { unsafe word = word << 8 | UInt32(bytes[index]) }
            return word
        }
    }
}
