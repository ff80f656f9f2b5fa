/// A part of a point, with the name it has in this program's own formats.
enum PointField: String, CaseIterable {
    case time
    case date
    case latitude = "lat"
    case longitude = "lon"
    /// `N` or `S`, in a column beside a latitude without a sign.
    case northSouth = "north_south"
    /// `E` or `W`, in a column beside a longitude without a sign.
    case eastWest = "east_west"
    case altitudeMSL = "alt_msl"
    case altitudeHAE = "alt_hae"
    case geoidSeparation = "geoid_separation"
    case speed
    case course
    case climb
    case heading
    case mode
    /// Whether there was a fix at all.
    case valid
    case status
    case eph
    case epv
    case eps
    case epc
    case ept
    case hdop
    case vdop
    case pdop
    case tdop
    case gdop
    case satellitesUsed = "satellites_used"
    case satellitesSeen = "satellites_seen"
    case segment
    case flags
    case id
}

/// What a column or a member holds: a part of a point, in some unit.
struct PointPart: Equatable {
    var field: PointField
    /// What a number is multiplied by to give metres or metres a second.
    var factor = 1.0
    /// Whether this program's own formats name it so: what does not fit is wrong then, and else says nothing to us.
    var isOwn = false
    /// How little the name means its part, 0 for most; of several the least counts.
    fileprivate var doubt = 0

    /// 1852 metres an hour, exactly.
    static let knot = 1852.0 / 3600

    fileprivate init(_ field: PointField, doubt: Int, factor: Double = 1, isOwn: Bool = false) {
        self.field = field
        self.factor = factor
        self.isOwn = isOwn
        self.doubt = doubt
    }

    /// A part by its own name.
    static func own(_ field: PointField) -> PointPart { PointPart(field, doubt: 0, isOwn: true) }

    /// The part that a name stands for; `nil` for one that says nothing to us.
    init?(named name: some StringProtocol) {
        let lower = name.lowercased()
        if let field = PointField(rawValue: lower) {
            self.init(field, doubt: 0, isOwn: true)
            return
        }
        let (word, unit) = PointPart.split(lower)
        if let known = PointPart.names[word] {
            self.init(known.field, doubt: known.doubt, factor: known.factor)
            guard let unit else { return }
            // `Time (UTC)` and `Latitude (deg)` say what goes without saying.
            guard let factor = PointPart.factor(of: unit, for: field) else { return nil }
            self.factor = factor
            return
        }
        // `speed_kmh`, `altitude_ft`.
        guard let place = word.lastIndex(of: "_"), unit == nil,
            let known = PointPart.names[String(word[..<place])],
            [.speed, .altitudeMSL, .altitudeHAE, .course].contains(known.field),
            let factor = PointPart.factor(
                of: String(word[word.index(after: place)...]), for: known.field)
        else { return nil }
        self.init(known.field, doubt: known.doubt, factor: factor)
    }

    /// A name in small letters with one `_` between its words, and the unit behind it in brackets.
    private static func split(_ name: String) -> (word: String, unit: String?) {
        var word = name
        var unit: String?
        if let last = name.last, ")]".contains(last),
            let begin = name.lastIndex(where: { "([".contains($0) })
        {
            word = String(name[..<begin])
            unit = String(name[name.index(after: begin)...].dropLast())
                .filter { $0 != " " }
        }
        let parts = word.split { " _-./".contains($0) }
        return (parts.joined(separator: "_"), unit)
    }

    /// What a number in a unit is multiplied by; `nil` for a unit that such a part is not in.
    static func factor(of unit: String, for field: PointField) -> Double? {
        switch field {
        case .speed, .eps, .climb:
            switch unit {
            case "m/s", "ms", "mps", "m_s", "m/sec", "ms-1", "m*s-1": return 1
            case "km/h", "kmh", "kph", "km_h", "kmph", "km/hr": return 1 / 3.6
            // 1609.344 m, exactly.
            case "mph", "mi/h", "mi_h": return 1609.344 / 3600
            case "kn", "kt", "kts", "knot", "knots": return knot
            default: return nil
            }
        case .altitudeMSL, .altitudeHAE, .geoidSeparation, .eph, .epv:
            switch unit {
            case "m", "meter", "meters", "metre", "metres", "msl", "masl", "amsl": return 1
            // The international foot.
            case "ft", "feet", "foot": return 0.3048
            default: return nil
            }
        case .course, .heading, .epc:
            return ["deg", "degree", "degrees", "°", "true", "degt"].contains(unit) ? 1 : nil
        default: return 1
        }
    }

