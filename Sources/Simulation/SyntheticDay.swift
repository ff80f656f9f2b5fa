/// A day made up from a seed, in the manner of one kind of traveller.
public enum SyntheticDay: String, CaseIterable, Sendable {
    /// Indoors but for two drives to and from work and a walk at noon.
    case commuter
    /// Sixty deliveries in a city.
    case van
    /// Two stretches of motorway and a break.
    case motorway
    /// Eight hours on a trail with rests, then a hut.
    case hiker
    /// Twenty hours under sail.
    case boat
    /// All day in one place under the sky.
    case parked

    /// The days with trips.
    public static let moving: [SyntheticDay] = [.commuter, .van, .motorway, .hiker, .boat]

    /// The day of that seed.
    public func track(seed: UInt64) -> TrueTrack {
        let hour = 3600.0
        let salt = rawValue.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
        var day = DayBuilder(seed: SplitMix.mix(seed &* 1_000_003 &+ salt))
        switch self {
        case .commuter:
            day.indoors(7 * hour)
            day.walk(360)
            day.drive(14)
            day.walk(240)
            day.indoors(3.6 * hour)
            day.walk(1500, stops: 1.0 / 400)
            day.indoors(4.2 * hour)
            day.walk(240)
            day.drive(14)
            day.walk(300)
            day.indoors(2 * hour)
        case .van:
            day.stay(7 * hour)
            for _ in 0..<60 {
                let way = day.random.uniform(0.5, 2.2)
                day.drive(way)
                let stop = day.random.uniform(60, 240)
                day.stay(stop)
            }
        case .motorway:
            day.stay(6 * hour)
            for part in 0..<2 {
                day.drive(part == 0 ? 6 : 3)
                day.drive(190, city: false)
                day.drive(part == 0 ? 3 : 6)
                if part == 0 { day.stay(2400) }
            }
        case .hiker:
            day.stay(7 * hour)
            for _ in 0..<8 {
                day.walk(3000, speed: 1.1, wiggle: 0.09)
                let rest = day.random.uniform(300, 900)
                day.stay(rest)
            }
            day.indoors(4 * hour)
        case .boat:
            day.stay(2 * hour)
            day.sail(20 * hour)
        case .parked:
            day.stay(24 * hour)
        }
        return day.track("\(rawValue)#\(seed)", seed: seed)
    }
}
