import Glibc

/// The receivers of a source, numbered by first appearance.
final class DeviceTable {
    private(set) var names: [String] = []

    /// The number of a receiver that is known already.
    func known(_ name: UnsafeRawBufferPointer) -> Int? {
        names.firstIndex { known in
            // A String of Swift's own always has its letters in one piece.
            unsafe known.utf8.withContiguousStorageIfAvailable { letters in
                guard letters.count == name.count, let start = letters.baseAddress,
                    let other = name.baseAddress
                else { return false }
                return unsafe memcmp(start, other, name.count) == 0
            } ?? false
        }
    }

    /// The number of a receiver; reports without a name belong to the first one.
    func index(of name: String?) -> UInt8 {
        guard let name, !name.isEmpty else {
            if names.isEmpty { names.append("") }
            return 0
        }
        if let known = names.firstIndex(of: name) { return UInt8(known) }
        if names == [""] {
            names[0] = name
            return 0
        }
        // More than gpsd takes (MAX_DEVICES is 4): a source that makes names up.
        guard names.count < 64 else { return 63 }
        names.append(name)
        return UInt8(names.count - 1)
    }
}
