import Glibc

/// The decompressed bytes of one log, block by block, from the beginning as often as asked.
@safe final class LogReader {
    let input: LogInput
    /// Whether the log begins as a gzip stream.
    var isCompressed: Bool { unpacked.isCompressed }
    /// What went wrong with the gzip stream.
    var warning: ReplayWarning? { unpacked.warning }

    private let unpacked: UnpackedInput
    private let block: UnsafeMutableRawBufferPointer

    /// Large enough that a read costs nothing beside the decoding, small enough to stay in the cache.
    static let blockSize = 64 * 1024

    init(path: String) throws(ReplayError) {
        input = try LogInput(path: path)
        unpacked = try UnpackedInput(input)
        unsafe block = .allocate(byteCount: LogReader.blockSize, alignment: 16)
    }

    deinit { unsafe block.deallocate() }

    /// The next bytes, valid until the next call; empty at the end, or when the input is starved.
    func next() throws(ReplayError) -> UnsafeRawBufferPointer {
        let count = try unsafe unpacked.read(into: block)
        return unsafe UnsafeRawBufferPointer(rebasing: block[..<count])
    }

    /// Goes back to the first byte.
    func rewind() throws(ReplayError) { try unpacked.rewind() }

    /// Looks at the beginning until it tells what the log is.
    func kind() throws(ReplayError) -> LogKind {
        var head: [UInt8] = []
        while head.count < LogKind.headSize {
            let block = try unsafe next()
            unsafe head.append(contentsOf: block)
            // The first lines nearly always tell.
            let start = Array(head.prefix(4096))
            if let kind = unsafe LogKind.sniff(start, isAll: false)
                ?? LogKind.sniff(head, isAll: block.isEmpty)
            {
                return kind
            }
            if unsafe block.isEmpty { return .empty }
        }
        // It may begin with a console's messages, or with the hole that a crash left.
        var seen = head.count
        var window = Array(head.suffix(LogKind.overlap))
        while seen < LogKind.reach {
            let block = try unsafe next()
            if unsafe block.isEmpty { break }
            seen += block.count
            unsafe window.append(contentsOf: block)
            if case .log(let format)? = LogKind.sniff(window, isAll: false) { return .log(format) }
            window = Array(window.suffix(LogKind.overlap))
        }
        return LogKind.sniff(head, isAll: true) ?? .empty
    }

    /// Whether two logs hold the same bytes as they lie there; both are at their beginning afterwards.
    func holdsSame(as other: LogReader) throws(ReplayError) -> Bool {
        try input.rewind()
        try other.input.rewind()
        var same = true
        while same {
            let count = try unsafe input.read(into: block)
            var filled = 0
            while filled < count {
                let step = try unsafe other.input.read(
                    into: .init(rebasing: other.block[filled..<count]))
                if step == 0 { break }
                filled += step
            }
            let (here, there) = unsafe (block[..<count], other.block[..<filled])
            same = unsafe here.elementsEqual(there)
            if count == 0 { break }
        }
        try rewind()
        try other.rewind()
        return same
    }
}
