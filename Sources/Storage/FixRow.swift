import GNSS

/// A fix as the integers of table `fix`, 46 bytes of file for an ordinary one.
///
/// Each column costs a byte a row even when empty, so values that come together share one. What does not fit
/// its ordinary form (a DOP over 10, errors over 65 m) or is rarely there (heading) goes to a row of table
/// `detail`. The views `fixes` and `track` undo all of this in SQL; ``Schema`` has the same arithmetic.
struct FixRow: Equatable {
    /// Whole seconds of the fix's time since 1970, rounded towards the past.
    var time: Int64?
    /// `lag << 10 | milliseconds of the second`.
    ///
    /// The lag is by how much the program's clock ran ahead of the fixes' since table `clock` last paired them.
    var millisecondsAndLag: Int64 = 0
    /// Degrees in 1e-7, or in 1e-9 with ``Quality/fine``.
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    /// Height above the sea and geoid separation, see ``pack(heightsOf:)``.
    var heights: Int64?
    /// `(speed + 1) * 36001 + (course + 1)` in mm/s and 0.01°; a part that is 0 is unknown.
    var speedAndCourse: Int64?
    /// 10 bits each in 0.01 of hdop, vdop, pdop, tdop, gdop, lowest first; 0 is unknown.
    var dop: Int64?
    /// 16 bits each of eph and epv in mm, then climb in mm/s + 16384; 0 is unknown.
    var ephEpvClimb: Int64?
    /// 16 bits each of eps in mm/s, epc in 0.01°, ept in µs; 0 is unknown.
    var epsEpcEpt: Int64?
    /// Mode, kind of ellipsoid height, fineness, status, satellites and receiver, see ``Quality``.
    var quality: Int64 = 0
    /// The bits of ``FixFlags``, and from bit 32 how often 1024 weeks were added (8 bits, signed).
    var flags: Int64 = 0

    /// Where the parts of ``quality`` begin.
    enum Quality {
        /// Bits 0 and 1 are the mode; from here two bits say what the ellipsoid height is.
        ///
        /// 0 is not here (unknown, or in `detail`), 1 is sea-level height plus separation to the millimetre, 2 is
        /// one more, 3 one less.
        static let ellipsoid: Int64 = 2
        /// Whether degrees are in 1e-9.
        static let fine: Int64 = 4
        /// Status, 4 bits.
        static let status: Int64 = 5
        /// Satellites used plus one, 8 bits; 0 is unknown.
        static let used: Int64 = 9
        /// Satellites seen plus one, 8 bits.
        static let seen: Int64 = 17
        /// Receiver, 8 bits.
        static let device: Int64 = 25
    }

    /// An empty row, to be read into.
    init() {}

    /// The row of a fix, and its row of `detail` when it needs one.
    ///
    /// - Parameter clock: the pairing of clocks that holds for it.
    init(_ record: RecordedFix, clock: ClockPair, detail: inout DetailRow) {
        let fix = record.fix
        let offset = record.receivedAt &- clock.boot
        if let milliseconds = fix.time?.milliseconds {
            let (seconds, rest) = milliseconds.flooredDivision(by: 1000)
            time = seconds
            let lag = offset &- (milliseconds &- (clock.time ?? milliseconds))
            millisecondsAndLag = lag << 10 | rest
        } else {
            millisecondsAndLag = offset << 10
            detail.timeOfDay = fix.timeOfDay.map(Int64.init)
        }
        let fine = FixRow.isFine(fix)
        latitude = scaled(fix.latitude, fine ? 1e9 : 1e7) ?? 0
        longitude = scaled(fix.longitude, fine ? 1e9 : 1e7) ?? 0
        let ellipsoid = pack(heightsOf: fix, detail: &detail)
        pack(motionOf: fix, detail: &detail)
        pack(fix.dop, detail: &detail)
        pack(fix.errors, climb: fix.climb, detail: &detail)
        quality =
            Int64(fix.mode.rawValue) | ellipsoid << Quality.ellipsoid
            | (fine ? 1 << Quality.fine : 0)
            | Int64(fix.status?.rawValue ?? 0) << Quality.status
            | (fix.satellitesUsed.map { Int64(min($0, 254)) + 1 } ?? 0) << Quality.used
            | (fix.satellitesSeen.map { Int64(min($0, 254)) + 1 } ?? 0) << Quality.seen
            | Int64(fix.device) << Quality.device
        flags =
            Int64(record.flags.rawValue) | Int64(UInt8(bitPattern: fix.rolloverEras)) << 32
    }

