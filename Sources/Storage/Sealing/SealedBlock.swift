/// A fix with its rows of the side tables, as a block holds it.
struct SealedRow: Equatable {
    var sequence: Int64
    var row: FixRow
    var detail: DetailRow?
    /// The columns of its row in `corrected`, without the sequence.
    var corrected: CorrectedRow?
}

/// The columns of a row of table `corrected`.
struct CorrectedRow: Equatable {
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    var altitudeMSL: Int64?
    var altitudeHAE: Int64?
    var correction: Int64 = 0
}

/// Fixes as bytes: column by column, each part of a packed column for itself, and nothing lost.
enum SealedBlock {
    /// The number of this way of writing, column `format` of table `block`.
    static let format: Int64 = 1

    static func encode(_ rows: [SealedRow]) -> [UInt8] {
        var writer = BitWriter()
        writer.put(UInt64(rows.count), 32)
        for column in columns(of: rows) { ColumnCode.encode(column, to: &writer) }
        writer.finish()
        return writer.bytes
    }

    /// The rows of a block; `nil` for bytes that are none.
    static func decode(_ bytes: [UInt8]) -> [SealedRow]? {
        var reader = BitReader(bytes)
        let count = Int(reader.take(32))
        // More than a block ever has: the bytes are not ours.
        guard count <= 1 << 20 else { return nil }
        var columns = ColumnReader(reader)
        let rows = rows(count, from: &columns)
        return columns.reader.isOverrun ? nil : rows
    }

    // MARK: Apart

    private static func columns(of rows: [SealedRow]) -> [[Int64]] {
        var columns: [[Int64]] = [rows.map(\.sequence)]
        let fixes = rows.map(\.row)
        func add(_ path: KeyPath<FixRow, Int64?>, _ parts: (Int64) -> [Int64]) {
            columns.append(fixes.map { $0[keyPath: path] == nil ? 0 : 1 })
            let values = fixes.compactMap { $0[keyPath: path] }.map(parts)
            for index in parts(0).indices { columns.append(values.map { $0[index] }) }
        }
        add(\.time) { [$0] }
        columns.append(fixes.map { $0.millisecondsAndLag & 1023 })
        columns.append(fixes.map { $0.millisecondsAndLag >> 10 })
        columns.append(fixes.map(\.latitude))
        columns.append(fixes.map(\.longitude))
        add(\.heights) { heights in
            // Bit 0 tells decimetres from millimetres, see ``FixRow``.
            let bits: Int64 = heights & 1 == 0 ? 13 : 20
            return [heights & (1 << bits - 1), heights >> bits]
        }
        add(\.speedAndCourse) { value in
            let (speed, course) = value.flooredDivision(by: 36_001)
            return [speed, course]
        }
        add(\.dop) { fields($0, [10, 10, 10, 10]) }
        add(\.ephEpvClimb) { fields($0, [16, 16]) }
        add(\.epsEpcEpt) { fields($0, [16, 16]) }
        let quality = fixes.map { fields($0.quality, [9, 8, 8]) }
        for index in 0..<4 { columns.append(quality.map { $0[index] }) }
        columns.append(fixes.map(\.flags))
        func add<Row>(optional values: [Row], _ path: (Row) -> Int64?) {
            columns.append(values.map { path($0) == nil ? 0 : 1 })
            columns.append(values.compactMap(path))
        }
        columns.append(rows.map { $0.detail == nil ? 0 : 1 })
        let details = rows.compactMap(\.detail)
        for column in DetailRow.columns { add(optional: details) { $0[keyPath: column.path] } }
        columns.append(rows.map { $0.corrected == nil ? 0 : 1 })
        let corrected = rows.compactMap { row in row.corrected.map { (row.row, $0) } }
        columns.append(corrected.map { $1.latitude &- $0.fineLatitude })
        columns.append(corrected.map { $1.longitude &- $0.fineLongitude })
        add(optional: corrected) { $0.1.altitudeMSL }
        add(optional: corrected) { $0.1.altitudeHAE }
        columns.append(corrected.map(\.1.correction))
        return columns
    }

    /// The lowest bits of a number in fields, and what is above them.
    private static func fields(_ value: Int64, _ widths: [Int64]) -> [Int64] {
        var rest = value
        var fields: [Int64] = []
        for width in widths {
            fields.append(rest & (1 << width - 1))
            rest >>= width
        }
        return fields + [rest]
    }

    // MARK: Together

    private struct ColumnReader {
        var reader: BitReader

        init(_ reader: BitReader) {
            self.reader = reader
        }

        mutating func column(_ count: Int) -> [Int64] {
            let values = ColumnCode.decode(count, from: &reader)
            // Bytes that end too soon are refused at the end.
            return values.count == count
                ? values : values + [Int64](repeating: 0, count: count - values.count)
        }

