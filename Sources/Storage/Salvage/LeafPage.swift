/// One value of a row as it lies on a page.
enum StoredValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}

/// A row found on a page.
struct FoundRow: Equatable {
    var rowid: Int64
    var values: [StoredValue]
}

/// The rows of a page of a table, read without trust in any of its bytes.
///
/// SQLite, "Database File Format", section 1.6.
struct LeafPage {
    /// The kind of a page that holds rows of a table.
    static let leaf: UInt8 = 0x0D
    /// The kind of a page that points to such pages.
    static let interior: UInt8 = 0x05

    private let image: PageImage
    private let bytes: [UInt8]
    private let start: Int

    /// - Parameters:
    ///   - number: of the page, whose first has the file's header before it.
    ///   - bytes: of the page.
    init(_ number: Int, _ bytes: [UInt8], of image: PageImage) {
        self.image = image
        self.bytes = bytes
        start = number == 1 ? 100 : 0
    }

    var kind: UInt8 { bytes[start] }

    /// The pages that an interior page points to.
    var children: [Int] {
        var children = cells(after: 12).map { Int(bytes.bigEndian32($0)) }
        children.append(Int(bytes.bigEndian32(start + 8)))
        return children
    }

    /// Goes through the rows that can be read, in the order of the page.
    ///
    /// - Parameter body: gets each row whose number is above the one before it.
    /// - Returns: how many rows the page says it has and that could not be read.
    func rows(_ body: (FoundRow) throws(StoreError) -> Void) throws(StoreError) -> Int {
        var lost = max(0, declared - (image.usable - start - 8) / 2)
        var last: Int64?
        for cell in cells(after: 8) {
            guard let row = row(at: cell), last.map({ row.rowid > $0 }) ?? true else {
                lost += 1
                continue
            }
            last = row.rowid
            try body(row)
        }
        return lost
    }

    private var declared: Int {
        Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    }

    private func cells(after header: Int) -> [Int] {
        let first = start + header
        let count = min(declared, (image.usable - first) / 2)
        return (0..<max(0, count)).map {
            Int(bytes[first + 2 * $0]) << 8 | Int(bytes[first + 2 * $0 + 1])
        }.filter { $0 >= first && $0 < image.usable - 3 }
    }

    private func row(at cell: Int) -> FoundRow? {
        var at = cell
        guard let size = varint(bytes, &at), let rowid = varint(bytes, &at),
            size > 1, size <= 1 << 30, let payload = payload(Int(size), at: at)
        else { return nil }
        return LeafPage.values(of: payload).map { FoundRow(rowid: rowid, values: $0) }
    }

    /// The bytes of a row, those on overflow pages included.
    private func payload(_ size: Int, at: Int) -> [UInt8]? {
        let usable = image.usable
        guard size > usable - 35 else {
            return at + size <= usable ? Array(bytes[at..<at + size]) : nil
        }
        let least = (usable - 12) * 32 / 255 - 23
        let spilled = least + (size - least) % (usable - 4)
        let local = spilled <= usable - 35 ? spilled : least
        guard at + local + 4 <= usable else { return nil }
        var payload = Array(bytes[at..<at + local])
        var next = Int(bytes.bigEndian32(at + local))
        while payload.count < size {
            guard next > 0, next <= image.count, let page = image.page(next) else { return nil }
            payload += page[4..<min(usable, 4 + size - payload.count)]
            next = Int(page.bigEndian32(0))
        }
        return payload
    }

    /// Takes a record apart; `nil` when its header does not fit its bytes.
    private static func values(of record: [UInt8]) -> [StoredValue]? {
        var at = 0
        guard let header = varint(record, &at), header <= record.count, header > at - 1 else {
            return nil
        }
        var kinds: [Int64] = []
        while at < Int(header) {
            guard let kind = varint(record, &at), kind >= 0 else { return nil }
            kinds.append(kind)
        }
        guard at == Int(header) else { return nil }
        var values: [StoredValue] = []
        for kind in kinds {
            guard let value = value(kind, record, &at) else { return nil }
            values.append(value)
        }
        return at == record.count ? values : nil
    }

    private static func value(_ kind: Int64, _ record: [UInt8], _ at: inout Int) -> StoredValue? {
        let sizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
        let size = kind < 10 ? sizes[Int(kind)] : Int(min(kind, 1 << 40) - 12) / 2
        guard kind < 10 || kind >= 12, size <= record.count - at else { return nil }
        let bytes = record[at..<at + size]
        at += size
        switch kind {
        case 0: return .null
        case 1...6:
            let sign: Int64 = bytes.first.map { $0 & 0x80 != 0 } ?? false ? -1 : 0
            return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
        case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case 8: return .integer(0)
        case 9: return .integer(1)
        default: return kind & 1 == 0 ? .blob(Array(bytes)) : .text(Array(bytes))
        }
    }
}

/// Reads a number of 1 to 9 bytes; `nil` at the end of the bytes.
private func varint(_ bytes: [UInt8], _ at: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
        guard at < bytes.count else { return nil }
        let byte = bytes[at]
        at += 1
        if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
        value = value << 7 | UInt64(byte & 0x7F)
        if byte & 0x80 == 0 { break }
    }
    return Int64(bitPattern: value)
}