    /// Whether the degrees of a fix are kept in 1e-9.
    static func isFine(_ fix: Fix) -> Bool {
        fix.status == .rtkFixed || fix.status == .rtkFloat
    }

    /// Packs the heights; gives the code of the ellipsoid height.
    ///
    /// Even: `height << 13 | (separation + 2048) << 1` in decimetres, as most receivers speak; odd:
    /// `height << 20 | (separation + 262144) << 1 | 1` in millimetres. A separation of 0 before the shift is unknown.
    private mutating func pack(heightsOf fix: Fix, detail: inout DetailRow) -> Int64 {
        let height = scaled(fix.altitudeMSL, 1000)
        let separation = scaled(fix.geoidSeparation, 1000)
        if let height, height.magnitude < 1 << 40, (separation ?? 0).magnitude < 200_000 {
            if height % 100 == 0, (separation ?? 0) % 100 == 0 {
                heights = (height / 100) << 13 | (separation.map { $0 / 100 + 2048 } ?? 0) << 1
            } else {
                heights = height << 20 | (separation.map { $0 + 262_144 } ?? 0) << 1 | 1
            }
        } else {
            detail.altitudeMSL = height
            detail.geoidSeparation = separation
        }
        guard let ellipsoid = scaled(fix.altitudeHAE, 1000) else { return 0 }
        if let height, let separation {
            switch ellipsoid - (height + separation) {
            case 0: return 1
            case 1: return 2
            case -1: return 3
            default: break
            }
        }
        detail.altitudeHAE = ellipsoid
        return 0
    }

    private mutating func pack(motionOf fix: Fix, detail: inout DetailRow) {
        detail.heading = scaled(fix.heading, 100).map { $0 % 36_000 }
        let speed = scaled(fix.speed, 1000).map { max(0, min($0, 1 << 40)) + 1 } ?? 0
        let course = scaled(fix.course, 100).map { max(0, $0) % 36_000 + 1 } ?? 0
        if speed | course != 0 { speedAndCourse = speed * 36_001 + course }
    }

    private mutating func pack(_ value: DOP, detail: inout DetailRow) {
        let h = positive(value.hdop, 100)
        let v = positive(value.vdop, 100)
        let p = positive(value.pdop, 100)
        let t = positive(value.tdop, 100)
        let g = positive(value.gdop, 100)
        let all = h | v | p | t | g
        guard all != 0 else { return }
        if all < 1024 {
            dop = h | v << 10 | p << 20 | t << 30 | g << 40
        } else {
            (detail.hdop, detail.vdop, detail.pdop) = (known(h), known(v), known(p))
            (detail.tdop, detail.gdop) = (known(t), known(g))
        }
    }

    private mutating func pack(
        _ errors: ErrorEstimate, climb: Double?, detail: inout DetailRow
    ) {
        let eph = positive(errors.eph, 1000)
        let epv = positive(errors.epv, 1000)
        let up = scaled(climb, 1000)
        if eph | epv != 0 || up != nil {
            if eph | epv < 65_536, (up ?? 0).magnitude < 16_384 {
                ephEpvClimb = eph | epv << 16 | (up.map { $0 + 16_384 } ?? 0) << 32
            } else {
                (detail.eph, detail.epv, detail.climb) = (known(eph), known(epv), up)
            }
        }
        let eps = positive(errors.eps, 1000)
        let epc = positive(errors.epc, 100)
        let ept = positive(errors.ept, 1e6)
        guard eps | epc | ept != 0 else { return }
        if eps | epc | ept < 65_536 {
            epsEpcEpt = eps | epc << 16 | ept << 32
        } else {
            (detail.eps, detail.epc, detail.ept) = (known(eps), known(epc), known(ept))
        }
    }
}

extension FixRow {
    /// Milliseconds of the fix's time since 1970; `nil` for what a damaged file may hold beyond any calendar.
    var milliseconds: Int64? {
        guard let time, time.magnitude < 1 << 40 else { return nil }
        return time * 1000 + millisecondsAndLag & 1023
    }

    /// Whether the fix belongs to the clean track.
    var isKept: Bool {
        FixFlags(rawValue: UInt32(truncatingIfNeeded: flags)).isKept
    }

    /// Degrees in 1e-7, whatever the row's fineness.
    var coarsePosition: (latitude: Int64, longitude: Int64) {
        let divisor: Int64 = quality >> Quality.fine & 1 == 1 ? 100 : 1
        return (latitude / divisor, longitude / divisor)
    }

