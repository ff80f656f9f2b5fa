import Glibc

/// Cuts a stream into the JSON objects of gpsd, whatever lies between them.
///
/// gpsd writes an object a line. An object ends where its braces close, so that a lost line end costs nothing,
/// and at a line end whatever its braces say, so that a lost brace costs one line; only one whose first line is a brace
/// alone goes over several, as `jq` writes it. Between objects lie `gpspipe`'s time stamps, sentences of `gpspipe -r`, or
/// noise.
struct JSONFramer {
    /// Longer objects are dropped.
    ///
    /// gpsd's own limit is 10,240 (GPS_JSON_RESPONSE_MAX of 3.22).
    static let limit = 32 * 1024

    /// What was found in the stream.
    enum Piece {
        /// Braces closed, or a line ended inside.
        case object
        case overlong
        /// A line that begins as a sentence does.
        case sentence
        /// That many bytes that are neither, other than a time stamp before an object.
        case noise(Int)
    }

    private enum Place {
        case outside
        case sentence
        case object
    }

    private var place = Place.outside
    private var outsideCount = 0
    private var depth = 0
    private var inString = false
    private var isEscaped = false
    private var isOverlong = false
    /// Whether nothing but white space followed the object's first brace yet.
    private var isBare = false
    /// Whether the object goes over several lines.
    private var isSpread = false
    private var atLineStart = false
    // The object that was begun in an earlier block.
    private var held: [UInt8] = []

    /// Cuts `bytes`; what they end with is kept for the next call.
    ///
    /// The bytes given with a piece are those of an object, and valid during the call only.
    mutating func cut(
        _ bytes: UnsafeRawBufferPointer, _ found: (Piece, UnsafeRawBufferPointer) -> Void
    ) {
        let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        var begin = 0
        var index = -1
        while index + 1 < bytes.count {
            index += 1
            let byte = unsafe bytes[index]
            switch place {
            case .object:
                defer { atLineStart = byte == UInt8(ascii: "\n") }
                if byte == UInt8(ascii: "\n") {
                    isSpread = isSpread || isBare
                    if !isSpread { unsafe end(bytes[begin..<index], found) }
                } else if isSpread, atLineStart, byte == UInt8(ascii: "{") {
                    // The closing brace was lost.
                    unsafe end(bytes[begin..<index], found)
                    index -= 1
                } else if inString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        inString = false
                    }
                } else if byte == UInt8(ascii: "\"") {
                    inString = true
                    isBare = false
                } else if byte == UInt8(ascii: "{") {
                    depth += 1
                    isBare = false
                } else if byte == UInt8(ascii: "}") {
                    depth -= 1
                    if depth == 0 { unsafe end(bytes[begin...index], found) }
                }
            case .sentence:
                if byte == UInt8(ascii: "\n") {
                    unsafe found(.sentence, nothing)
                    place = .outside
                }
            case .outside:
                switch byte {
                case UInt8(ascii: "{"):
                    if outsideCount == 0, let line = unsafe wholeLine(bytes, from: index) {
                        unsafe found(.object, line)
                        index += line.count - 1
                        continue
                    }
                    // A time stamp is at most `2026-11-30 07:03:47 1796022227.766126: `.
                    if outsideCount > 64 { unsafe found(.noise(outsideCount), nothing) }
                    outsideCount = 0
                    place = .object
                    depth = 1
                    isBare = true
                    begin = index
                case UInt8(ascii: "$"), UInt8(ascii: "!"):
                    outsideCount = 0
                    place = .sentence
                case UInt8(ascii: "\n"):
                    if outsideCount > 0 { unsafe found(.noise(outsideCount), nothing) }
                    outsideCount = 0
                case UInt8(ascii: "\r"): break
                default: outsideCount += 1
                }
            }
        }
        if place == .object { unsafe hold(bytes[begin...]) }
    }

    /// Gives out what the stream ends with.
    mutating func finish(_ found: (Piece, UnsafeRawBufferPointer) -> Void) {
        let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        switch place {
        case .object: unsafe end(nothing[...], found)
        case .sentence: unsafe found(.sentence, nothing)
        case .outside: if outsideCount > 0 { unsafe found(.noise(outsideCount), nothing) }
        }
        place = .outside
        outsideCount = 0
    }

    /// Where another report begins in a piece that is none; `nil` when none does.
    static func nextReport(in bytes: UnsafeRawBufferPointer) -> Int? {
        let start = Array("{\"class\":".utf8)
        guard bytes.count > start.count else { return nil }
        return (1...bytes.count - start.count).first { place in
            unsafe bytes[place] == start[0]
                && bytes[place..<place + start.count].elementsEqual(start)
        }
    }

    /// The object that takes all of a line, as gpsd writes it; the line's end may be missing.
    ///
    /// This is what comes nearly always.
    private func wholeLine(
        _ bytes: UnsafeRawBufferPointer, from start: Int
    ) -> UnsafeRawBufferPointer? {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(JSONFramer.limit))
        guard let base = rest.baseAddress,
            let newline = unsafe memchr(base, Int32(UInt8(ascii: "\n")), rest.count)
        else { return nil }
        var count = unsafe UnsafeRawPointer(newline) - base
        if count > 0, unsafe rest[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        guard count > 1, unsafe rest[count - 1] == UInt8(ascii: "}") else { return nil }
        let line = unsafe UnsafeRawBufferPointer(rebasing: rest[..<count])
        return unsafe isOneObject(line) ? line : nil
    }

    /// Whether the braces of a line, in texts too, close at its end and not before.
    ///
    /// Eight bytes at a time, since most of what comes passes here: with bits 1 and 2 both braces are 0x7F.
    private func isOneObject(_ line: UnsafeRawBufferPointer) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = 0x7F * ones
        var depth = 0
        func isClosed(by byte: UInt8) -> Bool {
            if byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "}") { depth -= 1 }
            return depth == 0
        }
        let words = line.count / 8
        for place in stride(from: 0, to: words &* 8, by: 8) {
            let word = unsafe UInt64(
                littleEndian: line.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let other = (word | (6 &* ones)) ^ low
            // The top bit of each byte that is 0; in Swift & and * are of one precedence.
            var found = ~(((other & low) &+ low) | other | low)
            while found != 0 {
                let at = place &+ found.trailingZeroBitCount / 8
                if unsafe isClosed(by: line[at]) { return at == line.count - 1 }
                found &= found &- 1
            }
        }
        for place in words &* 8..<line.count where unsafe isClosed(by: line[place]) {
            return place == line.count - 1
        }
        return false
    }

    private mutating func hold(_ bytes: Slice<UnsafeRawBufferPointer>) {
        if unsafe isOverlong || held.count + bytes.count > JSONFramer.limit {
            isOverlong = true
            held.removeAll()
        } else {
            unsafe held.append(contentsOf: bytes)
        }
    }

    private mutating func end(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ found: (Piece, UnsafeRawBufferPointer) -> Void
    ) {
        if unsafe !held.isEmpty || isOverlong || bytes.count > JSONFramer.limit {
            unsafe hold(bytes)
        }
        if isOverlong {
            unsafe found(.overlong, UnsafeRawBufferPointer(start: nil, count: 0))
        } else if held.isEmpty {
            unsafe found(.object, UnsafeRawBufferPointer(rebasing: bytes))
        } else {
            unsafe held.withUnsafeBytes { unsafe found(.object, $0) }
        }
        held.removeAll(keepingCapacity: true)
        isOverlong = false
        isSpread = false
        atLineStart = false
        place = .outside
        depth = 0
        inString = false
        isEscaped = false
    }
}
