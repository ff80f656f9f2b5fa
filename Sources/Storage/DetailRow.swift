import GNSS

/// What of a fix is rare or does not fit the ordinary form; one column each in table `detail`.
struct DetailRow: Equatable {
    /// Milliseconds since midnight, while the date is unknown.
    var timeOfDay: Int64?
    /// Millimetres.
    var altitudeMSL: Int64?
    /// Millimetres.
    var geoidSeparation: Int64?
    /// Millimetres, when it is not the sum of the two.
    var altitudeHAE: Int64?
    /// Millimetres a second.
    var climb: Int64?
    /// 0.01°.
    var heading: Int64?
    /// Millimetres.
    var eph: Int64?
    /// Millimetres.
    var epv: Int64?
    /// Millimetres a second.
    var eps: Int64?
    /// 0.01°.
    var epc: Int64?
    /// Microseconds.
    var ept: Int64?
    /// DOPs in 0.01.
    var hdop: Int64?
    var vdop: Int64?
    var pdop: Int64?
    var tdop: Int64?
    var gdop: Int64?

    /// The columns of the table with their places here, in the table's order.
    static let columns: [(name: String, path: any WritableKeyPath<DetailRow, Int64?> & Sendable)] =
        [
            ("time_of_day", \.timeOfDay), ("alt_msl", \.altitudeMSL),
            ("geoid_separation", \.geoidSeparation), ("alt_hae", \.altitudeHAE), ("climb", \.climb),
            ("heading", \.heading), ("eph", \.eph), ("epv", \.epv), ("eps", \.eps), ("epc", \.epc),
            ("ept", \.ept), ("hdop", \.hdop), ("vdop", \.vdop), ("pdop", \.pdop), ("tdop", \.tdop),
            ("gdop", \.gdop),
        ]

    /// Whether no row is needed.
    var isEmpty: Bool {
        self == DetailRow()
    }

    /// Puts what is here into a fix; heights but that above the ellipsoid are the caller's.
    func complete(_ fix: inout Fix) {
        func put(_ value: Int64?, _ scale: Double, _ place: inout Double?) {
            if let value { place = Double(value) / scale }
        }
        if let timeOfDay { fix.timeOfDay = Int32(clamping: timeOfDay) }
        put(altitudeHAE, 1000, &fix.altitudeHAE)
        put(climb, 1000, &fix.climb)
        put(heading, 100, &fix.heading)
        put(eph, 1000, &fix.errors.eph)
        put(epv, 1000, &fix.errors.epv)
        put(eps, 1000, &fix.errors.eps)
        put(epc, 100, &fix.errors.epc)
        put(ept, 1e6, &fix.errors.ept)
        put(hdop, 100, &fix.dop.hdop)
        put(vdop, 100, &fix.dop.vdop)
        put(pdop, 100, &fix.dop.pdop)
        put(tdop, 100, &fix.dop.tdop)
        put(gdop, 100, &fix.dop.gdop)
    }
}

/// The program's clock and the fixes' at one moment, from some sequence on.
///
/// In between only their drift is stored, which is nothing in a replay and a few bytes live.
struct ClockPair: Equatable {
    /// The run it belongs to.
    var run: Int32 = 0
    /// Milliseconds of CLOCK_BOOTTIME.
    var boot: Int64 = 0
    /// Milliseconds since 1970; `nil` until a fix had a date.
    var time: Int64?

    /// Over which drift, milliseconds, a kept fix pairs the clocks anew: what fits three bytes with its shift.
    static let drift: Int64 = 8191

    /// Whether a record should pair the clocks anew, having no date yet or having drifted far.
    func isOutdated(for record: RecordedFix) -> Bool {
        guard let milliseconds = record.fix.time?.milliseconds else { return false }
        guard let time else { return true }
        guard record.flags.isKept else { return false }
        let lag = (record.receivedAt &- boot) &- (milliseconds &- time)
        return lag.magnitude > ClockPair.drift.magnitude
    }
}
