/// A region where map providers may shift positions; everything else is abroad.
public enum OffsetRegion: UInt8, CaseIterable, Sendable {
    // The order is that of looking a point up.

    /// Hong Kong and its waters.
    case hongKong = 0
    /// Macau and its waters.
    case macau = 1
    /// Taiwan, Penghu, Kinmen and Matsu.
    case taiwan = 2
    /// Mainland China with Hainan and about 22 km of sea.
    case mainland = 3

    /// The name used in settings, JSON and on the screen.
    public var name: String {
        switch self {
        case .hongKong: "hongkong"
        case .macau: "macau"
        case .taiwan: "taiwan"
        case .mainland: "mainland"
        }
    }

    /// The region of a WGS 84 position in degrees; `nil` abroad and for what is not a position.
    ///
    /// The longitude is wrapped first. A point on a border belongs to one side of it.
    public static func containing(latitude: Double, longitude: Double) -> OffsetRegion? {
        let longitude = Angle.wrapLongitude(longitude)
        guard isNear(latitude, longitude) else { return nil }
        return OffsetRegionIndex.shared.region(latitude: latitude, longitude: longitude)
    }

    /// Whether a position lies in the bounds of all four; NaN fails every comparison.
    @inline(__always)
    fileprivate static func isNear(_ latitude: Double, _ longitude: Double) -> Bool {
        latitude > 17.9 && latitude < 53.6 && longitude > 73.6 && longitude < 134.8
    }
}

/// A set of regions: where one map provider shifts.
public struct OffsetRegions: OptionSet, Hashable, Sendable {
    /// One bit a region, by its raw value.
    public let rawValue: UInt8

    /// The regions of those bits.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// One region alone.
    @inlinable
    public init(_ region: OffsetRegion) {
        rawValue = 1 << region.rawValue
    }

    /// Hong Kong.
    public static let hongKong = OffsetRegions(.hongKong)
    /// Macau.
    public static let macau = OffsetRegions(.macau)
    /// Taiwan.
    public static let taiwan = OffsetRegions(.taiwan)
    /// The mainland.
    public static let mainland = OffsetRegions(.mainland)
    /// All four.
    public static let all: OffsetRegions = [.mainland, .hongKong, .macau, .taiwan]

    /// Whether a WGS 84 position in degrees lies in one of the regions.
    public func contains(latitude: Double, longitude: Double) -> Bool {
        guard let region = OffsetRegion.containing(latitude: latitude, longitude: longitude)
        else { return false }
        return contains(OffsetRegions(region))
    }
    /// The same for two positions, of which the second costs little when it is close to the first.
    public func contain(
        _ first: (latitude: Double, longitude: Double),
        _ second: (latitude: Double, longitude: Double)
    ) -> (Bool, Bool) {
        if OffsetRegion.isNear(first.latitude, first.longitude),
            OffsetRegion.isNear(second.latitude, second.longitude),
            let region = OffsetRegionIndex.shared.common(first, second)
        {
            let areInside = region < 8 && rawValue &>> region & 1 == 1
            return (areInside, areInside)
        }
        return (
            contains(latitude: first.latitude, longitude: first.longitude),
            contains(latitude: second.latitude, longitude: second.longitude)
        )
    }
}
