import Compression

/// Where a gzip member was cut and something else follows it.
enum MemberBreak {
    /// Bytes that tell a break.
    ///
    /// A member's header may hold a file name of 255 bytes of text; compressed data hold no such run of text, unless
    /// they are of one thing over and over: then they are so themselves.
    static let reach = 256
    /// A log has more different characters in so many bytes.
    private static let variety = 16

    /// The first byte of another member's header, or of text.
    static func find(in bytes: UnsafeRawBufferPointer) -> Int? {
        var text = 0
        for index in bytes.indices {
            switch unsafe bytes[index] {
            case 0x1F:
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[index...])
                if unsafe isHeader(rest) { return index }
                text = 0
            case 9, 10, 13, 0x20..<0x7F: text += 1
            default: text = 0
            }
            guard text >= reach else { continue }
            let run = unsafe UnsafeRawBufferPointer(
                rebasing: bytes[(index + 1 - reach)...index])
            if unsafe Set(run).count >= variety { return index + 1 - reach }
        }
        return nil
    }

    /// A whole header as compressors write them, without a comment or further fields: chance makes one of 2^42.
    private static func isHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.count >= Inflater.headerSize && Inflater.mayBegin(bytes)
            && (bytes[3] == 0 || bytes[3] == 8)
    }
}
