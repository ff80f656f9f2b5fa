public import GNSS

/// What is done to a track on its way into a file: private zones cut out, points left out that a line does not need.
///
/// It holds on to one segment at a time, up to ``TrackSimplifier/limit`` fixes.
public struct TrackEditor {
    private let zones: [PrivacyZone]
    private var simplifier: TrackSimplifier?
    private var wasHidden = false
    /// Fixes that lay in a private zone.
    public private(set) var hidden: Int64 = 0

    /// An editor.
    ///
    /// - Parameters:
    ///   - zones: where no point may be shown.
    ///   - tolerance: how far the line may leave the fixes, metres; `nil` leaves every fix in.
    public init(zones: [PrivacyZone] = [], tolerance: Double? = nil) {
        self.zones = zones
        simplifier = tolerance.map { TrackSimplifier(tolerance: $0) }
    }

    /// What comes out.
    public enum Result: Equatable, Sendable {
        /// A fix that stays.
        case fix(RecordedFix)
        /// The line ends: the next fix is not joined to the one before.
        case lineBreak
    }

    /// Takes the next fix.
    ///
    /// - Parameters:
    ///   - position: the position that is shown, and so the one that must not lie in a zone.
    ///   - body: gets what is settled, in order.
    public mutating func take(
        _ record: RecordedFix, _ position: ExportPosition, _ body: (Result) -> Void
    ) {
        let point = ExportPoint(record, position).record.fix
        if zones.contains(where: { $0.hides(point, record.fix) }) {
            hidden += 1
            wasHidden = true
            return
        }
        if wasHidden {
            finish(body)
            body(.lineBreak)
            wasHidden = false
        }
        guard simplifier != nil else { return body(.fix(record)) }
        if simplifier?.accepts(record) == false { finish(body) }
        simplifier?.add(record, at: point)
    }

    /// Gives the rest.
    public mutating func finish(_ body: (Result) -> Void) {
        for record in simplifier?.take() ?? [] { body(.fix(record)) }
    }
}

/// A circle whose inside no file may show.
///
/// The circle that is really hidden is a larger one around a shifted centre, which contains the one that was named: the
/// hole in a track must not be the shape whose middle is somebody's door. The same zone and seed shift the same way,
/// so that many files tell no more than one.
public struct PrivacyZone: Equatable, Sendable {
    /// The centre of what is hidden, degrees.
    public let latitude: Double
    /// The centre of what is hidden, degrees.
    public let longitude: Double
    /// The radius of what is hidden, metres.
    public let radius: Double

    /// A zone around the place that is to be kept private.
    ///
    /// - Parameters:
    ///   - latitude: degrees north, -90 … 90.
    ///   - longitude: degrees east, -180 … 180.
    ///   - radius: metres, over 0.
    ///   - seed: what others do not know, as a digest of the machine's id.
    public init(latitude: Double, longitude: Double, radius: Double, seed: UInt64) {
        var random = SplitMix64(state: seed)
        for part in [latitude, longitude, radius] {
            random.state ^= part.bitPattern
            _ = random.next()
        }
        // Evenly over a disc of half the radius.
        let distance = radius / 2 * random.unit().squareRoot()
        let (east, north) = SphericalPlane.direction(random.unit())
        let metres = SphericalPlane.metresPerDegree
        self.latitude = max(-90, min(90, latitude + distance * north / metres))
        let shrink = max(1e-6, SphericalPlane.cosine(latitude))
        var moved = longitude + distance * east / (metres * shrink)
        if moved > 180 { moved -= 360 }
        if moved < -180 { moved += 360 }
        self.longitude = moved
        // What the shift leaves uncovered, half a percent for the sphere, and something that says nothing.
        self.radius = (distance + radius) * 1.005 + radius / 4 * random.unit()
    }

    /// Whether a place is inside, or either of two positions of a fix.
    func hides(_ fix: Fix, _ raw: Fix) -> Bool {
        holds(fix.latitude, fix.longitude) || holds(raw.latitude, raw.longitude)
    }

    private func holds(_ latitude: Double, _ longitude: Double) -> Bool {
        SphericalPlane.distance(latitude, longitude, self.latitude, self.longitude) <= radius
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 up to 1.
    mutating func unit() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }
}
