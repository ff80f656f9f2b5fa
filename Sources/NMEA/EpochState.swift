import GNSS

/// What the sentences of one measurement time said, in the scaled integers they were written in.
///
/// ``FieldCursor/absent`` stands for what none of them said.
struct EpochState {
    /// Which sentences were seen, one bit each.
    struct Sentences: OptionSet {
        let rawValue: UInt16
        static let rmc = Sentences(rawValue: 1)
        static let gga = Sentences(rawValue: 2)
        static let gns = Sentences(rawValue: 4)
        static let gll = Sentences(rawValue: 8)
        static let pubx = Sentences(rawValue: 16)
        static let zda = Sentences(rawValue: 32)
        static let gst = Sentences(rawValue: 64)
        static let gbs = Sentences(rawValue: 128)
        static let gsa = Sentences(rawValue: 256)
        /// Those that say whether there is a position.
        static let positions: Sentences = [.rmc, .gga, .gns, .gll, .pubx]
    }

    /// Milliseconds since midnight, -1 when no sentence gave a time.
    var timeOfDay: Int32 = -1
    var seen: Sentences = []
    /// Whether a sentence gave a valid position.
    var isFix = false
    /// Whether one of those has a time itself.
    var hasTimedPosition = false
    /// Whether a sentence said there is none.
    var isVoid = false
    /// Whether two of them gave positions that differ by more than rounding.
    var isConflict = false
    /// The two letters of the talker of the first position, 0 when it has none.
    var talker: UInt16 = 0
    /// Decimals of the minutes of the position.
    var decimals = 0
    /// The highest mode a GSA told: 1, 2, 3, or 0 when none came.
    var mode: UInt8 = 0
    /// How the solution was made, the most telling sentence wins.
    var status: FixStatus?
    var satellitesUsed: Int16 = -1
    /// Satellites named by GSA sentences.
    var satellitesNamed: Int16 = 0

    /// 1e-8 minutes.
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    /// 1e-4 m above mean sea level.
    var altitude = FieldCursor.absent
    /// 1e-4 m.
    var separation = FieldCursor.absent
    /// 1e-4 m above the ellipsoid, from PUBX.
    var altitudeHAE = FieldCursor.absent
    /// m/s, below 0 when not said.
    var speed = -1.0
    /// 1e-3 degrees.
    var course = FieldCursor.absent
    /// 1e-3.
    var hdop = FieldCursor.absent
    var vdop = FieldCursor.absent
    var pdop = FieldCursor.absent
    /// What only some receivers send.
    var rare: Rare?
    /// The date its sentences gave.
    var date: Calendar.Date?

    /// Values from sentences that only some receivers send.
    struct Rare {
        var tdop = FieldCursor.absent
        /// m/s.
        var climb: Double?
        /// Degrees.
        var heading: Double?
        var errors = ErrorEstimate()
        /// Whether ``errors`` came from GST, which goes before the others.
        var hasGST = false
    }

    /// Takes a valid position of a sentence; `time` is the sentence's, below 0 when it gave none.
    @inline(__always)
    mutating func takePosition(_ known: KnownPosition, time: Int32, of talker: UInt16) {
        let (latitude, longitude) = (known.latitude, known.longitude)
        let decimals = min(latitude.decimals, longitude.decimals)
        if isFix, self.latitude != latitude.value || self.longitude != longitude.value {
            if !isAt(known) {
                isConflict = true
                // Of when it is nobody knows; the position that has the time stays.
                if time < 0, hasTimedPosition { return }
            } else if decimals < self.decimals {
                // The same position, rounded.
                return
            }
        }
        if !isFix { self.talker = talker }
        isFix = true
        if time >= 0 { hasTimedPosition = true }
        self.latitude = latitude.value
        self.longitude = longitude.value
        self.decimals = decimals
    }

    /// Whether a position is the epoch's, but for rounding.
    func isAt(_ other: KnownPosition) -> Bool {
        let unit = EpochState.lastPlace(
            min(other.latitude.decimals, other.longitude.decimals, decimals))
        return isFix && abs(latitude &- other.latitude.value) <= unit
            && abs(longitude &- other.longitude.value) <= unit
    }

    /// One in the last of so many decimals of a minute, in 1e-8 minutes.
    static func lastPlace(_ decimals: Int) -> Int64 {
        var unit: Int64 = 1
        for _ in decimals..<8 { unit *= 10 }
        return unit
    }

    /// Takes how one sentence says the solution was made.
    ///
    /// Several sentences of an epoch know different things (RMC's mode letter has no RTK, old ones
    /// no mode at all), so the most telling wins; a solution that any of them calls estimated or
    /// made up is that.
    @inline(__always)
    mutating func takeStatus(_ new: FixStatus?) {
        guard let new else { return }
        guard let old = status, old != new else {
            status = new
            return
        }
        if old.isEstimated { return }
        status = new.isEstimated || EpochState.weight(new) > EpochState.weight(old) ? new : old
    }

    private static func weight(_ status: FixStatus) -> Int {
        switch status {
        case .gps: 0
        case .dgps: 1
        case .py: 2
        case .gnssDeadReckoning: 3
        case .rtkFloat: 4
        case .rtkFixed: 5
        case .deadReckoning, .surveyed, .simulated: 6
        }
    }
}

extension EpochState {
    /// Takes speed and course; RMC's go before those of other sentences.
    @inline(__always)
    mutating func takeSpeed(
        _ value: Int64, _ unit: Double, _ course: Int64, overrides: Bool
    ) {
        // 1e8: ten thousand knots or km/h, above any receiver's limit.
        if value >= 0, value < 100_000_000, overrides || speed < 0 {
            speed = Double(value) * unit
        }
        if course >= 0, course <= 360_000, overrides || self.course == FieldCursor.absent {
            self.course = course == 360_000 ? 0 : course
        }
    }

    /// Takes heights in 1e-4 of their unit: metres, or feet where a receiver says so.
    @inline(__always)
    mutating func takeHeight(
        _ altitude: Int64, _ altitudeUnit: UInt8, _ separation: Int64, _ separationUnit: UInt8
    ) {
        let altitude = EpochState.metres(altitude, altitudeUnit)
        // A thousand kilometres up or down.
        if altitude > -10_000_000_000, altitude < 10_000_000_000 { self.altitude = altitude }
        let separation = EpochState.metres(separation, separationUnit)
        // The geoid stays within 110 m of the ellipsoid (NIMA TR8350.2, section 6).
        if separation > -2_000_000, separation < 2_000_000 { self.separation = separation }
    }

    @inline(__always)
    private static func metres(_ value: Int64, _ unit: UInt8) -> Int64 {
        guard unit | 0x20 == UInt8(ascii: "f"), value != FieldCursor.absent else { return value }
        return value &* 3048 / 10_000
    }
}
