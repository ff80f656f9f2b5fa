import Compression
import Glibc

/// The decompressed bytes of one log, block by block, from the beginning as often as asked.
@safe final class LogReader {
    let input: LogInput
    /// Whether the log is a gzip stream.
    let isCompressed: Bool
    /// What went wrong with the gzip stream.
    private(set) var warning: ReplayWarning?

    private var inflater: Inflater?
    private let block: UnsafeMutableRawBufferPointer
    private let packed: UnsafeMutableRawBufferPointer
    private var packedRange = 0..<0
    private var inputEnded = false

    /// Large enough that a read costs nothing beside the decoding, small enough to stay in the cache.
    static let blockSize = 64 * 1024
    private static let packedSize = 32 * 1024

    init(path: String) throws(ReplayError) {
        input = try LogInput(path: path)
        unsafe block = .allocate(byteCount: LogReader.blockSize, alignment: 16)
        do throws(ReplayError) {
            var head = 0
            // A pipe may give less than it was asked for.
            while head < 3 {
                let count = try unsafe input.read(into: .init(rebasing: block[head..<3]))
                if count == 0 { break }
                head += count
            }
            if unsafe Inflater.isGzip(UnsafeRawBufferPointer(rebasing: block[..<head])) {
                isCompressed = true
                inflater = try LogReader.inflater(for: input.path)
                unsafe packed = .allocate(byteCount: LogReader.packedSize, alignment: 16)
            } else {
                isCompressed = false
                unsafe packed = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            }
            try input.rewind()
        } catch {
            unsafe block.deallocate()
            throw error
        }
    }

    deinit {
        unsafe block.deallocate()
        unsafe packed.deallocate()
    }

    /// The next bytes, valid until the next call; empty at the end.
    func next() throws(ReplayError) -> UnsafeRawBufferPointer {
        let count = isCompressed ? try inflateBlock() : try unsafe input.read(into: block)
        return unsafe UnsafeRawBufferPointer(rebasing: block[..<count])
    }

    /// Goes back to the first byte.
    func rewind() throws(ReplayError) {
        try input.rewind()
        packedRange = 0..<0
        inputEnded = false
        warning = nil
        if isCompressed { inflater = try LogReader.inflater(for: input.path) }
    }

    private static func inflater(for path: String) throws(ReplayError) -> Inflater {
        guard let inflater = Inflater() else {
            throw ReplayError.unreadable(path: path, code: ENOMEM)
        }
        return inflater
    }

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

    private func inflateBlock() throws(ReplayError) -> Int {
        var made = 0
        while made < LogReader.blockSize {
            if packedRange.isEmpty, !inputEnded {
                let count = try unsafe input.read(into: packed)
                packedRange = 0..<count
                inputEnded = count == 0
            }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: packed[packedRange])
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: block[made...])
            guard let step = unsafe inflater?.inflate(rest, into: room) else { break }
            packedRange = packedRange.lowerBound + step.taken..<packedRange.upperBound
            made += step.made
            if step.taken == 0, step.made == 0, inputEnded { break }
        }
        if made < LogReader.blockSize {
            switch inflater?.state {
            case .inside: warning = .truncatedGzip(path: input.path)
            case .damaged: warning = .damagedGzip(path: input.path)
            case .betweenMembers, nil: break
            }
        }
        return made
    }
}
