import GNSS

/// A point as its parts come.
struct PointDraft {
    var latitude: Double?
    var longitude: Double?
    var time: UTCTime?
    var mode: FixMode?
    /// Everything else.
    var fix = Fix(time: nil, latitude: 0, longitude: 0, mode: .none)
    var flags: FixFlags?
    var id: FixID?

    /// The finished point.
    func point(_ line: Int) throws(ImportError) -> ImportedPoint {
        guard let latitude, let longitude else {
            throw ImportError(line: line, message: "a point without latitude or longitude")
        }
        guard latitude.magnitude <= 90 else {
            throw ImportError(line: line, message: "a latitude beyond 90 degrees")
        }
        guard longitude.magnitude <= 180 else {
            throw ImportError(line: line, message: "a longitude beyond 180 degrees")
        }
        var fix = fix
        fix.latitude = latitude
        fix.longitude = longitude
        fix.time = time
        if let separation = fix.geoidSeparation {
            if fix.altitudeHAE == nil { fix.altitudeHAE = fix.altitudeMSL.map { $0 + separation } }
        } else if let above = fix.altitudeHAE, let sea = fix.altitudeMSL {
            fix.geoidSeparation = above - sea
        }
        let hasHeight = fix.altitudeMSL != nil || fix.altitudeHAE != nil
        fix.mode = mode ?? (hasHeight ? .threeD : .twoD)
        var point = ImportedPoint(fix, flags: flags)
        point.id = id
        return point
    }

    /// Sets a part by its name and its text; empty text says nothing.
    mutating func set(
        _ field: PointField, _ text: some StringProtocol, _ sink: PointSink, _ line: Int
    ) throws(ImportError) {
        guard !text.isEmpty else { return }
        switch field {
        case .time: time = try sink.time(text, line)
        case .status: fix.status = FixStatus.allCases.first { $0.name == text }
        case .mode: mode = try mode(of: text, line)
        // Other programs have ids of their own kinds.
        case .id: id = FixID(text)
        case .flags:
            let words = text.split { " ,|".contains($0) }.map { String($0) }
            flags = FixFlags.names.filter { words.contains($0.name) }
                .reduce(into: FixFlags()) { $0.formUnion($1.flag) }
        default:
            guard let number = NumberField.parse(text) else {
                throw ImportError(line: line, message: "\(field.rawValue) is no number")
            }
            try set(field, number, line)
        }
    }

    /// Sets a part that is a number.
    mutating func set(
        _ field: PointField, _ number: Double, _ line: Int
    ) throws(ImportError) {
        guard number.isFinite, number.magnitude < 1e12 else {
            throw ImportError(line: line, message: "\(field.rawValue) is out of range")
        }
        switch field {
        case .latitude: latitude = number
        case .longitude: longitude = number
        case .altitudeMSL: fix.altitudeMSL = number
        case .altitudeHAE: fix.altitudeHAE = number
        case .geoidSeparation: fix.geoidSeparation = number
        // A negative speed, course or error is how phones say that they do not know.
        case .speed: fix.speed = number < 0 ? nil : number
        case .speedKMH: fix.speed = number < 0 ? nil : number / 3.6
        case .course: fix.course = PointDraft.angle(number)
        case .heading: fix.heading = PointDraft.angle(number)
        case .climb: fix.climb = number
        case .eph: fix.errors.eph = number > 0 ? number : nil
        case .epv: fix.errors.epv = number > 0 ? number : nil
        case .eps: fix.errors.eps = number > 0 ? number : nil
        case .epc: fix.errors.epc = number > 0 ? number : nil
        case .ept: fix.errors.ept = number > 0 ? number : nil
        case .hdop: fix.dop.hdop = number > 0 ? number : nil
        case .vdop: fix.dop.vdop = number > 0 ? number : nil
        case .pdop: fix.dop.pdop = number > 0 ? number : nil
        case .tdop: fix.dop.tdop = number > 0 ? number : nil
        case .gdop: fix.dop.gdop = number > 0 ? number : nil
        case .satellitesUsed: fix.satellitesUsed = UInt8(exactly: number)
        case .satellitesSeen: fix.satellitesSeen = UInt8(exactly: number)
        case .time: time = TimeField.instant(number)
        case .mode: mode = UInt8(exactly: number).flatMap { FixMode(rawValue: $0) }
        case .status, .flags, .segment, .date, .id: break
        }
    }

    private func mode(
        of text: some StringProtocol, _ line: Int
    ) throws(ImportError) -> FixMode? {
        switch text.lowercased() {
        case "0", "1", "none": return FixMode.none
        case "2", "2d": return .twoD
        case "3", "3d": return .threeD
        default: throw ImportError(line: line, message: "mode is none of 1, 2, 3, none, 2d, 3d")
        }
    }

    /// Degrees from 0 up to 360; 360 itself is 0, what is beyond is no angle.
    private static func angle(_ degrees: Double) -> Double? {
        guard degrees >= 0, degrees <= 360 else { return nil }
        return degrees == 360 ? 0 : degrees
    }
}

