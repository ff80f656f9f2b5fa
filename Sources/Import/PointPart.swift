/// What a column or a member holds: a part of a point, in some unit.
struct PointPart: Equatable {
    var field: PointField
    /// What a number is multiplied by to give metres or metres a second.
    var factor = 1.0
    /// Whether this program's own formats name it so: what does not fit is wrong then, and else says nothing to us.
    var isOwn = false
    /// How little the name means its part, 0 for most; of several the least counts.
    private var doubt = 0

    /// 1852 metres an hour, exactly.
    static let knot = 1852.0 / 3600

    private init(_ field: PointField, doubt: Int, factor: Double = 1, isOwn: Bool = false) {
        self.field = field
        self.factor = factor
        self.isOwn = isOwn
        self.doubt = doubt
    }

    /// A part by its own name.
    static func own(_ field: PointField) -> PointPart { PointPart(field, doubt: 0, isOwn: true) }

    /// The part that a name stands for; `nil` for one that says nothing to us.
    ///
    /// Case and what stands between words count for nothing: `recordedAt`, `Recorded at` and `recorded_at` are one.
    /// Behind a name may stand its unit (`speedKmh`, `altitude (ft)`, `time_ms`), before it whose it is (`gps_speed`).
    init?(named name: some StringProtocol) {
        // Longer than any name with its unit.
        guard name.utf8.count <= 64 else { return nil }
        let lower = name.lowercased()
        if let field = PointField(rawValue: lower) {
            self.init(field, doubt: 0, isOwn: true)
            return
        }
        let (word, unit) = PointPart.split(lower)
        guard let part = PointPart.known(word, unit) else {
            for owner in PointPart.owners where word.hasPrefix(owner) {
                // `pos_x` counts metres of some map.
                guard let part = PointPart.known(String(word.dropFirst(owner.count)), unit),
                    part.doubt < 5
                else { continue }
                self = part
                doubt += 1
                return
            }
            return nil
        }
        self = part
    }

    /// The part of a name without anything before it.
    private static func known(_ word: String, _ bracketed: String?) -> PointPart? {
        if let known = names[word] {
            var part = PointPart(known.field, doubt: known.doubt, factor: known.factor)
            guard let bracketed else { return part }
            // `Time (UTC)` and `Latitude (deg)` say what goes without saying.
            guard let factor = factor(of: bracketed, for: part.field) else { return nil }
            part.factor = factor
            return part
        }
        guard bracketed == nil else { return nil }
        guard let last = word.utf8.last else { return nil }
        for (unit, fields) in suffixes[last] ?? [] where word.hasSuffix(unit) {
            guard let known = names[String(word.dropLast(unit.count))],
                fields.contains(known.field), let factor = factor(of: unit, for: known.field)
            else { continue }
            return PointPart(known.field, doubt: known.doubt, factor: factor)
        }
        return nil
    }

    /// A name in small letters without anything between its words, and the unit behind it in brackets.
    private static func split(_ name: String) -> (word: String, unit: String?) {
        var word = name
        var unit: String?
        if let last = name.last, ")]".contains(last),
            let begin = name.lastIndex(where: { "([".contains($0) })
        {
            word = String(name[..<begin])
            unit = String(name[name.index(after: begin)...].dropLast())
        } else if name.hasSuffix("_s"), !name.hasSuffix("m_s") {
            // Without anything between, as `times`, it is more than one.
            word = String(name.dropLast(2))
            unit = "s"
        }
        return (word.filter { !" _-./:#()[]".contains($0) }, unit)
    }

    /// What a number in a unit is multiplied by; `nil` for a unit that such a part is not in.
    static func factor(of unit: String, for field: PointField) -> Double? {
        let unit = unit.filter { !" _./*^".contains($0) }
        switch field {
        case .speed, .eps, .climb:
            switch unit {
            case "ms", "mps", "msec", "ms-1", "meterspersecond", "metrespersecond": return 1
            case "kmh", "kph", "kmph", "kmhr", "kmh-1": return 1 / 3.6
            // 1609.344 m, exactly.
            case "mph", "mih": return 1609.344 / 3600
            case "kn", "kt", "kts", "knot", "knots": return knot
            case "ftmin", "fpm": return 0.3048 / 60
            default: return nil
            }
        case .altitudeMSL, .altitudeHAE, .geoidSeparation, .eph, .epv:
            switch unit {
            case "m", "mt", "mtr", "meter", "meters", "metre", "metres", "msl", "masl", "amsl":
                return 1
            // The international foot.
            case "ft", "feet", "foot": return 0.3048
            default: return nil
            }
        case .latitude, .longitude:
            switch unit {
            case "rad", "radian", "radians": return 180 / .pi
            // As FIT has them: half a turn is 2^31.
            case "semicircle", "semicircles": return 180 / 2_147_483_648
            default: return 1
            }
        case .course, .heading, .epc:
            return ["deg", "degree", "degrees", "°", "\u{FFFD}", "true", "degt"].contains(unit)
                ? 1 : nil
        default: return 1
        }
    }

    /// Units that stand behind names by their last letters, the longer first, and what they may be units of.
    private static let suffixes: [UInt8: [(unit: String, fields: [PointField])]] = {
        let times: [PointField] = [.time, .date]
        let speeds: [PointField] = [.speed, .eps, .climb]
        let lengths: [PointField] = [.altitudeMSL, .altitudeHAE, .geoidSeparation, .eph, .epv]
        let angles: [PointField] = [.course, .heading, .epc, .latitude, .longitude]
        let units = [
            (times, "utc gmt iso iso8601 unix epoch sec seconds ms millis milliseconds us ns"),
            (speeds, "ms mps kmh kph kmph kmhr mph kn kt kts knot knots ftmin fpm"),
            (lengths, "m meter meters metre metres ft feet"),
            (angles, "deg degree degrees"),
        ]
        let all = units.flatMap { fields, words in
            words.split(separator: " ").map { (unit: String($0), fields: fields) }
        }
        return Dictionary(grouping: all.sorted { $0.unit.count > $1.unit.count }) {
            $0.unit.utf8.last ?? 0
        }
    }()