    /// The names of gpslogger, gpsbabel's unicsv, Overland, OsmAnd, Traccar, OwnTracks, the loggers of Holux and QStarz, GPX.
    private static let names: [String: (field: PointField, doubt: Int, factor: Double)] = {
        var names: [String: (field: PointField, doubt: Int, factor: Double)] = [:]
        func add(_ field: PointField, _ words: String, doubt: Int = 1, factor: Double = 1) {
            for word in words.split(separator: " ") { names[String(word)] = (field, doubt, factor) }
        }
        add(
            .time,
            """
            time timestamp datetime date_time utc utc_time time_utc isotime timestamp_ms timestampms \
            timestamp_utc utc_timestamp datetime_utc utc_datetime recorded_at gps_time gpstime \
            gps_timestamp tst epoch unixtime unix_time unix_timestamp epoch_time epoch_ms fixtime \
            fix_time when iso8601 iso_8601 iso_time time_iso8601 time_stamp
            """)
        // When it was told, by a clock that may be another's.
        add(.time, "devicetime device_time local_time localtime", doubt: 3)
        add(.time, "created_at servertime server_time", doubt: 4)
        add(.time, "t", doubt: 5)
        add(.date, "date utc_date date_utc gps_date")
        add(.date, "local_date", doubt: 3)
        add(.latitude, "lat latitude lat_deg latitude_n_s gps_lat gps_latitude")
        add(.latitude, "y", doubt: 5)
        add(
            .longitude, "lon longitude lng long lon_deg longitude_e_w gps_lon gps_lng gps_longitude"
        )
        add(.longitude, "x", doubt: 5)
        for (field, letters, words) in [
            (PointField.northSouth, "ns", "lat latitude"),
            (.eastWest, "ew", "lon lng long longitude"),
        ] {
            let (a, b) = (letters.prefix(1), letters.suffix(1))
            add(field, "\(letters) \(a)_\(b) \(letters)_indicator \(a)_\(b)_indicator")
            for word in words.split(separator: " ") {
                for end in ["dir", "direction", "ref", "hemi", "hemisphere", letters] {
                    add(field, "\(word)_\(end) \(word)\(end)")
                }
            }
        }
        add(.altitudeMSL, "elevation ele altitude alt height elev gps_altitude gps_alt")
        add(.altitudeHAE, "hae height_ellipsoid ellipsoid_height ellipsoidal_height")
        add(.geoidSeparation, "geoidheight geoid_height")
        add(.speed, "speed velocity gps_speed ground_speed groundspeed spd")
        add(.speed, "velocity_kmh", factor: 1 / 3.6)
        // Of ships: ITU-R M.1371 has speed over ground in knots.
        add(.speed, "sog", doubt: 2, factor: PointPart.knot)
        add(.course, "course bearing dir cog course_over_ground gps_course")
        // A name as often.
        add(.course, "track", doubt: 2)
        add(.heading, "heading")
        add(.valid, "valid")
        add(.eph, "accuracy acc horizontal_accuracy accuracy_horizontal")
        add(.epv, "vertical_accuracy accuracy_vertical vac")
        add(.eps, "speed_accuracy")
        add(.epc, "course_accuracy bearing_accuracy")
        add(.satellitesUsed, "satellites sat sats num_satellites")
        return names
    }()

    /// The part that each of some names holds: of several for one part the least doubtful, then the first.
    static func parts(of names: [String]) -> [PointPart?] {
        var parts = names.map { PointPart(named: $0) }
        // Traccar gives its speeds in knots, and tells three times apart.
        let lower = Set(names.map { $0.lowercased() })
        if lower.contains("fixtime"), lower.contains("servertime") {
            for index in parts.indices where names[index].lowercased() == "speed" {
                parts[index]?.factor = PointPart.knot
            }
        }
        // Columbus, Holux and QStarz count their records, and drive in km/h (gpsbabel, v900 and its kin).
        if lower.contains("index"), lower.contains("tag") || lower.contains("rcr") {
            for index in parts.indices where names[index].lowercased() == "speed" {
                parts[index]?.factor = 1 / 3.6
            }
        }
        var best: [PointField: Int] = [:]
        for (index, part) in parts.enumerated() {
            guard let part else { continue }
            if let other = best[part.field], let known = parts[other], known.doubt <= part.doubt {
                parts[index] = nil
            } else {
                if let other = best[part.field] { parts[other] = nil }
                best[part.field] = index
            }
        }
        return parts
    }

    /// Names that look like a time, a speed or a height, where none of that kind is understood.
    static func notUnderstood(_ names: [String], _ parts: [PointPart?]) -> [String] {
        let fields = parts.compactMap { $0?.field }
        let kinds: [([PointField], [String])] = [
            ([.time, .date], ["time", "date", "epoch", "utc"]),
            ([.speed], ["speed", "veloc", "knots", "kmh", "kph", "mph"]),
            ([.altitudeMSL, .altitudeHAE], ["altitude", "elev", "height", "alt"]),
        ]
        return names.filter { name in
            guard PointPart(named: name) == nil else { return false }
            let words = name.lowercased().split { !$0.isLetter }
            return kinds.contains { kind, roots in
                !kind.contains(where: fields.contains)
                    && words.contains { word in
                        roots.contains { root in
                            // `alt` is a word, and the beginning of others.
                            root.count > 3 ? word.contains(root) : word == root
                        }
                    }
            }
        }
    }
}