    /// The record of this row; sequence, run, segment and corrected position are the caller's.
    func record(clock: ClockPair, detail: DetailRow?) -> RecordedFix {
        let scale = quality >> Quality.fine & 1 == 1 ? 1e9 : 1e7
        var fix = Fix(
            time: milliseconds.map(UTCTime.init(milliseconds:)),
            latitude: Double(latitude) / scale, longitude: Double(longitude) / scale,
            mode: FixMode(rawValue: UInt8(quality & 3)) ?? .none)
        fix.status = FixStatus(rawValue: UInt8(quality >> Quality.status & 15))
        let used = quality >> Quality.used & 255
        let seen = quality >> Quality.seen & 255
        fix.satellitesUsed = used == 0 ? nil : UInt8(used - 1)
        fix.satellitesSeen = seen == 0 ? nil : UInt8(seen - 1)
        fix.device = UInt8(quality >> Quality.device & 255)
        fix.rolloverEras = Int8(truncatingIfNeeded: flags >> 32)
        unpackHeights(into: &fix, detail: detail)
        if let speedAndCourse {
            let course = speedAndCourse % 36_001
            let speed = speedAndCourse / 36_001
            fix.speed = speed > 0 ? Double(speed - 1) / 1000 : nil
            fix.course = course > 0 ? Double(course - 1) / 100 : nil
        }
        if let dop {
            fix.dop.hdop = part(dop & 1023, 100)
            fix.dop.vdop = part(dop >> 10 & 1023, 100)
            fix.dop.pdop = part(dop >> 20 & 1023, 100)
            fix.dop.tdop = part(dop >> 30 & 1023, 100)
            fix.dop.gdop = part(dop >> 40 & 1023, 100)
        }
        if let ephEpvClimb {
            fix.errors.eph = part(ephEpvClimb & 65_535, 1000)
            fix.errors.epv = part(ephEpvClimb >> 16 & 65_535, 1000)
            let climb = ephEpvClimb >> 32
            fix.climb = climb == 0 ? nil : Double(climb - 16_384) / 1000
        }
        if let epsEpcEpt {
            fix.errors.eps = part(epsEpcEpt & 65_535, 1000)
            fix.errors.epc = part(epsEpcEpt >> 16 & 65_535, 100)
            fix.errors.ept = part(epsEpcEpt >> 32 & 65_535, 1e6)
        }
        detail?.complete(&fix)
        var receivedAt = clock.boot &+ millisecondsAndLag >> 10
        if let milliseconds { receivedAt &+= milliseconds &- (clock.time ?? milliseconds) }
        return RecordedFix(
            fix: fix, receivedAt: receivedAt,
            flags: FixFlags(rawValue: UInt32(truncatingIfNeeded: flags)))
    }

    private func unpackHeights(into fix: inout Fix, detail: DetailRow?) {
        var height = detail?.altitudeMSL
        var separation = detail?.geoidSeparation
        if let heights {
            if heights & 1 == 0 {
                height = (heights >> 13) * 100
                let code = heights >> 1 & 4095
                separation = code == 0 ? nil : (code - 2048) * 100
            } else {
                height = heights >> 20
                let code = heights >> 1 & 524_287
                separation = code == 0 ? nil : code - 262_144
            }
        }
        fix.altitudeMSL = height.map { Double($0) / 1000 }
        fix.geoidSeparation = separation.map { Double($0) / 1000 }
        let code = quality >> Quality.ellipsoid & 3
        if code != 0, let height, let separation {
            let ellipsoid = height &+ separation &+ (code == 2 ? 1 : code == 3 ? -1 : 0)
            fix.altitudeHAE = Double(ellipsoid) / 1000
        }
    }
}

/// `value` in units of 1 / `scale`, rounded; `nil` when absent, not finite or beyond exact integers.
@inline(__always)
func scaled(_ value: Double?, _ scale: Double) -> Int64? {
    guard let value else { return nil }
    let units = (value * scale).rounded()
    return units.magnitude < 9e15 ? Int64(units) : nil
}

/// The same for a value that is never 0 when known: 0 is unknown, and a tiny one becomes one unit.
@inline(__always)
private func positive(_ value: Double?, _ scale: Double) -> Int64 {
    guard let value, value >= 0 else { return 0 }
    return scaled(value, scale).map { max($0, 1) } ?? 0
}

private func known(_ units: Int64) -> Int64? {
    units == 0 ? nil : units
}

private func part(_ units: Int64, _ scale: Double) -> Double? {
    units == 0 ? nil : Double(units) / scale
}

extension Int64 {
    /// Quotient rounded towards the past, and a rest of 0 ..< `divisor`.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
