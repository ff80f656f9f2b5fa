/// A geodetic datum by name, tied to ITRF2014, which is WGS 84 (G1762 and later) to centimetres.
public enum Datum: String, CaseIterable, Sendable {
    /// WGS 84 as receivers give it, at the epoch of the fix.
    case wgs84 = "wgs84"
    /// ITRF2014 at the epoch of the fix.
    case itrf2014 = "itrf2014"
    /// ITRF2008 at the epoch of the fix.
    case itrf2008 = "itrf2008"
    /// Australia, fixed to its plate at 2020.0.
    case gda2020 = "gda2020"
    /// Australia, fixed to its plate at 1994.0.
    case gda94 = "gda94"
    /// Europe, ETRS89 realised as ETRF2014.
    case etrf2014 = "etrf2014"
    /// Europe, ETRS89 realised as ETRF2000, the usual one.
    case etrf2000 = "etrf2000"
    /// North America, NAD83(2011).
    case nad83 = "nad83-2011"
    /// Great Britain, OSGB36, to some 20 m.
    case osgb36 = "osgb36"
    /// Japan before 2002, to some 10 m.
    case tokyo = "tokyo"

    /// The datum of a name in settings, any case; `etrs89` and `nad83(2011)` are known too.
    public init?(name: String) {
        let lower = name.lowercased()
        switch lower {
        case "etrs89": self = .etrf2000
        case "nad83", "nad83(2011)": self = .nad83
        default:
            guard let datum = Datum(rawValue: lower) else { return nil }
            self = datum
        }
    }

    /// The ellipsoid its latitudes and heights are on.
    public var ellipsoid: Ellipsoid {
        switch self {
        case .wgs84: .wgs84
        case .osgb36: .airy
        case .tokyo: .bessel
        default: .grs80
        }
    }

    /// The transform between this datum and its neighbour on the way to ITRF2014.
    private var link: Link? {
        switch self {
        case .wgs84, .itrf2014: nil
        case .itrf2008: Link(.itrf2014, .itrf2014ToITRF2008, reverses: true)
        case .gda2020: Link(.itrf2014, .itrf2014ToGDA2020, reverses: true)
        case .gda94: Link(.gda2020, .gda94ToGDA2020, reverses: false)
        case .etrf2014: Link(.itrf2014, .itrf2014ToETRF2014, reverses: true)
        case .etrf2000: Link(.itrf2014, .itrf2014ToETRF2000, reverses: true)
        case .nad83: Link(.itrf2014, .itrf2014ToNAD83, reverses: true)
        case .osgb36: Link(.itrf2014, .osgb36ToWGS84, reverses: false)
        case .tokyo: Link(.itrf2014, .tokyoToWGS84, reverses: false)
        }
    }

    private struct Link {
        let next: Datum
        let helmert: Helmert
        /// Whether the published transform leads away from `next`.
        let reverses: Bool

        init(_ next: Datum, _ helmert: Helmert, reverses: Bool) {
            self.next = next
            self.helmert = helmert
            self.reverses = reverses
        }
    }

    /// The transforms from this datum to another, in order.
    fileprivate func path(to other: Datum) -> [DatumTransform.Step] {
        var up: [DatumTransform.Step] = []
        var here = self
        while here != other, let link = here.link {
            up.append(.init(helmert: link.helmert, inverted: link.reverses))
            here = link.next
        }
        var down: [DatumTransform.Step] = []
        var there = other
        while here != there, let link = there.link {
            down.insert(.init(helmert: link.helmert, inverted: !link.reverses), at: 0)
            there = link.next
        }
        return up + down
    }
}

/// A plate whose motion carries its datum away from ITRF2014.
public enum Plate: String, CaseIterable, Sendable {
    /// Eurasia.
    case eurasia = "eurasia"
    /// North America.
    case northAmerica = "north-america"
    /// Australia.
    case australia = "australia"

    /// Rotation in seconds of arc a year, position-vector sense.
    fileprivate var rates: Helmert.Parameters {
        // Altamimi et al., ITRF2014 plate motion model, Geophysical Journal International 209 (2017),
        // table 1, rounded to microseconds of arc as EPSG has them.
        switch self {
        case .eurasia: .init(rx: -0.000085, ry: -0.000531, rz: 0.000770)
        case .northAmerica: .init(rx: 0.000024, ry: -0.000694, rz: -0.000063)
        case .australia: .init(rx: 0.00150379, ry: 0.00118346, rz: 0.00120716)
        }
    }
}

/// A chain of Helmert transforms between two datums, on latitude, longitude and height.
public struct DatumTransform: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        var helmert: Helmert
        var inverted: Bool
    }

    private let steps: [Step]
    private let source: Ellipsoid
    private let target: Ellipsoid

    /// Whether it must be told when a position was measured.
    public let needsTime: Bool

    /// The transform from one datum to another.
    public init(from source: Datum, to target: Datum) {
        self.init(
            steps: source.path(to: target), from: source.ellipsoid, to: target.ellipsoid)
    }

    /// One Helmert transform between two ellipsoids.
    public init(
        _ helmert: Helmert, inverted: Bool = false, from source: Ellipsoid, to target: Ellipsoid
    ) {
        self.init(
            steps: [Step(helmert: helmert, inverted: inverted)], from: source, to: target)
    }

    /// Brings ITRF2014 positions to one year, along with their plate.
    public init(_ plate: Plate, toYear year: Double) {
        let motion =
            plate == .australia
            ? Helmert(.coordinateFrame, .init(), rates: plate.rates, epoch: year)
            : Helmert(.positionVector, .init(), rates: plate.rates, epoch: year)
        // The published Australian rates lead to the plate, the others with it.
        self.init(
            motion, inverted: plate != .australia, from: .grs80, to: .grs80)
    }

    private init(steps: [Step], from source: Ellipsoid, to target: Ellipsoid) {
        self.steps = steps
        self.source = source
        self.target = target
        needsTime = steps.contains { $0.helmert.needsTime }
    }

    /// Whether it changes nothing.
    public var isIdentity: Bool { steps.isEmpty }

    /// Transforms a position in degrees and metres above the ellipsoid.
    ///
    /// - Parameter year: when it was measured, as a decimal year; needed when ``needsTime``.
    /// - Returns: the same in the target's datum; `nil` when the year is needed and missing.
    public func applied(
        latitude: Double, longitude: Double, height: Double, year: Double?
    ) -> (latitude: Double, longitude: Double, height: Double)? {
        if steps.isEmpty { return (latitude, longitude, height) }
        if needsTime, year?.isFinite != true { return nil }
        var point = ECEF(latitude: latitude, longitude: longitude, height: height, on: source)
        for step in steps {
            point = step.helmert.applied(to: point, year: year ?? 0, inverted: step.inverted)
        }
        return point.geodetic(on: target)
    }
}
