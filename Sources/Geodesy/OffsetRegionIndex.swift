/// The borders of all regions, indexed so that most points meet none of them and the rest a few edges.
///
/// Cells of a quarter degree that no border touches know their answer. In the others a point is tried
/// against the edges to its east in its band of latitude (even-odd rule). Decoded from the compiled-in text
/// on first use, some 200 kB; a program that never asks pays nothing.
struct OffsetRegionIndex: Sendable {
    static let shared = OffsetRegionIndex()

    private struct Edge {
        var low: Double
        var high: Double
        /// Longitude at `low`, degrees.
        var longitude: Double
        /// Degrees of longitude per degree of latitude.
        var slope: Double
        /// Longitude of its eastern end.
        var east: Double
        /// A bit, 1 << raw value.
        var region: UInt8
    }

    private static let south = 17.0
    private static let west = 73.0
    private static let bandsPerDegree = 20.0
    private static let bandCount = 740
    private static let cellsPerDegree = 4.0
    private static let rows = 148
    private static let columns = 248
    private static let abroad: UInt8 = 0xFE
    private static let mixed: UInt8 = 0xFF

    private var edges: [Edge] = []
    /// Where the edges of each band begin in `members`; one more at the end.
    private var begins: [Int32] = [0]
    /// The edges of each band, eastern ends from east to west.
    private var members: [UInt16] = []
    /// A region's raw value, abroad or mixed.
    private var cells: [UInt8]

    private init() {
        cells = Array(
            repeating: OffsetRegionIndex.abroad,
            count: OffsetRegionIndex.rows * OffsetRegionIndex.columns)
        for region in OffsetRegion.allCases { decode(region) }
        var bands = [[UInt16]](repeating: [], count: OffsetRegionIndex.bandCount)
        for (index, edge) in edges.enumerated() {
            let first = OffsetRegionIndex.band(edge.low)
            for band in first...OffsetRegionIndex.band(edge.high) {
                bands[band].append(UInt16(index))
            }
        }
        for band in bands {
            members += band.sorted { edges[Int($0)].east > edges[Int($1)].east }
            begins.append(Int32(members.count))
        }
        fillCells()
    }

    /// The region of a point inside the bounds of all of them.
    func region(latitude: Double, longitude: Double) -> OffsetRegion? {
        let cell = cells[OffsetRegionIndex.cell(latitude: latitude, longitude: longitude)]
        if cell != OffsetRegionIndex.mixed { return OffsetRegion(rawValue: cell) }
        return castRay(latitude: latitude, longitude: longitude)
    }

    /// The raw value of the region that holds two points in one cell without a border, more than any abroad; `nil` when
    /// a border may lie between.
    @inline(__always)
    func common(
        _ a: (latitude: Double, longitude: Double), _ b: (latitude: Double, longitude: Double)
    ) -> UInt8? {
        let cell = OffsetRegionIndex.cell(latitude: a.latitude, longitude: a.longitude)
        guard cell == OffsetRegionIndex.cell(latitude: b.latitude, longitude: b.longitude),
            cells[cell] != OffsetRegionIndex.mixed
        else { return nil }
        return cells[cell]
    }

    private func castRay(latitude: Double, longitude: Double) -> OffsetRegion? {
        let band = OffsetRegionIndex.band(latitude)
        var parity: UInt8 = 0
        for member in begins[band]..<begins[band + 1] {
            let edge = edges[Int(members[Int(member)])]
            if edge.east <= longitude { break }
            // Half open, so that a vertex on the point's parallel counts once.
            if latitude >= edge.low, latitude < edge.high,
                longitude < edge.longitude + (latitude - edge.low) * edge.slope
            {
                parity ^= edge.region
            }
        }
        guard parity != 0 else { return nil }
        return OffsetRegion(rawValue: UInt8(parity.trailingZeroBitCount))
    }

