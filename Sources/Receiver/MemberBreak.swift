import Compression

/// Where a gzip member was cut and something else follows it.
enum MemberBreak {
    /// Bytes that tell a break.
    ///
    /// A member's header may hold a file name of 255 bytes of text; compressed data hold no such run of text or of
    /// zeros.
    static let reach = 256

    /// The first byte of another member's header, of text, or of the zeros that a power cut leaves.
    static func find(in bytes: UnsafeRawBufferPointer) -> Int? {
        var text = 0
        var zeros = 0
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            switch byte {
            case 0x1F:
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[index...])
                if unsafe isHeader(rest) { return index }
                (text, zeros) = (0, 0)
            case 0: (text, zeros) = (0, zeros + 1)
            case 9, 10, 13, 0x20..<0x7F: (text, zeros) = (text + 1, 0)
            default: (text, zeros) = (0, 0)
            }
            if max(text, zeros) == reach { return index + 1 - reach }
        }
        return nil
    }

    /// A whole header as compressors write them, without a comment or further fields: chance makes one of 2^42.
    private static func isHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.count >= Inflater.headerSize && Inflater.mayBegin(bytes)
            && (bytes[3] == 0 || bytes[3] == 8)
    }
}
