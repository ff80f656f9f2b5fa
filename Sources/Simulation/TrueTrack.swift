import Glibc

/// Where something really was, second by second, with its sky and a motion sensor.
///
/// Metres on a plane that is unrolled along the track, and degrees to the same steps.
public struct TrueTrack: Sendable {
    /// What it is, for tables.
    public let name: String
    /// Metres east, one value a second.
    public let x: [Double]
    /// Metres north.
    public let y: [Double]
    /// Whether satellites can be received.
    public let hasSky: [Bool]
    /// The seconds that errors are measured over: movement that leads somewhere.
    ///
    /// Moving spells are joined over standstills below three minutes and kept when they lead 75 m away. Over all
    /// seconds of a day that is nine tenths rest every policy would look perfect.
    public let isTrip: [Bool]
    /// Whether there is a motion sensor.
    public var hasSensor = true
    /// What the motion sensor says: three seconds late, now and then wrong.
    let senses: [Bool]
    /// Seconds at which it says something new.
    let turns: [Int]
    let latitude: [Double]
    let longitude: [Double]

    /// The length, seconds.
    public var seconds: Int { x.count }

    // Metres to a degree, as the policies reckon.
    static let north = 111_132.0
    static let east = 111_320.0

    /// A track of one point a second.
    ///
    /// - Parameters:
    ///   - isMoving: whether it moves.
    ///   - vibrates: what a sensor would feel: an engine idles at lights.
    ///   - origin: where it begins, degrees.
    init(
        name: String, x: [Double], y: [Double], hasSky: [Bool], isMoving: [Bool], vibrates: [Bool],
        seed: UInt64, origin: (latitude: Double, longitude: Double) = (0, 0)
    ) {
        self.name = name
        self.x = x
        self.y = y
        self.hasSky = hasSky
        isTrip = Self.trips(isMoving, x, y)
        senses = Self.sensor(vibrates, seed)
        turns = senses.indices.dropFirst().filter { [senses] in senses[$0] != senses[$0 - 1] }
        var latitude = [origin.latitude]
        var longitude = [origin.longitude]
        latitude.reserveCapacity(x.count)
        longitude.reserveCapacity(x.count)
        for index in x.indices.dropFirst() {
            let here = latitude[index - 1]
            latitude.append(here + (y[index] - y[index - 1]) / Self.north)
            let scale = max(0.01, cos(here * .pi / 180))
            longitude.append(longitude[index - 1] + (x[index] - x[index - 1]) / (Self.east * scale))
        }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Velocity at a second, m/s.
    func velocity(_ second: Int) -> (east: Double, north: Double) {
        let before = max(0, second - 1)
        let after = min(seconds - 1, second + 1)
        guard after > before else { return (0, 0) }
        let span = Double(after - before)
        return ((x[after] - x[before]) / span, (y[after] - y[before]) / span)
    }

    /// The share of the time that is trip.
    public var tripShare: Double {
        Double(isTrip.count { $0 }) / Double(max(1, seconds))
    }

    private static func spells(_ flags: [Bool]) -> [Range<Int>] {
        var spells: [Range<Int>] = []
        var began: Int?
        for (index, flag) in flags.enumerated() {
            if flag, began == nil { began = index }
            if !flag, let start = began {
                spells.append(start..<index)
                began = nil
            }
        }
        if let began { spells.append(began..<flags.count) }
        return spells
    }

    private static func trips(_ isMoving: [Bool], _ x: [Double], _ y: [Double]) -> [Bool] {
        var joined: [Range<Int>] = []
        for spell in spells(isMoving) {
            if let last = joined.last, spell.lowerBound - last.upperBound < 180 {
                joined[joined.count - 1] = last.lowerBound..<spell.upperBound
            } else {
                joined.append(spell)
            }
        }
        var isTrip = [Bool](repeating: false, count: x.count)
        for spell in joined {
            let (x0, y0) = (x[spell.lowerBound], y[spell.lowerBound])
            guard spell.contains(where: { hypot(x[$0] - x0, y[$0] - y0) >= 75 }) else { continue }
            for second in max(0, spell.lowerBound - 5)..<min(x.count, spell.upperBound + 5) {
                isTrip[second] = true
            }
        }
        return isTrip
    }

    /// Three seconds to be sure, one second in a hundred missed, a false alarm every forty minutes.
    private static func sensor(_ vibrates: [Bool], _ seed: UInt64) -> [Bool] {
        var random = SplitMix(seed &* 77 &+ 5)
        var senses = [Bool](repeating: false, count: vibrates.count)
        for spell in spells(vibrates) where spell.count > 3 {
            for second in spell.dropFirst(3) { senses[second] = random.uniform() > 0.01 }
        }
        for second in senses.indices where random.uniform() < 1.5 / 3600 {
            let length = 1 + Int(-8 * log(1 - random.uniform()))
            for moved in second..<min(senses.count, second + length) { senses[moved] = true }
        }
        return senses
    }
}
