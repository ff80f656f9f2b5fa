import CZlib

/// Inflates a gzip member, and another one after each ``restart()``.
@safe public struct Inflater: ~Copyable {
    /// How the compressed stream stands.
    public enum State: Sendable {
        /// Within a member.
        case inside
        /// The member has ended, and its check sum fits.
        case ended
        /// What came is not gzip.
        case damaged
    }

    /// How the stream stands.
    public private(set) var state = State.inside
    // On the heap: zlib keeps the address of the structure it was given.
    private let stream: UnsafeMutablePointer<z_stream>

    /// A stream that expects the header of a member.
    ///
    /// The C function is `inflateInit2`.
    public init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe CZlib_inflateInit(stream) == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Whether bytes begin as a gzip member does (RFC 1952, section 2.3.1).
    public static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8
    }

    /// Bytes of a member's fixed header.
    public static let headerSize = 10

    /// Whether bytes may begin a member.
    ///
    /// They do with a whole header whose flags, extra flags and system RFC 1952 knows, or as much of one as there is.
    /// Chance makes one of 2^37.
    public static func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.first == 0x1F
            && (bytes.count < 2 || bytes[1] == 0x8B)
            && (bytes.count < 3 || bytes[2] == 8)
            && (bytes.count < 4 || bytes[3] & 0xE0 == 0)
            && (bytes.count < 9 || [0, 2, 4].contains(bytes[8]))
            && (bytes.count < 10 || bytes[9] <= 13 || bytes[9] == 255)
    }

    /// Expects the header of another member.
    ///
    /// The C function is `inflateReset`.
    public mutating func restart() {
        unsafe inflateReset(stream)
        state = .inside
    }

    /// Inflates from the front of `input` to the front of `output`.
    ///
    /// The C function is `inflate`.
    ///
    /// - Returns: bytes taken and bytes made; both 0 when there is nothing left to take or the member is over.
    public mutating func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (taken: Int, made: Int) {
        guard case .inside = state else { return (0, 0) }
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        let taken = unsafe input.count - Int(stream.pointee.avail_in)
        let made = unsafe output.count - Int(stream.pointee.avail_out)
        switch code {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: state = .ended
        default: state = .damaged
        }
        return (taken, made)
    }
}
