import GNSS
import Glibc

/// What one TPV report says; several of one epoch become one.
struct TPVReport {
    var time: UTCTime?
    /// The time was second 60.
    var isLeapSecond = false
    var mode: Int?
    var status: Int?
    var latitude: Double?
    var longitude: Double?
    var altitudeMSL: Double?
    var altitudeHAE: Double?
    var geoidSeparation: Double?
    var speed: Double?
    var course: Double?
    var climb: Double?
    var ept: Double?
    var epx: Double?
    var epy: Double?
    var errors = ErrorEstimate()
    /// Speed and course, as they were before a later report of the epoch changed both.
    private var before: Motion?
    /// The place of the epoch's first report, once there was a second.
    private var first: (latitude: Double, longitude: Double)?

    /// From the Dead Sea's shore, with an error, to beyond any orbit a receiver works in, metres.
    private static let heights = -12_000.0...40_000_000.0

    /// Takes the number of a member where it can be meant; of one that a fix does not take it takes none.
    mutating func take(_ name: PlainMembers.Name, _ number: Double) {
        switch name {
        case .mode: mode = number > 0 ? Int(number) : nil
        case .status: status = number > 0 ? Int(number) : nil
        case .lat: latitude = finite(number, in: -90...90)
        case .lon: longitude = finite(number, in: -180...180)
        case .altHAE: altitudeHAE = finite(number, in: TPVReport.heights)
        case .altMSL: altitudeMSL = finite(number, in: TPVReport.heights)
        case .geoidSep: geoidSeparation = finite(number, in: -200...200)
        case .track: course = finite(number, in: 0...360).map { $0 == 360 ? 0 : $0 }
        case .speed: speed = finite(number, in: 0...20_000)
        case .climb: climb = finite(number, in: -20_000...20_000)
        case .ept: ept = error(number)
        case .epx: epx = error(number)
        case .epy: epy = error(number)
        case .eph: errors.eph = error(number)
        case .epv: errors.epv = error(number)
        case .eps: errors.eps = error(number)
        case .epd: errors.epc = error(number)
        case .time, .alt, .jam, .ant, .hdop, .vdop, .pdop, .tdop, .gdop, .nSat, .uSat, .class,
            .device:
            break
        }
    }

    /// Reports of one receiver whose times differ by no more are of one epoch, milliseconds.
    ///
    /// gpsd rounds the time of one epoch differently from sentence to sentence.
    static let sameEpoch: Int64 = 2

    /// Whether the later report belongs to the epoch of this one.
    func isSameEpoch(as later: TPVReport) -> Bool {
        guard let time, let other = later.time else { return false }
        return abs(other - time) <= TPVReport.sameEpoch && isLeapSecond == later.isLeapSecond
    }

    /// Whether it is a position whose time may come with the next report.
    var awaitsTime: Bool { time == nil && latitude != nil && longitude != nil }

    /// Two sentences of one epoch round its position differently, and by less than this, degrees.
    private static let samePlace = 2e-5

    /// Whether the later report says another place, as one of a receiver whose time stands still does.
    func isElsewhere(in later: TPVReport) -> Bool {
        guard let latitude = first?.latitude ?? latitude,
            let longitude = first?.longitude ?? longitude,
            let north = later.latitude, let east = later.longitude
        else { return false }
        return abs(north - latitude) > TPVReport.samePlace
            || abs(east - longitude) * cos(latitude * .pi / 180) > TPVReport.samePlace
    }

    /// Takes what a later report of the epoch says; what it leaves out stays.
    mutating func merge(_ later: TPVReport) {
        func take<Value>(_ field: WritableKeyPath<TPVReport, Value?>) {
            if let value = later[keyPath: field] { self[keyPath: field] = value }
        }
        guard !isElsewhere(in: later) else { return }
        // Measured from where it began: a place that creeps away in small steps is another one too.
        if first == nil, let latitude, let longitude { first = (latitude, longitude) }
        // A fix that was given is not taken back by a later sentence of its epoch, as GSA before the loss of a fix.
        if let later = later.mode, later >= 2 || mode == nil { mode = later }
        take(\.status)
        take(\.latitude)
        take(\.longitude)
        // One height without the other is another sensor's, as Garmin's barometer in PGRMZ.
        if altitudeMSL == nil || altitudeHAE == nil || altitudeHAE != later.altitudeHAE {
            take(\.altitudeMSL)
        }
        take(\.altitudeHAE)
        take(\.geoidSeparation)
        if let now = later.motion, let known = motion, now != known { before = known }
        take(\.speed)
        take(\.course)
        take(\.climb)
        take(\.ept)
        take(\.epx)
        take(\.epy)
        take(\.errors.eph)
        take(\.errors.epv)
        take(\.errors.eps)
        take(\.errors.epc)
    }

    /// Speed and course together, m/s and degrees.
    private struct Motion: Equatable {
        var speed: Double
        var course: Double
    }

    private var motion: Motion? {
        guard let speed, let course else { return nil }
        return Motion(speed: speed, course: course)
    }

    /// Gives the next epoch back what is its own.
    ///
    /// A VTG has no time: where it leads the sentences of its epoch, gpsd from 3.25 on reports it under the time of
    /// the one before, and then again.
    mutating func yield(to next: TPVReport) {
        guard let before, motion == next.motion else { return }
        (speed, course) = (before.speed, before.course)
    }

    /// The fix, when there is a position in range and the mode says that it holds.
    var fix: Fix? {
        guard let mode, mode >= 2, let latitude, let longitude else { return nil }
        var fix = Fix(
            time: time, latitude: latitude, longitude: longitude,
            mode: mode == 2 ? .twoD : .threeD)
        fix.status = status.flatMap { UInt8(exactly: $0) }.flatMap { FixStatus(rawValue: $0) }
        fix.altitudeMSL = altitudeMSL
        fix.altitudeHAE = altitudeHAE
        fix.geoidSeparation = geoidSeparation
        fix.speed = speed
        fix.course = course
        fix.climb = climb
        fix.errors = errors
        fix.errors.ept = ept
        if fix.errors.eph == nil, let epx, let epy {
            // Before 3.20 gpsd gives the two parts only.
            fix.errors.eph = (epx * epx + epy * epy).squareRoot()
        }
        if isLeapSecond { fix.notes.insert(.leapSecond) }
        return fix
    }
}
