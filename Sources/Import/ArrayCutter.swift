/// One object of a file without its longest arrays, which are read from its bytes as they are needed.
///
/// A line of a million points is a million small arrays: as values they would take a hundred times the room.
struct CutObject {
    /// The object as it lies in the file.
    let bytes: [UInt8]
    /// The same, each array that was cut replaced by its number and as many line feeds.
    private(set) var rest: [UInt8] = []
    /// Where in ``bytes`` the arrays are, by number.
    private(set) var arrays: [Range<Int>] = []

    /// Cuts arrays of arrays named `coordinates` and the times beside them out of an object whose brackets match.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        rest.reserveCapacity(min(bytes.count, 4096))
        var name = 0..<0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let end = CutObject.stringEnd(bytes, index)
                name = (index + 1)..<max(index + 1, end - 1)
                rest += bytes[index..<end]
                index = end
            } else if byte == UInt8(ascii: "["), isCut(name, index) {
                let end = CutObject.arrayEnd(bytes, index)
                rest += "\(arrays.count)".utf8
                for place in index..<end where bytes[place] == 10 { rest.append(10) }
                arrays.append(index..<end)
                index = end
                name = 0..<0
            } else {
                if byte > 32, byte != UInt8(ascii: ":") { name = 0..<0 }
                rest.append(byte)
                index += 1
            }
        }
    }

    /// The array that stands behind a number in ``rest``.
    func cursor(of value: Int64) -> ArrayCursor? {
        guard let index = Int(exactly: value), arrays.indices.contains(index) else { return nil }
        return ArrayCursor(bytes, arrays[index])
    }

    private func isCut(_ name: Range<Int>, _ bracket: Int) -> Bool {
        let word = bytes[name]
        let beside = ["coordTimes", "times", "sequences"]
        if beside.contains(where: { word.elementsEqual($0.utf8) }) { return true }
        guard word.elementsEqual("coordinates".utf8) else { return false }
        return bytes[(bracket + 1)...].first { $0 > 32 } == UInt8(ascii: "[")
    }

    /// The index behind a string.
    private static func stringEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return bytes.count
    }

    /// The index behind an array.
    private static func arrayEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = stringEnd(bytes, index)
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return bytes.count
    }
}

/// Goes through a JSON array in the bytes of a file, without making values of it.
struct ArrayCursor {
    private let bytes: [UInt8]
    private var index: Int
    private let end: Int
    /// Whether the array that was entered last has given an element yet.
    private var hasBegun = false

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
    }

    /// What stands next, white space aside; 0 at the end.
    private mutating func peek() -> UInt8 {
        while index < end, bytes[index] <= 32 { index += 1 }
        return index < end ? bytes[index] : 0
    }

    /// Whether an array stands next; goes into it then.
    mutating func enter() -> Bool {
        guard peek() == UInt8(ascii: "[") else { return false }
        index += 1
        hasBegun = false
        return true
    }

    /// Whether there is another element; goes behind the array that was entered last when there is none.
    ///
    /// - Returns: `nil` where the array is not sound.
    mutating func hasNext() -> Bool? {
        switch peek() {
        case UInt8(ascii: "]"):
            index += 1
            hasBegun = true
            return false
        case UInt8(ascii: ",") where hasBegun:
            index += 1
            return peek() == UInt8(ascii: "]") ? nil : true
        case 0, UInt8(ascii: ","): return nil
        default:
            defer { hasBegun = true }
            return hasBegun ? nil : true
        }
    }

    /// The number, word or text that stands next, text without its quotation marks and with `isText`.
    mutating func scalar() -> (word: Substring, isText: Bool)? {
        guard peek() == UInt8(ascii: "\"") else {
            let start = index
            while index < end, bytes[index] > 32, !",[]{}\"".utf8.contains(bytes[index]) {
                index += 1
            }
            guard index > start, index - start <= 64 else { return nil }
            hasBegun = true
            return (String(decoding: bytes[start..<index], as: UTF8.self)[...], false)
        }
        let start = index + 1
        index = start
        while index < end, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
            index += 1
        }
        guard index < end, bytes[index] == UInt8(ascii: "\""), index - start <= 64 else {
            return nil
        }
        defer { index += 1 }
        hasBegun = true
        return (String(decoding: bytes[start..<index], as: UTF8.self)[...], true)
    }
}
