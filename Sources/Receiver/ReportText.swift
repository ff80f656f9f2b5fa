import JSON

/// Reads a report of gpsd, as leniently as what it says is plain.
enum ReportText {
    /// The report, or `nil` when it is none.
    ///
    /// printf's words for numbers that are none, as gpsd before 3.20 and other feeders let them slip, are as good as
    /// absent. One with a member that is there twice is none: nobody knows which of two places it means.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> JSONObject? {
        if let value = try? unsafe JSONValue.parse(bytes) { return value.object }
        guard let text = unsafe withoutNaN(bytes) else { return nil }
        return (try? JSONValue.parse(text))?.object
    }

    /// `bytes` with `null` in the place of `nan`, `-inf`, `Infinity` and the like outside of texts; `nil` where none is.
    private static func withoutNaN(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        var text: [UInt8] = []
        var isChanged = false
        text.reserveCapacity(bytes.count + 16)
        var inString = false
        var isEscaped = false
        var place = 0
        while place < bytes.count {
            let byte = unsafe bytes[place]
            if inString {
                inString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                inString = true
            } else if mayBegin(byte),
                let count = unsafe notANumber(.init(rebasing: bytes[place...]))
            {
                text += "null".utf8
                place += count
                isChanged = true
                continue
            }
            text.append(byte)
            place += 1
        }
        return isChanged ? text : nil
    }

    private static func mayBegin(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "n"), UInt8(ascii: "i"): true
        default: isSign(byte)
        }
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
    }

    /// How long the word is that `bytes` begin with, if it is one for no number.
    private static func notANumber(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let start = unsafe bytes.first.map(isSign) == true ? 1 : 0
        // The longest of them is `infinity`.
        let word = unsafe bytes.dropFirst(start).prefix(9).prefix { 0x41...0x5A ~= $0 & 0xDF }
        let isNone = ["nan", "inf", "infinity"].contains { name in
            unsafe word.count == name.utf8.count
                && zip(word, name.utf8).allSatisfy { $0 | 0x20 == $1 }
        }
        return unsafe isNone ? start + word.count : nil
    }
}