        /// Which of `count` values are there, and the parts of those.
        mutating func optional(
            _ count: Int, parts: Int, _ join: (_ columns: [[Int64]], _ index: Int) -> Int64
        ) -> [Int64?] {
            let isThere = column(count)
            let present = isThere.count { $0 != 0 }
            let columns = (0..<parts).map { _ in column(present) }
            var next = 0
            return isThere.map { flag in
                guard flag != 0 else { return nil }
                defer { next += 1 }
                return join(columns, next)
            }
        }

        mutating func optional(_ count: Int) -> [Int64?] {
            optional(count, parts: 1) { $0[0][$1] }
        }
    }

    private static func rows(_ count: Int, from columns: inout ColumnReader) -> [SealedRow] {
        var rows = columns.column(count).map { SealedRow(sequence: $0, row: FixRow()) }
        func put<Value>(_ values: [Value], _ set: (inout FixRow, Value) -> Void) {
            for (index, value) in values.enumerated() { set(&rows[index].row, value) }
        }
        put(columns.optional(count)) { $0.time = $1 }
        put(columns.column(count)) { $0.millisecondsAndLag = $1 }
        put(columns.column(count)) { $0.millisecondsAndLag |= $1 << 10 }
        put(columns.column(count)) { $0.latitude = $1 }
        put(columns.column(count)) { $0.longitude = $1 }
        let heights = columns.optional(count, parts: 2) { columns, index in
            let low = columns[0][index]
            return columns[1][index] << (low & 1 == 0 ? 13 : 20) | low
        }
        put(heights) { $0.heights = $1 }
        let motion = columns.optional(count, parts: 2) { $0[0][$1] &* 36_001 &+ $0[1][$1] }
        put(motion) { $0.speedAndCourse = $1 }
        put(columns.optional(count, parts: 5) { join($0, $1, [10, 10, 10, 10]) }) { $0.dop = $1 }
        put(columns.optional(count, parts: 3) { join($0, $1, [16, 16]) }) {
            $0.ephEpvClimb = $1
        }
        put(columns.optional(count, parts: 3) { join($0, $1, [16, 16]) }) { $0.epsEpcEpt = $1 }
        let quality = (0..<4).map { _ in columns.column(count) }
        put(rows.indices.map { join(quality, $0, [9, 8, 8]) }) { $0.quality = $1 }
        put(columns.column(count)) { $0.flags = $1 }
        let hasDetail = columns.column(count).indices(where: { $0 != 0 })
        putDetails(Array(rows.indices[hasDetail]), &rows, &columns)
        let hasCorrected = columns.column(count).indices(where: { $0 != 0 })
        putCorrected(Array(rows.indices[hasCorrected]), &rows, &columns)
        return rows
    }

    private static func putDetails(
        _ indices: [Int], _ rows: inout [SealedRow], _ columns: inout ColumnReader
    ) {
        for index in indices { rows[index].detail = DetailRow() }
        for column in DetailRow.columns {
            for (index, value) in zip(indices, columns.optional(indices.count)) {
                rows[index].detail?[keyPath: column.path] = value
            }
        }
    }

    private static func putCorrected(
        _ indices: [Int], _ rows: inout [SealedRow], _ columns: inout ColumnReader
    ) {
        let latitudes = columns.column(indices.count)
        let longitudes = columns.column(indices.count)
        let heights = (columns.optional(indices.count), columns.optional(indices.count))
        let corrections = columns.column(indices.count)
        for (place, index) in indices.enumerated() {
            rows[index].corrected = CorrectedRow(
                latitude: latitudes[place] &+ rows[index].row.fineLatitude,
                longitude: longitudes[place] &+ rows[index].row.fineLongitude,
                altitudeMSL: heights.0[place], altitudeHAE: heights.1[place],
                correction: corrections[place])
        }
    }

    /// What ``fields(_:_:)`` took apart, of one row of the columns it gave.
    private static func join(_ columns: [[Int64]], _ index: Int, _ widths: [Int64]) -> Int64 {
        var value = columns[widths.count][index]
        for place in widths.indices.reversed() {
            value = value << widths[place] | columns[place][index]
        }
        return value
    }
}

extension FixRow {
    /// Degrees in 1e-9, whatever the row's fineness.
    fileprivate var fineLatitude: Int64 {
        quality >> Quality.fine & 1 == 1 ? latitude : latitude &* 100
    }

    fileprivate var fineLongitude: Int64 {
        quality >> Quality.fine & 1 == 1 ? longitude : longitude &* 100
    }
}

/// The check sum of gzip and zip (RFC 1952, section 8).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
        }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        // Fetched once: a global is looked for at each use.
        let table = table
        return ~bytes.reduce(0xFFFF_FFFF) {
            table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8
        }
    }
}
