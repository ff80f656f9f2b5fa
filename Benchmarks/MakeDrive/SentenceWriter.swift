import GNSS

/// Writes NMEA 0183 version 4.10 sentences as a u-blox receiver does: talker GN, hundredths of a second.
struct SentenceWriter {
    /// What is written so far.
    var text = TextBuffer()

    /// What one epoch says.
    struct Report {
        /// UTC.
        var time: UTCTime
        /// `nil` when there is no fix.
        var position: (latitude: Double, longitude: Double, altitude: Double)?
        var speed = 0.0
        var course = 0.0
    }

    // Metres from the ellipsoid to mean sea level, about right for the place.
    static let geoidSeparation = -21.4
    // International nautical mile: 1,852 m.
    static let knotsPerMetreASecond = 3600 / 1852.0

    /// Writes all sentences of one epoch.
    mutating func write(_ report: Report, receiver: Receiver) {
        let gps = report.position == nil ? [] : receiver.used(receiver.gps)
        let galileo = report.position == nil ? [] : receiver.used(receiver.galileo)
        // u-blox leaves the course empty below the speed at which it means something.
        let course = report.position != nil && report.speed > 0.55 ? report.course : nil
        sentence { $0.recommendedMinimum(report, course: course) }
        sentence { $0.courseAndSpeed(report, course: course) }
        sentence { $0.fixData(report, used: gps.count + galileo.count, hdop: receiver.hdop) }
        for (system, used) in [(1, gps), (3, galileo)] {
            sentence { $0.activeSatellites(used, system: system, receiver: receiver) }
        }
        let hidden = report.position == nil
        view("GPGSV", receiver.gps, signal: "1", hidden: hidden)
        view("GAGSV", receiver.galileo, signal: "7", hidden: hidden)
    }

    private mutating func sentence(_ body: (inout TextBuffer) -> Void) {
        text.append("$")
        let start = text.bytes.count
        body(&text)
        let sum = text.bytes[start...].reduce(0, ^)
        text.append("*")
        for half in [sum >> 4, sum & 15] { text.append(byte: half < 10 ? 48 + half : 55 + half) }
        text.append("\r\n")
    }

    /// GSV: four satellites a sentence.
    private mutating func view(
        _ name: StaticString, _ satellites: [Receiver.Satellite], signal: StaticString, hidden: Bool
    ) {
        let total = (satellites.count + 3) / 4
        for number in 0..<total {
            sentence {
                $0.append(name)
                $0.append(",")
                $0.append(total)
                $0.append(",")
                $0.append(number + 1)
                $0.append(",")
                $0.append(satellites.count, width: 2)
                for satellite in satellites[(number * 4)..<min(number * 4 + 4, satellites.count)] {
                    $0.append(",")
                    $0.append(satellite.id, width: 2)
                    $0.append(",")
                    $0.append(satellite.elevation, width: 2)
                    $0.append(",")
                    $0.append(satellite.azimuth, width: 3)
                    $0.append(",")
                    if !hidden { $0.append(satellite.strength, width: 2) }
                }
                $0.append(",")
                $0.append(signal)
            }
        }
    }
}

// NMEA 0183 version 4.10, section 8.3, as in the u-blox M8 protocol specification, chapter 31.
extension TextBuffer {
    fileprivate mutating func recommendedMinimum(_ report: SentenceWriter.Report, course: Double?) {
        append("GNRMC,")
        append(hundredths: report.time)
        append(report.position == nil ? ",V," : ",A,")
        append(position: report)
        append(",")
        if report.position != nil {
            append(report.speed * SentenceWriter.knotsPerMetreASecond, decimals: 3)
        }
        append(",")
        if let course { append(course, decimals: 2) }
        append(",")
        let date = report.time.date
        append(date.day, width: 2)
        append(date.month, width: 2)
        append(date.year % 100, width: 2)
        append(report.position == nil ? ",,,N,V" : ",,,A,V")
    }

    fileprivate mutating func courseAndSpeed(_ report: SentenceWriter.Report, course: Double?) {
        append("GNVTG,")
        if let course { append(course, decimals: 2) }
        append(",T,,M,")
        guard report.position != nil else { return append(",N,,K,N") }
        append(report.speed * SentenceWriter.knotsPerMetreASecond, decimals: 3)
        append(",N,")
        append(report.speed * 3.6, decimals: 3)
        append(",K,A")
    }

    fileprivate mutating func fixData(_ report: SentenceWriter.Report, used: Int, hdop: Double) {
        append("GNGGA,")
        append(hundredths: report.time)
        append(",")
        append(position: report)
        guard let position = report.position else { return append(",0,00,99.99,,,,,,") }
        append(",1,")
        append(min(used, 12), width: 2)
        append(",")
        append(hdop, decimals: 2)
        append(",")
        append(position.altitude, decimals: 1)
        append(",M,")
        append(SentenceWriter.geoidSeparation, decimals: 1)
        append(",M,,")
    }

    fileprivate mutating func activeSatellites(
        _ used: [Receiver.Satellite], system: Int, receiver: Receiver
    ) {
        append("GNGSA,A,")
        append(used.isEmpty ? 1 : 3)
        for slot in 0..<12 {
            append(",")
            if slot < used.count { append(used[slot].id, width: 2) }
        }
        if used.isEmpty {
            append(",99.99,99.99,99.99")
        } else {
            let (h, v) = (receiver.hdop, receiver.vdop)
            for dop in [(h * h + v * v).squareRoot(), h, v] {
                append(",")
                append(dop, decimals: 2)
            }
        }
        append(",")
        append(system)
    }

    /// `hhmmss.ss`.
    private mutating func append(hundredths time: UTCTime) {
        let ms = time.timeOfDay
        append(ms / 3_600_000, width: 2)
        append(ms / 60_000 % 60, width: 2)
        append(ms / 1000 % 60, width: 2)
        append(".")
        append(ms / 10 % 100, width: 2)
    }

    /// `ddmm.mmmmm,N,dddmm.mmmmm,E`, or four empty fields.
    private mutating func append(position report: SentenceWriter.Report) {
        guard let position = report.position else { return append(",,,") }
        append(minutes: position.latitude, width: 2)
        append(position.latitude < 0 ? ",S," : ",N,")
        append(minutes: position.longitude, width: 3)
        append(position.longitude < 0 ? ",W" : ",E")
    }

    private mutating func append(minutes degrees: Double, width: Int) {
        let units = Int((abs(degrees) * 6_000_000).rounded())
        append(units / 6_000_000, width: width)
        append(units / 100_000 % 60, width: 2)
        append(".")
        append(units % 100_000, width: 5)
    }
}
