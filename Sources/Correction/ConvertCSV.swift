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
                guard let row = try header(bytes, start, isLast: isLast, &converter) else {
                    guard bytes.count - start <= ConvertCSV.longestRow else {
                        throw malformed("an endless header")
                    }
                    break
                }
                output += bytes[start..<row.end]
                line += row.newlines
                start = row.end
                continue
            }
            var cells = Cells()
            let whole = scanRow(bytes, start, columns.delimiter, isLast: isLast) { column, cell in
                if column == columns.latitude {
                    cells.latitude = cell
                } else if column == columns.longitude {
                    cells.longitude = cell
                } else if column == columns.crs {
                    cells.crs = cell
                }
            }
            guard let row = whole else {
                guard bytes.count - start <= ConvertCSV.longestRow else {
                    throw malformed("a quote is not closed")
                }
                break
            }
            guard !row.hasStrayQuote else { throw malformed("a quote is not closed") }
            if row.columns <= max(columns.latitude, columns.longitude) {
                try refuseNumbers(bytes, start, row.end)
            }
            try convert(bytes, start, row.end, cells, columns, &converter, &output)
            line += row.newlines
            start = row.end
        }
        return start
    }

    private func malformed(_ what: String) -> ConvertError {
        ConvertError(line: line, reason: .malformed(what))
    }

    /// A short row may be blank, a comment or words; with numbers in it, it is separated by something else.
    private func refuseNumbers(
        _ bytes: [UInt8], _ start: Int, _ end: Int
    ) throws(ConvertError) {
        guard let first = bytes[start..<end].first(where: { $0 > 32 }),
            first != UInt8(ascii: "#"), bytes[start..<end].contains(where: { $0 >= 48 && $0 <= 57 })
        else { return }
        throw malformed("a row of fewer columns than the header has")
    }

    /// The cells of a row that matter.
    private struct Cells {
        var latitude = 0..<0
        var longitude = 0..<0
        var crs = 0..<0
    }

    private struct Row {
        var end: Int
        var newlines: Int
        var columns: Int
        /// Whether a quote is never closed, or something stands behind the one that closes.
        var hasStrayQuote: Bool
    }

    /// Where in a cell a byte stands.
    private enum Place {
        case begin
        case quoted
        case closed
        case bare
    }

    /// Gives the cells of a row that ends in LF, CR LF or CR; `nil` when it is not whole yet.
    @inline(__always)
    private func scanRow(
        _ bytes: [UInt8], _ start: Int, _ delimiter: UInt8, isLast: Bool,
        _ cell: (Int, Range<Int>) -> Void
    ) -> Row? {
        var row = Row(end: 0, newlines: 0, columns: 0, hasStrayQuote: false)
        var index = start
        var cellStart = start
        var place = Place.begin
        while true {
            let atEnd = index == bytes.count
            if atEnd {
                guard isLast else { return nil }
                if place == .quoted {
                    row.hasStrayQuote = true
                    place = .bare
                }
            }
            let byte = atEnd ? 10 : bytes[index]
            if byte == UInt8(ascii: "\"") {
                switch place {
                case .begin, .closed: place = .quoted
                case .quoted: place = .closed
                case .bare: break
                }
            } else if place == .quoted {
                if byte == 10 { row.newlines += 1 }
            } else if byte == delimiter || byte == 10 || byte == 13 {
                cell(row.columns, ConvertCSV.trimmed(bytes, cellStart..<index))
                row.columns += 1
                guard byte == delimiter else {
                    row.end = atEnd ? index : index + 1
                    row.newlines += 1
                    guard byte == 13 else { return row }
                    guard row.end < bytes.count else { return isLast ? row : nil }
                    if bytes[row.end] == 10 { row.end += 1 }
                    return row
                }
                cellStart = index + 1
                place = .begin
            } else if byte > 32 {
                if place == .closed { row.hasStrayQuote = true }
                place = .bare
            }
            index += 1
        }
    }

    private func convert(
        _ bytes: [UInt8], _ start: Int, _ end: Int, _ row: Cells, _ columns: Columns,
        _ converter: inout PointConverter, _ output: inout [UInt8]
    ) throws(ConvertError) {
        guard !row.latitude.isEmpty || !row.longitude.isEmpty else {
            output += bytes[start..<end]
            return
        }
        guard !row.crs.isEmpty else {
            try converter.rewrite(
                bytes, start, end, latitude: row.latitude, longitude: row.longitude,
                line: line, &output)
            return
        }
        // The cell that names the system lies before, between or behind the numbers.
        let declared = String(decoding: bytes[row.crs], as: UTF8.self)
        let name = Array(try converter.declaration(declared, line: line).rawValue.utf8)
        let spare = name.count - row.crs.count
        let renamed =
            Array(bytes[start..<row.crs.lowerBound]) + name
            + bytes[row.crs.upperBound..<end]
        func moved(_ cell: Range<Int>) -> Range<Int> {
            let shift = (cell.lowerBound > row.crs.lowerBound ? spare : 0) - start
            return (cell.lowerBound + shift)..<(cell.upperBound + shift)
        }
        try converter.rewrite(
            renamed, 0, renamed.count, latitude: moved(row.latitude),
            longitude: moved(row.longitude), line: line, &output)
    }

    /// Finds the columns in the first row; `nil` when it is not whole yet.
    private mutating func header(
        _ bytes: [UInt8], _ start: Int, isLast: Bool, _ converter: inout PointConverter
    ) throws(ConvertError) -> Row? {
        let begin = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), 9] {
            var names: [String] = []
            let whole = scanRow(bytes, begin, delimiter, isLast: isLast) { _, cell in
                names.append(String(decoding: bytes[cell], as: UTF8.self).lowercased())
            }
            guard let row = whole else { return nil }
            let latitudes = names.indices.filter { latitudeNames.contains(names[$0]) }
            let longitudes = names.indices.filter { longitudeNames.contains(names[$0]) }
            guard !row.hasStrayQuote, let latitude = latitudes.first,
                let longitude = longitudes.first
            else { continue }
            for places in [latitudes, longitudes] where places.count > 1 {
                let said = places.map { names[$0] }.joined(separator: ", ")
                throw malformed("which column is it: \(said)?")
            }
            for name in names.indices where name != latitude && name != longitude {
                guard ConvertCSV.namesPosition(names[name]) else { continue }
                converter.warnings.append("column \(names[name]) stays as it is")
            }
            columns = Columns(
                delimiter: delimiter, latitude: latitude, longitude: longitude,
                crs: names.firstIndex(of: "crs"))
            return row
        }
        let end = bytes[begin...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
        let text = String(decoding: bytes[begin..<end], as: UTF8.self).lowercased()
        let missing = latitudeNames.contains(where: text.contains) ? longitudeNames : latitudeNames
        throw ConvertError(line: line, reason: .noColumn(missing.joined(separator: " or ")))
    }

    /// Whether a column of this name holds positions too, as `end_lat`.
    private static func namesPosition(_ name: String) -> Bool {
        name.split { !$0.isLetter }.contains { word in
            ["lat", "lon", "lng", "wkt"].contains(word) || word.hasSuffix("latitude")
                || word.hasSuffix("longitude")
        }
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
