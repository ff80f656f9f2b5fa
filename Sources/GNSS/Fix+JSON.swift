extension TextBuffer {
    /// Appends the members of a fix as one JSON object, without the braces.
    ///
    /// `time` is always there (`null` while the date is unknown, with `tod` beside it); what the receiver did
    /// not report is left out. Degrees have nine decimals, the rest what receivers give.
    public mutating func appendMembers(of fix: Fix) {
        if let time = fix.time {
            append("\"time\":\"")
            append(time)
            append("\"")
        } else {
            append("\"time\":null")
            if let timeOfDay = fix.timeOfDay {
                append(",\"tod\":\"")
                append(timeOfDay: Int(timeOfDay))
                append("\"")
            }
        }
        append(",\"lat\":")
        append(fix.latitude, decimals: 9, trimming: true)
        append(",\"lon\":")
        append(fix.longitude, decimals: 9, trimming: true)
        append(",\"mode\":")
        append(fix.mode.rawValue)
        if let status = fix.status {
            append(",\"status\":\"")
            append(text: status.name)
            append("\"")
        }
        member(",\"alt_msl\":", fix.altitudeMSL, 3)
        member(",\"alt_hae\":", fix.altitudeHAE, 3)
        member(",\"geoid_separation\":", fix.geoidSeparation, 3)
        member(",\"speed\":", fix.speed, 3)
        member(",\"course\":", fix.course, 2)
        member(",\"climb\":", fix.climb, 3)
        member(",\"heading\":", fix.heading, 2)
        member(",\"eph\":", fix.errors.eph, 3)
        member(",\"epv\":", fix.errors.epv, 3)
        member(",\"eps\":", fix.errors.eps, 3)
        member(",\"epc\":", fix.errors.epc, 2)
        member(",\"ept\":", fix.errors.ept, 6)
        member(",\"hdop\":", fix.dop.hdop, 2)
        member(",\"vdop\":", fix.dop.vdop, 2)
        member(",\"pdop\":", fix.dop.pdop, 2)
        member(",\"tdop\":", fix.dop.tdop, 2)
        member(",\"gdop\":", fix.dop.gdop, 2)
        if let used = fix.satellitesUsed {
            append(",\"satellites_used\":")
            append(used)
        }
        if let seen = fix.satellitesSeen {
            append(",\"satellites_seen\":")
            append(seen)
        }
    }

    /// Appends flags as `,"flags":["name",…]`, or nothing when there are none.
    public mutating func appendMember(flags: FixFlags) {
        guard !flags.isEmpty else { return }
        append(",\"flags\":[")
        for (index, name) in flags.names.enumerated() {
            append(index == 0 ? "\"" : ",\"")
            append(text: name)
            append("\"")
        }
        append("]")
    }

    private mutating func member(_ key: StaticString, _ value: Double?, _ decimals: Int) {
        guard let value else { return }
        append(key)
        append(value, decimals: decimals, trimming: true)
    }
}
