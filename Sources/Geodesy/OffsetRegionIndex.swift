/// The borders of all regions, cut into bands of latitude, so that a point meets a dozen edges.
///
/// Decoded from the compiled-in text on first use, some 150 kB; a program that never asks pays nothing.
struct OffsetRegionIndex: Sendable {
    static let shared = OffsetRegionIndex()

    private struct Edge {
        var low: Double
        var high: Double
        /// Longitude at `low`, degrees.
        var longitude: Double
        /// Degrees of longitude per degree of latitude.
        var slope: Double
        var region: UInt8
    }

    private static let bandsPerDegree = 20.0
    private static let south = 17.0
    private static let bandCount = 740

    private let edges: [Edge]
    /// Where the edges of each band begin in `members`; one more at the end.
    private let begins: [Int32]
    private let members: [UInt16]

    private init() {
        var edges: [Edge] = []
        for region in OffsetRegion.allCases {
            OffsetRegionIndex.decode(region, into: &edges)
        }
        var bands = [[UInt16]](repeating: [], count: OffsetRegionIndex.bandCount)
        for (index, edge) in edges.enumerated() {
            let first = OffsetRegionIndex.band(edge.low)
            let last = OffsetRegionIndex.band(edge.high)
            for band in first...last { bands[band].append(UInt16(index)) }
        }
        var begins: [Int32] = [0]
        for band in bands { begins.append(begins[begins.count - 1] + Int32(band.count)) }
        self.edges = edges
        self.begins = begins
        members = Array(bands.joined())
    }

    /// The region of a point inside the bounds of all of them.
    func region(latitude: Double, longitude: Double) -> OffsetRegion? {
        let band = OffsetRegionIndex.band(latitude)
        var parity: UInt8 = 0
        for member in begins[band]..<begins[band + 1] {
            let edge = edges[Int(members[Int(member)])]
            // Half open, so that a vertex on the point's parallel counts once.
            guard latitude >= edge.low, latitude < edge.high,
                longitude < edge.longitude + (latitude - edge.low) * edge.slope
            else { continue }
            parity ^= edge.region
        }
        guard parity != 0 else { return nil }
        return OffsetRegion(rawValue: UInt8(parity.trailingZeroBitCount))
    }

    /// The band of a latitude within the bounds.
    private static func band(_ latitude: Double) -> Int {
        max(0, min(bandCount - 1, Int((latitude - south) * bandsPerDegree)))
    }

    private static func decode(_ region: OffsetRegion, into edges: inout [Edge]) {
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
                    longitude: Double(number(bytes, at: index) - 1_800_000) / 1e4,
                    latitude: Double(number(bytes, at: index + 4) - 900_000) / 1e4
                )
                index += 8
                defer { previous = point }
                guard let previous, previous.latitude != point.latitude else { continue }
                let (low, high) =
                    previous.latitude < point.latitude ? (previous, point) : (point, previous)
                edges.append(
                    Edge(
                        low: low.latitude, high: high.latitude, longitude: low.longitude,
                        slope: (high.longitude - low.longitude) / (high.latitude - low.latitude),
                        region: 1 << region.rawValue))
            }
        }
    }

    /// Four base-64 digits of the compiled-in text.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        var value = 0
        for offset in 0..<4 {
            value = unsafe value << 6 | CompiledText.digit(bytes[index + offset])
        }
        return value
    }
}

/// The alphabet of the compiled-in tables.
enum CompiledText {
    /// The value of a base-64 digit: 64 characters from `0` on, without the backslash.
    @inline(__always)
    static func digit(_ character: UInt8) -> Int {
        (Int(character) - (character > 92 ? 49 : 48)) & 63
    }
}
