public import GNSS
public import JSON

/// One member of a fix in JSON, as `TextBuffer.appendMembers(of:)` writes it.
struct FixField: Sendable {
    let name: String
    let type: StaticString
    let unit: String?
    let summary: String

    private init(_ name: String, _ type: StaticString, _ unit: String?, _ summary: String) {
        self.name = name
        self.type = type
        self.unit = unit
        self.summary = summary
    }

    /// The members in the order in which they are written.
    static let all: [FixField] = [
        FixField(
            "time", "string", "RFC 3339", "When the fix is valid; null while the date is unknown."),
        FixField("tod", "string", "hh:mm:ss.sss", "UTC time of day while the date is unknown."),
        FixField("lat", "number", "deg", "Latitude, north positive, WGS 84."),
        FixField("lon", "number", "deg", "Longitude, east positive, WGS 84."),
        FixField("mode", "integer", nil, "2 or 3 dimensions; 1 is none."),
        FixField("status", "string", nil, "How the solution was made, when the receiver says."),
        FixField("alt_msl", "number", "m", "Height above mean sea level."),
        FixField("alt_hae", "number", "m", "Height above the WGS 84 ellipsoid."),
        FixField("geoid_separation", "number", "m", "Height of the geoid above the ellipsoid."),
        FixField("speed", "number", "m/s", "Speed over ground."),
        FixField("course", "number", "deg", "Course over ground from true north; absent at rest."),
        FixField("climb", "number", "m/s", "Vertical speed, upwards positive."),
        FixField("heading", "number", "deg", "Heading of the vehicle from true north."),
        FixField("eph", "number", "m", "Estimated horizontal error, 95 %."),
        FixField("epv", "number", "m", "Estimated vertical error, 95 %."),
        FixField("eps", "number", "m/s", "Estimated speed error, 95 %."),
        FixField("epc", "number", "deg", "Estimated course error, 95 %."),
        FixField("ept", "number", "s", "Estimated time error, 95 %."),
        FixField("hdop", "number", nil, "Horizontal dilution of precision."),
        FixField("vdop", "number", nil, "Vertical dilution of precision."),
        FixField("pdop", "number", nil, "Position dilution of precision."),
        FixField("tdop", "number", nil, "Time dilution of precision."),
        FixField("gdop", "number", nil, "Geometric dilution of precision."),
        FixField("satellites_used", "integer", nil, "Satellites in the solution."),
        FixField("satellites_seen", "integer", nil, "Satellites in view."),
    ]
}

extension Fix {
    /// The fix whose members `TextBuffer.appendMembers(of:)` wrote; `nil` when they are none.
    public init?(members object: JSONObject) {
        guard let latitude = object["lat"]?.number, abs(latitude) <= 90,
            let longitude = object["lon"]?.number, abs(longitude) <= 180,
            let mode = object["mode"]?.integer.flatMap({ UInt8(exactly: $0) }).flatMap({
                FixMode(rawValue: $0)
            })
        else { return nil }
        self.init(
            time: object["time"]?.string.flatMap { UTCTime($0) }, latitude: latitude,
            longitude: longitude, mode: mode)
        // A time of day reads like a time of 1970; a leap second runs over midnight and stays one.
        if let text = object["tod"]?.string, let time = UTCTime("1970-01-01T" + text) {
            timeOfDay = Int32(exactly: time.milliseconds)
        } else if let time {
            timeOfDay = Int32(exactly: time.timeOfDay)
        }
        status = object["status"]?.string.flatMap { name in
            FixStatus.allCases.first { $0.name == name }
        }
        altitudeMSL = object["alt_msl"]?.number
        altitudeHAE = object["alt_hae"]?.number
        geoidSeparation = object["geoid_separation"]?.number
        speed = object["speed"]?.number
        course = object["course"]?.number
        climb = object["climb"]?.number
        heading = object["heading"]?.number
        errors.eph = object["eph"]?.number
        errors.epv = object["epv"]?.number
        errors.eps = object["eps"]?.number
        errors.epc = object["epc"]?.number
        errors.ept = object["ept"]?.number
        dop.hdop = object["hdop"]?.number
        dop.vdop = object["vdop"]?.number
        dop.pdop = object["pdop"]?.number
        dop.tdop = object["tdop"]?.number
        dop.gdop = object["gdop"]?.number
        satellitesUsed = object["satellites_used"]?.integer.flatMap { UInt8(exactly: $0) }
        satellitesSeen = object["satellites_seen"]?.integer.flatMap { UInt8(exactly: $0) }
    }
}
