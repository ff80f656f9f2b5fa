public import Geodesy

/// Where a map provider shifts positions, and how.
///
/// There is no single truth: providers differ over Hong Kong, Macau and Taiwan.
public struct OffsetPolicy: Equatable, Sendable {
    /// The regions it shifts in.
    public var regions: OffsetRegions
    /// Shifts at every place on earth, whatever the region: the raw formula.
    public var isEverywhere = false
    /// Adds AMap's millimetre per metre of height.
    public var heightTerm = false

    /// A policy of those regions.
    public init(_ regions: OffsetRegions) {
        self.regions = regions
    }

    /// The default for a bare "gcj02".
    public static let mainland = OffsetPolicy(.mainland)
    /// Shifts nothing: OpenStreetMap, Tianditu.
    public static let none = OffsetPolicy([])
    /// The raw formula at any place; for tests and for whoever asks for it by name.
    public static let everywhere: OffsetPolicy = {
        var policy = OffsetPolicy(.all)
        policy.isEverywhere = true
        return policy
    }()

    /// The providers whose policy is known by name.
    ///
    /// Baidu and Huawei say so in their documentation; AMap's and Tencent's follow AMap's test for available
    /// data; Google's was measured on its imagery; Apple's rests on reports.
    public static let providers: [(name: String, policy: OffsetPolicy)] = [
        ("amap", OffsetPolicy([.mainland, .hongKong, .macau])),
        ("baidu", OffsetPolicy(.all)),
        ("google", .mainland),
        ("huawei", OffsetPolicy([.mainland, .hongKong, .macau])),
        ("apple", .mainland),
        ("tencent", OffsetPolicy([.mainland, .hongKong, .macau])),
        ("osm", .none),
    ]

    /// The policy of a provider's name, of `none` or `everywhere`, or of a list of regions with commas.
    ///
    /// - Returns: `nil` for an unknown word.
    public init?(_ text: String) {
        let lower = text.lowercased()
        if let known = OffsetPolicy.providers.first(where: { $0.name == lower }) {
            self = known.policy
            return
        }
        switch lower {
        case "none": self = .none
        case "everywhere": self = .everywhere
        default:
            var regions: OffsetRegions = []
            for word in lower.split(whereSeparator: { $0 == "," || $0 == " " }) {
                guard let region = OffsetRegion.allCases.first(where: { $0.name == word })
                else { return nil }
                regions.insert(OffsetRegions(region))
            }
            guard !regions.isEmpty else { return nil }
            self.init(regions)
        }
    }

    /// The regions as ``init(_:)`` takes them; the height term is no part of it.
    public var text: String {
        if isEverywhere { return "everywhere" }
        let names = OffsetRegion.allCases.reversed().filter {
            regions.contains(OffsetRegions($0))
        }.map(\.name)
        return names.isEmpty ? "none" : names.joined(separator: ",")
    }

    /// Whether a WGS 84 position in degrees is shifted.
    public func shifts(latitude: Double, longitude: Double) -> Bool {
        isEverywhere
            || (!regions.isEmpty && regions.contains(latitude: latitude, longitude: longitude))
    }
    /// The same for two positions.
    func shift(
        _ first: (latitude: Double, longitude: Double),
        _ second: (latitude: Double, longitude: Double)
    ) -> (Bool, Bool) {
        if isEverywhere { return (true, true) }
        return regions.isEmpty ? (false, false) : regions.contain(first, second)
    }
}