    /// What stands before a name and says whose it is.
    private static let owners = ["gps", "gnss", "location", "position", "coords", "fix"]

    /// The names of gpslogger, gpsbabel's unicsv, Overland, OsmAnd, Traccar, OwnTracks, the loggers of Holux and QStarz, GPX.
    private static let names: [String: (field: PointField, doubt: Int, factor: Double)] = {
        var names: [String: (field: PointField, doubt: Int, factor: Double)] = [:]
        func add(_ field: PointField, _ words: String, doubt: Int = 1, factor: Double = 1) {
            for word in words.split(separator: " ") { names[String(word)] = (field, doubt, factor) }
        }
        // Those of this program that measure something, with something else between their words.
        for field in PointField.allCases {
            switch field {
            case .status, .flags, .segment, .id, .mode: break
            default: add(field, field.rawValue.filter { $0 != "_" })
            }
        }
        add(
            .time,
            """
            timestamp datetime utc utctime isotime utctimestamp utcdatetime recordedat occurredat \
            observedat capturedat measuredat loggedat tst ts epoch unix unixtime unixtimestamp \
            unixepoch epochtime epochtimestamp fixtime when iso8601 epochs
            """)
        // When it was told, by a clock that may be another's.
        add(.time, "devicetime localtime localdatetime devicetimestamp", doubt: 3)
        add(
            .time, "createdat servertime lastseen lastupdate lastupdated updatedat receivedat",
            doubt: 4)
        add(.time, "t", doubt: 5)
        add(.date, "date utcdate")
        add(.date, "localdate", doubt: 3)
        add(.latitude, "lat latitude")
        add(.latitude, "latitudens", doubt: 2)
        add(.latitude, "y", doubt: 5)
        add(.longitude, "lon longitude lng long")
        add(.longitude, "longitudeew", doubt: 2)
        add(.longitude, "x", doubt: 5)
        for (field, letters, words) in [
            (PointField.northSouth, "ns", "lat latitude"),
            (.eastWest, "ew", "lon lng long longitude"),
        ] {
            add(field, "\(letters) \(letters)indicator")
            for word in words.split(separator: " ") {
                for end in ["dir", "direction", "ref", "hemi", "hemisphere"] {
                    add(field, "\(word)\(end)")
                }
            }
        }
        add(.northSouth, "latns")
        add(.eastWest, "lonew lngew longew")
        add(
            .altitudeMSL,
            "elevation ele altitude alt height elev msl amsl altmsl altitudemsl altitudeamsl heightmsl"
        )
        add(
            .altitudeHAE,
            "hae heightellipsoid ellipsoidheight ellipsoidalheight althae altitudehae altitudewgs84 altitudeellipsoid"
        )
        add(.geoidSeparation, "geoidheight geoidsep geoidalseparation undulation")
        add(.speed, "speed velocity groundspeed spd speedoverground")
        add(.speed, "2dspeed 3dspeed", doubt: 2)
        for unit in ["kmh", "kmph", "kph", "mph", "knots", "mps"] {
            add(.speed, unit, doubt: 2, factor: factor(of: unit, for: .speed) ?? 1)
        }
        // Of ships: ITU-R M.1371 has speed over ground in knots.
        add(.speed, "sog", doubt: 2, factor: knot)
        add(.climb, "climb climbrate verticalspeed vspeed verticalvelocity")
        add(.course, "course bearing dir cog courseoverground direction azimuth")
        // A name as often.
        add(.course, "track", doubt: 2)
        add(.heading, "heading")
        add(.valid, "valid")
        add(.eph, "accuracy acc hacc haccuracy horizontalaccuracy accuracyhorizontal")
        add(.epv, "verticalaccuracy accuracyvertical vac vacc vaccuracy altitudeaccuracy")
        add(.eps, "speedaccuracy sacc")
        add(.epc, "courseaccuracy bearingaccuracy headingaccuracy")
        add(
            .satellitesUsed,
            "satellites sat sats numsatellites numsats satcount satellitecount nsat")
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
        if isCountingLogger(names) {
            for index in parts.indices where names[index].lowercased() == "speed" {
                parts[index]?.factor = 1 / 3.6
            }
        }
        // Beside a latitude, `LATITUDE N/S` is its letter; alone, the latitude with it.
        for (degrees, letter) in [
            (PointField.latitude, PointField.northSouth), (.longitude, .eastWest),
        ]
        where parts.contains(where: { $0?.field == degrees && $0?.doubt != 2 }) {
            for index in parts.indices where parts[index]?.field == degrees {
                if parts[index]?.doubt == 2 { parts[index] = PointPart(letter, doubt: 2) }
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

    /// Whether a table is of Columbus, Holux or QStarz, which count their records, drive in km/h and write the year
    /// first (gpsbabel, v900 and its kin).
    static func isCountingLogger(_ names: [String]) -> Bool {
        let lower = Set(names.map { $0.lowercased() })
        return lower.contains("index") && (lower.contains("tag") || lower.contains("rcr"))
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
            // The times of GeoJSON's coordinates, read as such.
            guard PointPart(named: name) == nil, !["coordTimes", "times"].contains(name) else {
                return false
            }
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
