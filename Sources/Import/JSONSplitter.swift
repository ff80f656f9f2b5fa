/// Cuts JSON into the objects that can be read one by one.
///
/// These are the elements of an array that is the file, or of a wanted array that is a member of the object that is the
/// file; else the object that is the file, or each of several that follow each other (JSON Lines, RFC 8142). What lies
/// beside is passed over. Memory is bounded by the largest of them.
struct JSONSplitter {
    /// One object.
    struct Piece {
        var bytes: [UInt8]
        /// The line on which it begins.
        var line: Int
        /// The member whose array it is an element of; `nil` elsewhere.
        var list: String?
    }

    /// The largest object; a GeoJSON line of two million points fits.
    static let limit = 128 << 20
    /// Deeper than any format here; what is read is checked again by its parser.
    private static let maximumDepth = 64

    private let wanted: [String]
    private(set) var line = 1
    private var stack: [UInt8] = []
    private var inString = false
    private var escaped = false
    private var lastString: [UInt8] = []
    /// The value of `crs` beside a list, as conversions of this program write it.
    private(set) var system: String?
    private var stringBefore: [UInt8] = []
    private var hasList = false
    /// Whether what comes next is the value of a member of the outermost object.
    private var isValue = false
    private var list: String?
    /// Depth of the array whose elements are given; `nil` while there is none.
    private var listDepth: Int?
    /// Depth at which the object being kept began; `nil` while nothing is kept.
    private var keptDepth: Int?
    private var kept: [UInt8] = []
    private var keptLine = 1
    private var needsComma = false
    /// Whether no object or array has begun yet.
    private(set) var isUntouched = true

    init(lists: [String]) {
        wanted = lists
    }

    /// Takes a byte; gives the object that it ends.
    mutating func take(_ byte: UInt8) throws(ImportError) -> Piece? {
        if byte == 10 { line += 1 }
        if keptDepth != nil {
            guard kept.count < JSONSplitter.limit else { throw error("an object is too large") }
            kept.append(byte)
        }
        if inString {
            takeString(byte)
            return nil
        }
        if byte > 32, byte != UInt8(ascii: "\"") {
            isValue = byte == UInt8(ascii: ":") && stack.count == 1
        }
        switch byte {
        case UInt8(ascii: "\""):
            guard !stack.isEmpty else { throw error("text outside an object: not JSON") }
            inString = true
            lastString.removeAll(keepingCapacity: true)
        case UInt8(ascii: "{"), UInt8(ascii: "["): try open(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return try close(byte)
        case UInt8(ascii: ",") where stack.count == listDepth: needsComma = false
        case 0: throw error("NUL byte")
        default:
            // White space, the record separator of RFC 8142 and a byte order mark stand between values.
            if stack.isEmpty, byte > 32, byte != UInt8(ascii: ","), byte < 0x80 {
                throw error("not JSON")
            }
        }
        return nil
    }

    /// Takes the end of the file.
    func finish() throws(ImportError) {
        guard stack.isEmpty else { throw error("the file ends in the middle of a JSON value") }
    }

    private mutating func takeString(_ byte: UInt8) {
        if escaped {
            escaped = false
        } else if byte == UInt8(ascii: "\\") {
            escaped = true
        } else if byte == UInt8(ascii: "\"") {
            inString = false
            if stack.count == 1, hasList {
                if isValue, stringBefore.elementsEqual("crs".utf8) {
                    system = String(decoding: lastString, as: UTF8.self)
                }
                stringBefore = lastString
            }
            return
        }
        if lastString.count < 64 { lastString.append(byte) }
    }

    private mutating func open(_ byte: UInt8) throws(ImportError) {
        let depth = stack.count
        guard depth < JSONSplitter.maximumDepth else { throw error("nested too deep") }
        isUntouched = false
        if depth == listDepth {
            guard byte == UInt8(ascii: "{") else { throw error("an array where objects belong") }
            guard !needsComma else { throw error("a comma is missing") }
            keep(byte)
        } else if depth == 0 {
            if byte == UInt8(ascii: "{") {
                keep(byte)
            } else {
                begin(list: nil)
            }
        } else if depth == 1, keptDepth == 0, byte == UInt8(ascii: "[") {
            let name = String(decoding: lastString, as: UTF8.self)
            if wanted.contains(name) {
                keptDepth = nil
                kept.removeAll()
                begin(list: name)
            }
        } else if depth == 1, keptDepth == nil, listDepth == nil, byte == UInt8(ascii: "[") {
            let name = String(decoding: lastString, as: UTF8.self)
            if wanted.contains(name) { begin(list: name) }
        }
        stack.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    private mutating func begin(list name: String?) {
        list = name
        hasList = true
        listDepth = stack.count + 1
        needsComma = false
    }

    private mutating func keep(_ byte: UInt8) {
        kept.removeAll(keepingCapacity: true)
        kept.append(byte)
        keptLine = line
        keptDepth = stack.count
    }

    private mutating func close(_ byte: UInt8) throws(ImportError) -> Piece? {
        guard stack.popLast() == byte else { throw error("brackets do not match") }
        let depth = stack.count
        if let listDepth, depth < listDepth {
            self.listDepth = nil
            list = nil
            return nil
        }
        guard depth == keptDepth else { return nil }
        keptDepth = nil
        needsComma = true
        defer { kept = [] }
        return Piece(bytes: kept, line: keptLine, list: list)
    }

    private func error(_ message: String) -> ImportError {
        ImportError(line: line, message: message)
    }
}