/// A part of a point, with the name it has in this program's own formats.
enum PointField: String, CaseIterable {
    case time
    case date
    case latitude = "lat"
    case longitude = "lon"
    case altitudeMSL = "alt_msl"
    case altitudeHAE = "alt_hae"
    case geoidSeparation = "geoid_separation"
    case speed
    case speedKMH = "speed_kmh"
    case course
    case climb
    case heading
    case mode
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

    /// The part that a column or member of that name holds.
    init?(named name: some StringProtocol) {
        let word = name.lowercased()
        if let field = PointField(rawValue: word) {
            self = field
            return
        }
        // The names of gpslogger, gpsbabel's unicsv, Overland, OsmAnd and GPX.
        switch word {
        case "t", "timestamp", "datetime", "date time", "date_time", "utc", "utc time", "isotime",
            "timestamp_ms", "recorded_at":
            self = .time
        case "latitude", "lat_deg", "y": self = .latitude
        case "longitude", "lng", "long", "lon_deg", "x": self = .longitude
        case "elevation", "ele", "altitude", "alt", "height": self = .altitudeMSL
        case "geoidheight", "geoid height": self = .geoidSeparation
        case "bearing", "track", "dir": self = .course
        case "accuracy", "acc", "horizontal_accuracy": self = .eph
        case "vertical_accuracy": self = .epv
        case "speed_accuracy": self = .eps
        case "course_accuracy": self = .epc
        case "speed (km/h)", "speed km/h", "velocity_kmh": self = .speedKMH
        case "velocity", "speed (m/s)": self = .speed
        case "satellites", "sat", "sats", "num_satellites": self = .satellitesUsed
        default: return nil
        }
    }

    /// How much a name means its part, 0 for most: this program's own, that of another, a letter.
    ///
    /// Beside `lon`, a column `x` is an axis of an accelerometer.
    private static func doubt(of name: some StringProtocol) -> Int {
        let word = name.lowercased()
        if PointField(rawValue: word) != nil { return 0 }
        return word.utf8.count == 1 ? 2 : 1
    }

    /// The part that each of some names holds: of several for one part the least doubtful, then the first.
    static func parts(of names: [String]) -> [PointField?] {
        var parts = names.map { PointField(named: $0) }
        // Few names say anything to us: the others cost nothing.
        let known = parts.indices.filter { parts[$0] != nil }
        let doubts = known.map { doubt(of: names[$0]) }
        let all = known.map { parts[$0] }
        for (place, index) in known.enumerated() {
            let isBeaten = known.indices.contains { other in
                all[other] == all[place]
                    && (doubts[other], other) < (doubts[place], place)
            }
            if isBeaten { parts[index] = nil }
        }
        return parts
    }
}

/// Numbers as files hold them.
enum NumberField {
    /// A finite decimal number; words and hexadecimal are none.
    static func parse(_ text: some StringProtocol) -> Double? {
        let allowed = text.utf8.allSatisfy {
            ($0 >= 48 && $0 <= 57) || [43, 45, 46, 69, 101].contains($0)
        }
        guard allowed, let number = Double(text), number.isFinite else { return nil }
        return number
    }
}

/// Times as files hold them.
enum TimeField {
    /// ISO 8601 with a space or `T` and `-` or `/` in the date, or a number of ``instant(_:)``.
    ///
    /// - Parameter last: the time before it in the file, which tells the two of an hour that is repeated.
    static func parse(
        _ text: some StringProtocol, _ zone: TrackImporter.ZoneOffset, after last: UTCTime? = nil
    ) -> UTCTime? {
        if let number = NumberField.parse(text) { return instant(number) }
        guard text.utf8.count <= 64 else { return nil }
        var word = String(text)
        if word.contains("/") {
            word = word.split(separator: "/", omittingEmptySubsequences: false)
                .joined(separator: "-")
        }
        if word.hasSuffix(" UTC") { word = word.dropLast(4) + "Z" }
        // With a zone of its own, adding another makes it unreadable.
        if let civil = UTCTime("\(word)Z") {
            return instant(civil, zone, after: last)
        }
        return UTCTime(word)
    }

    /// The instant of a civil time; where clocks are put back there are two, and time does not run backwards.
    private static func instant(
        _ civil: UTCTime, _ zone: TrackImporter.ZoneOffset, after last: UTCTime?
    ) -> UTCTime {
        func ahead(_ milliseconds: Int64) -> Int64 {
            zone(UTCTime(milliseconds: civil.milliseconds + milliseconds))
        }
        let (before, after) = (ahead(-86_400_000), ahead(86_400_000))
        let first = UTCTime(milliseconds: civil.milliseconds - before)
        let second = UTCTime(milliseconds: civil.milliseconds - after)
        guard before > after, zone(first) == before, zone(second) == after else {
            let near = UTCTime(milliseconds: civil.milliseconds - ahead(0))
            return UTCTime(milliseconds: civil.milliseconds - zone(near))
        }
        guard let last else { return first }
        return first >= last ? first : second
    }

    /// Seconds since 1970, or milliseconds, which are larger than any seconds of this millennium.
    static func instant(_ number: Double) -> UTCTime? {
        guard number.magnitude < 1e15 else { return nil }
        let milliseconds = number.magnitude >= 1e11 ? number : number * 1000
        return UTCTime(milliseconds: Int64(milliseconds.rounded()))
    }
}
