/// Turns UTF-16 with a byte order mark into UTF-8 as it comes; any other bytes stay as they are.
struct TextInput {
    private enum Encoding {
        case unknown
        case bytes
        case littleEndian
        case bigEndian
    }

    private var encoding = Encoding.unknown
    /// What is no whole character yet.
    private var waiting: [UInt8] = []

    /// The next bytes as UTF-8.
    mutating func utf8(_ bytes: [UInt8]) -> [UInt8] {
        switch encoding {
        case .bytes: return bytes
        case .unknown:
            waiting += bytes
            guard waiting.count >= 2 else { return [] }
            switch (waiting[0], waiting[1]) {
            case (0xFF, 0xFE): encoding = .littleEndian
            case (0xFE, 0xFF): encoding = .bigEndian
            default:
                encoding = .bytes
                return end()
            }
            waiting.removeFirst(2)
        case .littleEndian, .bigEndian: waiting += bytes
        }
        var units: [UInt16] = []
        units.reserveCapacity(waiting.count / 2)
        for index in stride(from: 0, to: waiting.count - 1, by: 2) {
            let (a, b) = (UInt16(waiting[index]), UInt16(waiting[index + 1]))
            units.append(encoding == .littleEndian ? b << 8 | a : a << 8 | b)
        }
        // The first half of a character waits for the other.
        if let last = units.last, 0xD800...0xDBFF ~= last { units.removeLast() }
        waiting.removeFirst(2 * units.count)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// What was held back when there is no more.
    mutating func end() -> [UInt8] {
        defer { waiting = [] }
        return encoding == .littleEndian || encoding == .bigEndian ? [] : waiting
    }
}