    /// The band of a latitude within the bounds.
    private static func band(_ latitude: Double) -> Int {
        max(0, min(bandCount - 1, Int((latitude - south) * bandsPerDegree)))
    }

    private static func row(_ latitude: Double) -> Int {
        max(0, min(rows - 1, Int((latitude - south) * cellsPerDegree)))
    }

    private static func column(_ longitude: Double) -> Int {
        max(0, min(columns - 1, Int((longitude - west) * cellsPerDegree)))
    }

    private static func cell(latitude: Double, longitude: Double) -> Int {
        row(latitude) * columns + column(longitude)
    }

    /// Gives every cell without a border its region; neighbours without one share theirs.
    private mutating func fillCells() {
        for row in 0..<OffsetRegionIndex.rows {
            var known: UInt8 = OffsetRegionIndex.abroad
            for column in 0..<OffsetRegionIndex.columns {
                let index = row * OffsetRegionIndex.columns + column
                if cells[index] == OffsetRegionIndex.mixed {
                    known = OffsetRegionIndex.mixed
                    continue
                }
                if known == OffsetRegionIndex.mixed {
                    let region = castRay(
                        latitude: OffsetRegionIndex.south
                            + (Double(row) + 0.5) / OffsetRegionIndex.cellsPerDegree,
                        longitude: OffsetRegionIndex.west
                            + (Double(column) + 0.5) / OffsetRegionIndex.cellsPerDegree)
                    known = region?.rawValue ?? OffsetRegionIndex.abroad
                }
                cells[index] = known
            }
        }
    }

    private mutating func decode(_ region: OffsetRegion) {
        let text =
            switch region {
            case .hongKong: OffsetBoundary.hongKong
            case .macau: OffsetBoundary.macau
            case .taiwan: OffsetBoundary.taiwan
            case .mainland: OffsetBoundary.mainland
            }
        text.withUTF8Buffer { bytes in
            var previous: (longitude: Double, latitude: Double)?
            var index = 0
            while index + 8 <= bytes.count {
                if unsafe bytes[index] == UInt8(ascii: " ") {
                    previous = nil
                    index += 1
                    continue
                }
                let point = unsafe (
                    longitude: Double(CompiledText.number(bytes, at: index) - 1_800_000) / 1e4,
                    latitude: Double(CompiledText.number(bytes, at: index + 4) - 900_000) / 1e4
                )
                index += 8
                if let previous { add(previous, point, region) }
                previous = point
            }
        }
    }

    private mutating func add(
        _ a: (longitude: Double, latitude: Double), _ b: (longitude: Double, latitude: Double),
        _ region: OffsetRegion
    ) {
        let (low, high) = a.latitude < b.latitude ? (a, b) : (b, a)
        let east = max(a.longitude, b.longitude)
        let columns =
            OffsetRegionIndex.column(min(a.longitude, b.longitude))...OffsetRegionIndex.column(east)
        for row in OffsetRegionIndex.row(low.latitude)...OffsetRegionIndex.row(high.latitude) {
            for column in columns {
                cells[row * OffsetRegionIndex.columns + column] = OffsetRegionIndex.mixed
            }
        }
        guard low.latitude < high.latitude else { return }
        edges.append(
            Edge(
                low: low.latitude, high: high.latitude, longitude: low.longitude,
                slope: (high.longitude - low.longitude) / (high.latitude - low.latitude),
                east: east, region: 1 << region.rawValue))
    }
}

/// The alphabet of the compiled-in tables.
enum CompiledText {
    /// The value of a base-64 digit: 64 characters from `0` on, without the backslash.
    @inline(__always)
    static func digit(_ character: UInt8) -> Int {
        (Int(character) - (character > 92 ? 49 : 48)) & 63
    }

    /// The value of four digits.
    static func number(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        var value = 0
        for offset in 0..<4 {
            value = unsafe value << 6 | digit(bytes[index + offset])
        }
        return value
    }
}
