import CZlib

/// Inflates gzip members one after the other, as `zcat` does.
@safe public struct Inflater: ~Copyable {
    /// How the compressed stream stands.
    public enum State: Sendable {
        /// Within a member.
        case inside
        /// A member has ended; another one or the end of the file may follow.
        case betweenMembers
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

    /// Inflates from the front of `input` to the front of `output`.
    ///
    /// The C function is `inflate`.
    ///
    /// - Returns: bytes taken and bytes made; both 0 only when there is nothing left to take.
    public mutating func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (taken: Int, made: Int) {
        if state == .damaged { return (input.count, 0) }
        if state == .betweenMembers {
            guard unsafe !input.isEmpty else { return (0, 0) }
            // What follows the last member, as the zeros of a tape block, is not gzip and is passed over.
            guard unsafe input[0] == 0x1F else { return (input.count, 0) }
            unsafe inflateReset(stream)
            state = .inside
        }
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
        case Z_STREAM_END: state = .betweenMembers
        default:
            state = .damaged
            return (input.count, made)
        }
        return (taken, made)
    }
}
