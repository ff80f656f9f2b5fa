/// Cuts the bytes of one client into lines of bounded length.
struct LineFramer {
    /// One line without its line feed, or the place of one that was too long.
    enum Line: Equatable {
        case line(ArraySlice<UInt8>)
        case overlong
    }

    private let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0
    /// Inside a line that was reported as too long.
    private var isSkipping = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Bytes that are waiting.
    var count: Int {
        bytes.count - start
    }

    /// Adds what was read.
    mutating func append(_ more: ArraySlice<UInt8>) {
        bytes += more
    }

    /// The next complete line; `nil` when there is none yet.
    mutating func next() -> Line? {
        while true {
            guard let feed = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
                searched = bytes.count
                return endless()
            }
            let line = bytes[start..<feed]
            start = feed + 1
            searched = start
            guard isSkipping else {
                return line.count > limit ? .overlong : .line(line)
            }
            isSkipping = false
        }
    }

    /// What is left at the end of input, as a line: a shell's `printf status` ends without a line feed.
    mutating func finish() -> Line? {
        let rest = bytes[start...]
        compact(to: bytes.count)
        return rest.isEmpty || isSkipping ? nil : .line(rest)
    }

    /// No line feed in what is waiting: makes room, and gives up a line that is too long already.
    private mutating func endless() -> Line? {
        if isSkipping || count > limit {
            defer { isSkipping = true }
            compact(to: bytes.count)
            return isSkipping ? nil : .overlong
        }
        compact(to: start)
        return nil
    }

    private mutating func compact(to new: Int) {
        if new == bytes.count {
            // An idle client holds no memory.
            bytes = []
        } else {
            bytes.removeSubrange(..<new)
        }
        start = 0
        searched = bytes.count
    }
}
