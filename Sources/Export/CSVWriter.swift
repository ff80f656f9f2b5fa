import GNSS

/// CSV (RFC 4180) with the names of JSON and SQL as header and a point as decimal sign; unknown is empty.
///
/// A last column `crs` names the coordinate system when it is not WGS 84, as conversions and imports read it.
/// Of the heights the one above the sea comes last: gpsbabel's unicsv takes the last column whose name begins with `alt`.
struct CSVWriter: TrackWriter {
    private var system: String?

    mutating func begin(_ info: ExportInfo, _ text: inout TextBuffer) {
        text.append(
            """
            time,lat,lon,alt_hae,alt_msl,geoid_separation,speed,course,climb,heading,mode,status,\
            eph,epv,eps,epc,ept,hdop,vdop,pdop,tdop,gdop,satellites_used,satellites_seen,\
            segment,sequence,flags,id
            """)
        system = info.systemWord
        text.append(system == nil ? "\n" : ",crs\n")
    }

    mutating func add(_ point: ExportPoint, _ text: inout TextBuffer) {
        let record = point.record
        let fix = record.fix
        if let time = fix.time { text.append(time) }
        text.append(",")
        text.append(degrees: fix.latitude)
        text.append(",")
        text.append(degrees: fix.longitude)
        text.append(field: fix.altitudeHAE, 3)
        text.append(field: fix.altitudeMSL, 3)
        text.append(field: fix.geoidSeparation, 3)
        text.append(field: fix.speed, 3)
        text.append(field: fix.course, 2)
        text.append(field: fix.climb, 3)
        text.append(field: fix.heading, 2)
        text.append(",")
        text.append(fix.mode.rawValue)
        text.append(",")
        if let status = fix.status { text.append(text: status.name) }
        text.append(field: fix.errors.eph, 3)
        text.append(field: fix.errors.epv, 3)
        text.append(field: fix.errors.eps, 3)
        text.append(field: fix.errors.epc, 2)
        text.append(field: fix.errors.ept, 6)
        text.append(field: fix.dop.hdop, 2)
        text.append(field: fix.dop.vdop, 2)
        text.append(field: fix.dop.pdop, 2)
        text.append(field: fix.dop.tdop, 2)
        text.append(field: fix.dop.gdop, 2)
        text.append(",")
        if let used = fix.satellitesUsed { text.append(used) }
        text.append(",")
        if let seen = fix.satellitesSeen { text.append(seen) }
        text.append(",")
        if record.segment != 0 { text.append(record.segment) }
        text.append(",")
        text.append(record.sequence)
        text.append(",")
        if !record.flags.isEmpty { text.append(text: record.flags.names.joined(separator: " ")) }
        text.append(",")
        if let id = point.id { text.append(id) }
        if let system {
            text.append(",")
            text.append(text: system)
        }
        text.append("\n")
    }

    mutating func segmentBreak(_ text: inout TextBuffer) {}

    mutating func end(_ text: inout TextBuffer) {}
}

extension TextBuffer {
    /// Appends a comma and a number, or nothing after it when the number is unknown or not finite.
    fileprivate mutating func append(field value: Double?, _ decimals: Int) {
        append(",")
        guard let value, value.isFinite, value.magnitude < 1e15 else { return }
        append(value, decimals: decimals, trimming: true)
    }
}
