/// The bytes of a recorded file as a program reads them: unpacked when they are gzip, from the beginning as often
/// as asked.
public final class LogBytes {
    /// Bytes of the file as it lies there; `nil` for a pipe.
    public let size: Int64?
    /// Unpacked bytes that were read since the beginning.
    public private(set) var digest = LogDigest()

    private let reader: LogReader

    /// Opens a file; `-` is standard input.
    public init(path: String) throws(ReplayError) {
        reader = try LogReader(path: path)
        size = reader.input.identity?.size
    }

    /// The next bytes; empty at the end.
    public func next() throws(ReplayError) -> [UInt8] {
        let block = try unsafe reader.next()
        unsafe digest.update(block)
        return unsafe Array(block)
    }

    /// Goes back to the first byte.
    public func rewind() throws(ReplayError) {
        try reader.rewind()
        digest = LogDigest()
    }

    /// What is wrong with the compression of what was read; `nil` while nothing is.
    public var warning: ReplayWarning? { reader.warning }

    /// Whether the file is compressed, so that more bytes come out of it than it has.
    public var isCompressed: Bool { reader.isCompressed }
}
