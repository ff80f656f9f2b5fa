/// Separated values with a header (RFC 4180, and with semicolons or tabs).
///
/// A row without both numbers passes; a column named `crs` must name the system the file was given for.
struct ConvertCSV: Sendable {
    private let latitudeNames: [String]
    private let longitudeNames: [String]
    private var columns: Columns?
    private var line = 1

    private struct Columns {
        var delimiter: UInt8
        var latitude: Int
        var longitude: Int
        var crs: Int?
    }

    /// More than any sane row; a quote that never closes must not swallow the file.
    private static let longestRow = 1 << 20

    init(_ options: ConvertOptions) {
        latitudeNames = options.latitudeColumn.map { [$0.lowercased()] } ?? ["lat", "latitude"]
        longitudeNames =
            options.longitudeColumn.map { [$0.lowercased()] }
            ?? ["lon", "lng", "long", "longitude"]
    }

    /// Converts whole rows and says how many bytes it took.
    mutating func scan(
        _ bytes: [UInt8], isLast: Bool, _ converter: inout PointConverter, _ output: inout [UInt8]
    ) throws(ConvertError) -> Int {
        var start = 0
        while start < bytes.count {
            guard let columns else {
                let whole = rowEnd(bytes, start, isLast: isLast)
                guard (whole ?? bytes.count) - start <= ConvertCSV.longestRow else {
                    throw ConvertError(line: line, reason: .malformed("an endless header"))
                }
                guard let end = whole else { break }
                self.columns = try header(bytes, start, end)
                output += bytes[start..<end]
                line += newlines(bytes, start, end)
                start = end
                continue
            }
            var row = Row()
            guard fields(bytes, start, columns, isLast: isLast, &row) else {
                guard bytes.count - start <= ConvertCSV.longestRow else {
                    throw ConvertError(line: line, reason: .malformed("a quote is not closed"))
                }
                break
            }
            try convert(bytes, start, row, columns, &converter, &output)
            line += row.newlines
            start = row.end
        }
        return start
    }

    /// The cells of a row that matter.
    private struct Row {
        var latitude = 0..<0
        var longitude = 0..<0
        var crs = 0..<0
        var end = 0
        var newlines = 0
    }

    /// Finds the cells; false when the row is not whole yet.
    private func fields(
        _ bytes: [UInt8], _ start: Int, _ columns: Columns, isLast: Bool, _ row: inout Row
    ) -> Bool {
        var index = start
        var cellStart = start
        var column = 0
        var quoted = false
        while true {
            let atEnd = index == bytes.count
            if atEnd, !isLast || quoted { return false }
            let byte = atEnd ? 10 : bytes[index]
            if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if byte == 10, quoted {
                row.newlines += 1
            } else if !quoted, byte == columns.delimiter || byte == 10 {
                if column == columns.latitude {
                    row.latitude = ConvertCSV.trimmed(bytes, cellStart..<index)
                } else if column == columns.longitude {
                    row.longitude = ConvertCSV.trimmed(bytes, cellStart..<index)
                } else if column == columns.crs {
                    row.crs = ConvertCSV.trimmed(bytes, cellStart..<index)
                }
                if byte == 10 {
                    row.end = atEnd ? index : index + 1
                    row.newlines += 1
                    return true
                }
                column += 1
                cellStart = index + 1
            }
            index += 1
        }
    }

    private func convert(
        _ bytes: [UInt8], _ start: Int, _ row: Row, _ columns: Columns,
        _ converter: inout PointConverter, _ output: inout [UInt8]
    ) throws(ConvertError) {
        guard !row.latitude.isEmpty || !row.longitude.isEmpty else {
            output += bytes[start..<row.end]
            return
        }
        guard !row.crs.isEmpty else {
            try converter.rewrite(
                bytes, start, row.end, latitude: row.latitude, longitude: row.longitude,
                line: line, &output)
            return
        }
        // The cell that names the system lies before, between or behind the numbers.
        let declared = String(decoding: bytes[row.crs], as: UTF8.self)
        let name = Array(try converter.declaration(declared, line: line).rawValue.utf8)
        let spare = name.count - row.crs.count
        let renamed =
            Array(bytes[start..<row.crs.lowerBound]) + name
            + bytes[row.crs.upperBound..<row.end]
        func moved(_ cell: Range<Int>) -> Range<Int> {
            let shift = (cell.lowerBound > row.crs.lowerBound ? spare : 0) - start
            return (cell.lowerBound + shift)..<(cell.upperBound + shift)
        }
        try converter.rewrite(
            renamed, 0, renamed.count, latitude: moved(row.latitude),
            longitude: moved(row.longitude), line: line, &output)
    }

    private func header(
        _ bytes: [UInt8], _ start: Int, _ end: Int
    ) throws(ConvertError) -> Columns {
        let begin = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), 9] {
            let names = bytes[begin..<end].split(
                separator: delimiter, omittingEmptySubsequences: false
            ).map { cell in
                let range = ConvertCSV.trimmed(bytes, cell.startIndex..<cell.endIndex)
                return String(decoding: bytes[range], as: UTF8.self).lowercased()
            }
            guard let latitude = names.firstIndex(where: latitudeNames.contains),
                let longitude = names.firstIndex(where: longitudeNames.contains)
            else { continue }
            return Columns(
                delimiter: delimiter, latitude: latitude, longitude: longitude,
                crs: names.firstIndex(of: "crs"))
        }
        let text = String(decoding: bytes[begin..<end], as: UTF8.self).lowercased()
        let missing = latitudeNames.contains(where: text.contains) ? longitudeNames : latitudeNames
        throw ConvertError(line: line, reason: .noColumn(missing.joined(separator: " or ")))
    }

    /// The index behind the line break of a header; `nil` when it is not whole yet.
    private func rowEnd(_ bytes: [UInt8], _ start: Int, isLast: Bool) -> Int? {
        guard let newline = bytes[start...].firstIndex(of: 10) else {
            return isLast ? bytes.count : nil
        }
        return newline + 1
    }

    private func newlines(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
        bytes[start..<end].count { $0 == 10 }
    }

    /// A cell without blanks and quotes around it.
    private static func trimmed(_ bytes: [UInt8], _ cell: Range<Int>) -> Range<Int> {
        var (low, high) = (cell.lowerBound, cell.upperBound)
        while low < high, bytes[low] <= 32 || bytes[low] == UInt8(ascii: "\"") { low += 1 }
        while high > low, bytes[high - 1] <= 32 || bytes[high - 1] == UInt8(ascii: "\"") {
            high -= 1
        }
        return low..<high
    }
}
