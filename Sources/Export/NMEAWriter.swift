import GNSS

/// NMEA 0183: GGA, GSA, GST and RMC of each fix, as a receiver sends them, with checksums.
///
/// Replayed, they give the same times, places, heights, speeds, courses and dilutions.
struct NMEAWriter: TrackWriter {
    private var sentence = TextBuffer()

    mutating func begin(_ info: ExportInfo, _ text: inout TextBuffer) {
        guard info.systemWord != nil else { return }
        // A datum of the user's own: whoever minds DTM does not take the positions for WGS 84.
        sentence.append("GPDTM,999,,0.0,N,0.0,E,0.0,W84")
        close(&text)
    }

    mutating func add(_ point: ExportPoint, _ text: inout TextBuffer) {
        let fix = point.record.fix
        gga(fix)
        close(&text)
        gsa(fix)
        close(&text)
        if fix.errors.eph != nil || fix.errors.epv != nil {
            gst(fix)
            close(&text)
        }
        // Last: gpsbabel takes what stands between two RMC for the second one's.
        rmc(fix)
        close(&text)
    }

    mutating func segmentBreak(_ text: inout TextBuffer) {}

    mutating func end(_ text: inout TextBuffer) {}

    private mutating func rmc(_ fix: Fix) {
        sentence.append("GPRMC,")
        time(fix)
        sentence.append(",A,")
        position(fix)
        // 1852 m a nautical mile; four decimals of a knot are finer than a millimetre a second.
        field(fix.speed.map { $0 * 3600 / 1852 }, 4)
        field(fix.course, 2)
        sentence.append(",")
        if let date = fix.time?.date {
            sentence.append(date.day, width: 2)
            sentence.append(date.month, width: 2)
            sentence.append(date.year % 100, width: 2)
        }
        sentence.append(",,,")
        sentence.append(NMEAWriter.letter(fix.status))
    }

    private mutating func gga(_ fix: Fix) {
        sentence.append("GPGGA,")
        time(fix)
        sentence.append(",")
        position(fix)
        sentence.append(",")
        sentence.append(NMEAWriter.quality(fix.status))
        sentence.append(",")
        if let used = fix.satellitesUsed { sentence.append(Int(used), width: 2) }
        field(fix.dop.hdop, 2)
        let heights = fix.withAllHeights
        field(heights.altitudeMSL, 3)
        sentence.append(",M")
        field(heights.geoidSeparation, 3)
        sentence.append(",M,,")
    }

    private mutating func gsa(_ fix: Fix) {
        sentence.append("GPGSA,A,")
        sentence.append(fix.mode.rawValue)
        sentence.append(",,,,,,,,,,,,")
        field(fix.dop.pdop, 2)
        field(fix.dop.hdop, 2)
        field(fix.dop.vdop, 2)
    }

    /// Errors as standard deviations: a radius of 95 % is 2.4477 of them, a height 1.9600.
    private mutating func gst(_ fix: Fix) {
        sentence.append("GPGST,")
        time(fix)
        sentence.append(",,,,")
        let horizontal = fix.errors.eph.map { $0 / 2.447_747 }
        field(horizontal, 3)
        field(horizontal, 3)
        field(fix.errors.epv.map { $0 / 1.959_964 }, 3)
    }

    /// Ends the sentence with its checksum.
    private mutating func close(_ text: inout TextBuffer) {
        text.append("$")
        text.bytes += sentence.bytes
        text.append("*")
        let sum = sentence.bytes.reduce(0, ^)
        for digit in [sum >> 4, sum & 15] {
            text.append(byte: digit < 10 ? 48 + digit : 55 + digit)
        }
        text.append("\r\n")
        sentence.bytes.removeAll(keepingCapacity: true)
    }

    private mutating func time(_ fix: Fix) {
        guard let moment = fix.time?.timeOfDay ?? fix.timeOfDay.map(Int.init) else { return }
        // Milliseconds of a day, which a leap second overruns.
        let whole = min(moment, 86_400_999)
        let isLeap = whole >= 86_400_000
        let rest = isLeap ? whole - 1000 : whole
        sentence.append(rest / 3_600_000, width: 2)
        sentence.append(rest / 60_000 % 60, width: 2)
        sentence.append(isLeap ? 60 : rest / 1000 % 60, width: 2)
        sentence.append(".")
        sentence.append(rest % 1000, width: 3)
    }

    private mutating func position(_ fix: Fix) {
        angle(fix.latitude, digits: 2)
        sentence.append(fix.latitude < 0 ? ",S," : ",N,")
        angle(fix.longitude, digits: 3)
        sentence.append(fix.longitude < 0 ? ",W" : ",E")
    }

    /// Degrees and minutes in one number; the minutes never round to 60, and have no more decimals than they need.
    private mutating func angle(_ degrees: Double, digits: Int) {
        // What is stored as 1e-7 degrees is told by six decimals of a minute, anything finer by eight. Whole numbers of
        // the last decimal cannot round to 60 minutes.
        var places = (degrees * 1e7).rounded() / 1e7 == degrees ? 6 : 8
        let minute: Int64 = places == 6 ? 1_000_000 : 100_000_000
        let units = Int64((degrees.magnitude * 60 * Double(minute)).rounded())
        sentence.append(Int(units / (60 * minute)), width: digits)
        sentence.append(Int(units / minute % 60), width: 2)
        sentence.append(".")
        var fraction = units % minute
        while places > 4, fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        sentence.append(Int(fraction), width: places)
    }

    private mutating func field(_ value: Double?, _ decimals: Int) {
        sentence.append(",")
        guard let value, value.isFinite, value.magnitude < 1e9 else { return }
        sentence.append(value, decimals: decimals, trimming: true)
    }

    /// The mode letter of NMEA 2.3; a solution that satellites took part in is an autonomous one.
    private static func letter(_ status: FixStatus?) -> StaticString {
        switch status {
        case .dgps: "D"
        case .rtkFixed: "R"
        case .rtkFloat: "F"
        case .deadReckoning: "E"
        case .surveyed: "M"
        case .simulated: "S"
        case .gps, .gnssDeadReckoning, .py, nil: "A"
        }
    }

    private static func quality(_ status: FixStatus?) -> StaticString {
        switch status {
        case .dgps: "2"
        case .py: "3"
        case .rtkFixed: "4"
        case .rtkFloat: "5"
        case .deadReckoning: "6"
        case .surveyed: "7"
        case .simulated: "8"
        case .gps, .gnssDeadReckoning, nil: "1"
        }
    }
}
