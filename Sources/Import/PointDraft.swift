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
    /// Signs that stand beside the degrees.
    private var isSouth = false
    private var isWest = false

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
        fix.latitude = isSouth ? -latitude.magnitude : latitude
        fix.longitude = isWest ? -longitude.magnitude : longitude
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
        try set(.own(field), text, sink, line)
    }

    /// Sets a part by its text; empty text says nothing.
    mutating func set(
        _ part: PointPart, _ text: some StringProtocol, _ sink: PointSink, _ line: Int
    ) throws(ImportError) {
        guard !text.isEmpty else { return }
        switch part.field {
        case .time: time = try sink.time(text, line)
        case .status: fix.status = FixStatus.allCases.first { $0.name == text }
        case .mode: mode = PointDraft.mode(of: text)
        case .valid:
            if ["false", "0", "no", "v", "invalid", "no fix"].contains(text.lowercased()) {
                mode = FixMode.none
            }
        case .northSouth: isSouth = try PointDraft.isNegative(text, "NS", part, line)
        case .eastWest: isWest = try PointDraft.isNegative(text, "EW", part, line)
        // Other programs have ids of their own kinds.
        case .id: id = FixID(text)
        case .flags:
            let words = text.split { " ,|".contains($0) }.map { String($0) }
            flags = FixFlags.names.filter { words.contains($0.name) }
                .reduce(into: FixFlags()) { $0.formUnion($1.flag) }
        default:
            if let (number, factor) = PointDraft.number(text, part) {
                try set(part.field, number * factor, line)
            } else if part.isOwn || part.field == .latitude || part.field == .longitude {
                throw ImportError(line: line, message: "\(part.field.rawValue) is no number")
            }
        }
    }

    /// A number, alone or with its unit behind it, as `10.0 kn` and `48.1N`, and what it is multiplied by.
    private static func number(
        _ text: some StringProtocol, _ part: PointPart
    ) -> (Double, Double)? {
        if let number = NumberField.parse(text) { return (number, part.factor) }
        guard text.utf8.count <= 32 else { return nil }
        if part.field == .latitude || part.field == .longitude {
            return NumberField.angle(text, part.field == .latitude ? "NS" : "EW").map { ($0, 1) }
        }
        let digits = text.prefix { "+-.0123456789".contains($0) }
        let unit = text.dropFirst(digits.count).lowercased().filter { $0 != " " }
        guard let number = NumberField.parse(digits),
            let factor = PointPart.factor(of: unit, for: part.field)
        else { return nil }
        return (number, factor)
    }

    /// Whether a letter beside degrees makes them negative.
    private static func isNegative(
        _ text: some StringProtocol, _ letters: String, _ part: PointPart, _ line: Int
    ) throws(ImportError) -> Bool {
        // A column `ns` may hold nanoseconds.
        guard let first = text.uppercased().first, first.isLetter else { return false }
        guard let place = letters.firstIndex(of: first) else {
            throw ImportError(
                line: line,
                message:
                    "\(part.field == .northSouth ? "north or south" : "east or west") is neither")
        }
        return place > letters.startIndex
    }

    /// Sets a part that is a number.
    mutating func set(
        _ field: PointField, _ number: Double, _ line: Int
    ) throws(ImportError) {
        guard number.isFinite, number.magnitude < 1e12 || field == .time else {
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
        case .valid: if number == 0 { mode = FixMode.none }
        case .status, .flags, .segment, .date, .id, .northSouth, .eastWest: break
        }
    }

    private static func mode(of text: some StringProtocol) -> FixMode? {
        switch text.lowercased() {
        case "0", "1", "none": FixMode.none
        case "2", "2d": .twoD
        case "3", "3d": .threeD
        // Of something else, as `driving`.
        default: nil
        }
    }

    /// Degrees from 0 up to 360; 360 itself is 0, what is beyond is no angle.
    private static func angle(_ degrees: Double) -> Double? {
        guard degrees >= 0, degrees <= 360 else { return nil }
        return degrees == 360 ? 0 : degrees
    }
}
