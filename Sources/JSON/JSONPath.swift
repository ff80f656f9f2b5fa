/// Where in a value the reading of JSON stopped.
enum JSONPath {
    /// Longer names are of no use to a person.
    private static let longest = 64

    /// The member that is open at the end of `bytes`, as `params.after`; `nil` outside of any.
    ///
    /// - Parameter bytes: the beginning of a value, sound as far as it goes.
    static func last(of bytes: UnsafeRawBufferPointer) -> String? {
        var names: [String?] = []
        // For each container that is open: whether the next string is a name. Arrays have none.
        var expectsName: [Bool] = []
        var start: Int?
        var escaped = false
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if let begun = start {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    start = nil
                    guard expectsName.last == true else { continue }
                    names[names.count - 1] = unsafe String(
                        decoding: bytes[begun..<index].prefix(longest), as: UTF8.self)
                    expectsName[expectsName.count - 1] = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): start = index + 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                names.append(nil)
                expectsName.append(byte == UInt8(ascii: "{"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = names.popLast()
                _ = expectsName.popLast()
            case UInt8(ascii: ",") where names.last != .some(nil):
                // Only an object's member has a name that ends here.
                guard !names.isEmpty else { continue }
                names[names.count - 1] = nil
                expectsName[expectsName.count - 1] = true
            default: break
            }
        }
        let open = names.compactMap { $0 }
        return open.isEmpty ? nil : open.joined(separator: ".")
    }
}
