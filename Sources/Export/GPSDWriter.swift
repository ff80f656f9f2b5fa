import GNSS

/// JSON as gpsd 3.22 and later sends it (gpsd_json(5)): TPV of each fix, then SKY with
/// the dilutions.
///
/// Replayed, it gives the same fixes, errors and climb included.
struct GPSDWriter: TrackWriter {
    /// What the fix before said of its satellites, which a reader has for the next one's too.
    private var sky = Sky()

    private struct Sky: Equatable {
        var dop = DOP()
        var used: UInt8?
        var seen: UInt8?

        var values: [Double?] {
            [dop.hdop, dop.vdop, dop.pdop, dop.tdop, dop.gdop]
                + [used, seen].map { $0.map(Double.init) }
        }
    }

    mutating func begin(_ info: ExportInfo, _ text: inout TextBuffer) {
        text.append("{\"class\":\"VERSION\",\"release\":")
        text.append(json: info.creator)
        text.append(",\"rev\":")
        text.append(json: info.systemWord.map { "export in \($0)" } ?? "export")
        text.append(",\"proto_major\":3,\"proto_minor\":14}\r\n")
    }

    mutating func add(_ point: ExportPoint, _ text: inout TextBuffer) {
        let fix = point.record.fix
        text.append("{\"class\":\"TPV\",\"device\":\"tracklog\"")
        // gpsd leaves out that of a plain fix (1), which would come back as none.
        if let status = fix.status {
            text.append(",\"status\":")
            text.append(status.rawValue)
        }
        text.append(",\"mode\":")
        text.append(fix.mode.rawValue)
        time(fix, &text)
        text.append(member: ",\"ept\":", fix.errors.ept, 6)
        text.append(",\"lat\":")
        text.append(degrees: fix.latitude)
        text.append(",\"lon\":")
        text.append(degrees: fix.longitude)
        text.append(member: ",\"altHAE\":", fix.altitudeHAE, 3)
        text.append(member: ",\"altMSL\":", fix.altitudeMSL, 3)
        text.append(member: ",\"epv\":", fix.errors.epv, 3)
        text.append(member: ",\"track\":", fix.course, 2)
        text.append(member: ",\"speed\":", fix.speed, 3)
        text.append(member: ",\"climb\":", fix.climb, 3)
        text.append(member: ",\"epd\":", fix.errors.epc, 2)
        text.append(member: ",\"eps\":", fix.errors.eps, 3)
        text.append(member: ",\"geoidSep\":", fix.geoidSeparation, 3)
        text.append(member: ",\"eph\":", fix.errors.eph, 3)
        text.append("}\r\n")
        let dop = fix.dop
        let now = Sky(dop: dop, used: fix.satellitesUsed, seen: fix.satellitesSeen)
        // A report that says nothing takes back what was said before.
        if zip(sky.values, now.values).contains(where: { $0 != nil && $1 == nil }) {
            text.append("{\"class\":\"SKY\",\"device\":\"tracklog\"")
            time(fix, &text)
            text.append("}\r\n")
        }
        sky = now
        if now != Sky() {
            text.append("{\"class\":\"SKY\",\"device\":\"tracklog\"")
            time(fix, &text)
            text.append(member: ",\"vdop\":", dop.vdop, 2)
            text.append(member: ",\"tdop\":", dop.tdop, 2)
            text.append(member: ",\"hdop\":", dop.hdop, 2)
            text.append(member: ",\"gdop\":", dop.gdop, 2)
            text.append(member: ",\"pdop\":", dop.pdop, 2)
            text.append(member: ",\"nSat\":", fix.satellitesSeen.map(Double.init), 0)
            text.append(member: ",\"uSat\":", fix.satellitesUsed.map(Double.init), 0)
            text.append("}\r\n")
        }
    }

    mutating func segmentBreak(_ text: inout TextBuffer) {}

    mutating func end(_ text: inout TextBuffer) {}

    private func time(_ fix: Fix, _ text: inout TextBuffer) {
        guard let time = fix.time else { return }
        text.append(",\"time\":\"")
        text.append(time)
        text.append("\"")
    }
}

extension TextBuffer {
    /// Appends a member, or nothing when its value is unknown or not finite.
    fileprivate mutating func append(
        member name: StaticString, _ value: Double?, _ decimals: Int
    ) {
        guard let value, value.isFinite, value.magnitude < 1e12 else { return }
        append(name)
        append(value, decimals: decimals, trimming: true)
    }
}
