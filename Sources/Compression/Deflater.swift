import CZlib

/// Deflates a stream (RFC 1951, without a header) and sums it up as zip archives have it.
@safe public struct Deflater: ~Copyable {
    /// CRC-32 of what was taken.
    public private(set) var checksum: UInt32 = 0
    /// Bytes taken.
    public private(set) var taken: Int64 = 0
    /// Bytes made.
    public private(set) var made: Int64 = 0

    // On the heap: zlib keeps the address of the structure it was given.
    private let stream: UnsafeMutablePointer<z_stream>

    /// A stream that has taken nothing; `nil` when there is no memory.
    ///
    /// The C function is `deflateInit2`.
    public init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe CZlib_deflateInit(stream) == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Takes bytes and appends what they become, all of it when they are the last.
    ///
    /// The C functions are `deflate` and `crc32`.
    public mutating func deflate(
        _ bytes: [UInt8], isLast: Bool = false, into output: inout [UInt8]
    ) {
        var bytes = bytes
        var piece = [UInt8](repeating: 0, count: 32 * 1024)
        taken += Int64(bytes.count)
        let count = UInt32(clamping: bytes.count)
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            checksum = UInt32(
                truncatingIfNeeded: unsafe crc32(UInt(checksum), bytes.baseAddress, count))
            unsafe stream.pointee.next_in = bytes.baseAddress
            unsafe stream.pointee.avail_in = count
            var isFull = true
            while isFull {
                let filled = unsafe piece.withUnsafeMutableBufferPointer { piece in
                    unsafe stream.pointee.next_out = piece.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(piece.count)
                    _ = unsafe CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    return unsafe piece.count - Int(stream.pointee.avail_out)
                }
                output += piece[..<filled]
                made += Int64(filled)
                isFull = filled == piece.count
            }
        }
    }
}
