public import Geodesy

/// How positions are corrected; the default changes nothing.
///
/// The order of the steps is fixed: declared system undone, datum, lever arm, fixed offset, heights.
public struct CorrectionSettings: Equatable, Sendable {
    /// The system the source's positions are in; never guessed from a position.
    public var system: CRS = .wgs84
    /// Where that system is shifted, for a source in ``CRS/gcj02`` or ``CRS/bd09``.
    public var policy: OffsetPolicy = .mainland
    /// The datum the source states.
    public var datum: Datum = .wgs84
    /// The datum of the corrected position.
    public var targetDatum: Datum = .wgs84
    /// Motion of a plate to be taken out, with the year to bring positions to.
    public var plateMotion: PlateMotion?
    /// A PROJ pipeline in place of the datums, longitude, latitude and height in degrees and metres; empty for none.
    public var pipeline = ""
    /// Where the antenna sits, from the point that matters: metres forward, to the right and up.
    public var antenna = BodyVector(forward: 0, right: 0, up: 0)
    /// The speed from which the course counts as the heading, m/s, when the receiver gives no heading.
    public var courseSpeedFloor = 1.0
    /// How long the last heading is held when there is none, seconds.
    public var headingHold = 600.0
    /// A fixed offset.
    public var offset: FixedOffset = .none
    /// Metres added to both heights.
    public var heightOffset = 0.0
    /// Writes both heights even when nothing else is corrected.
    public var completesHeights = false
    /// Where the geoid's height comes from when the receiver does not say.
    public var geoid: GeoidChoice = .automatic

    /// The settings that change nothing.
    public init() {}

    /// Whether a correction with these settings changes nothing.
    public var isIdentity: Bool {
        system == .wgs84 && datum == targetDatum && plateMotion == nil && pipeline.isEmpty
            && antenna.length == 0 && offset.isZero && heightOffset == 0 && !completesHeights
    }

    /// The settings as text: one `key=value` a line, in a fixed order, what has no effect left out.
    ///
    /// Equal texts correct equally, now and in later versions; a change of the arithmetic changes its first
    /// line. It is what the database keeps.
    public var canonicalText: String {
        var text = "correction 1\n"
        func line(_ key: String, _ value: String) { text += "\(key)=\(value)\n" }
        if system != .wgs84 {
            line("system", system.rawValue)
            line("regions", policy.text)
            if policy.heightTerm { line("height_term", "yes") }
        }
        if !pipeline.isEmpty {
            line("pipeline", pipeline)
        } else if datum != targetDatum {
            line("datum", datum.rawValue)
            line("target_datum", targetDatum.rawValue)
        }
        if let plateMotion { line("plate_motion", plateMotion.text) }
        if antenna.length != 0 {
            line("antenna", antenna.text)
            line("course_speed_floor", "\(courseSpeedFloor)")
            line("heading_hold", "\(headingHold)")
        }
        if !offset.isZero { line("offset", offset.text) }
        if heightOffset != 0 { line("height_offset", "\(heightOffset)") }
        if !isIdentity { line("geoid", geoid.text) }
        return text
    }
}

/// The motion of a plate and the year positions are brought to.
public struct PlateMotion: Equatable, Sendable {
    /// The plate.
    public var plate: Plate
    /// Decimal year.
    public var year: Double

    /// The motion of `plate` to or from `year`.
    public init(_ plate: Plate, year: Double) {
        self.plate = plate
        self.year = year
    }

    /// A plate and a year as `eurasia@2010.0`; `nil` when it is not one.
    public init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let plate = Plate(rawValue: parts[0].lowercased()),
            let year = Double(parts[1]), (1900...2200).contains(year)
        else { return nil }
        self.init(plate, year: year)
    }

    /// As ``init(_:)`` takes it.
    public var text: String { "\(plate.rawValue)@\(year)" }
}

/// An offset that is the same at every fix.
public enum FixedOffset: Equatable, Sendable {
    /// No offset.
    case none
    /// A straight vector in the local frame, metres.
    case metres(ENU)
    /// Degrees added to latitude and longitude.
    case degrees(latitude: Double, longitude: Double)

    /// `EAST NORTH [UP] m` or `LATITUDE LONGITUDE deg`; empty or `none` for none; `nil` for anything else.
    public init?(_ text: String) {
        var words = text.split(separator: " ")
        if words.isEmpty || text == "none" {
            self = .none
            return
        }
        let unit = words.removeLast()
        let numbers = words.compactMap { Double($0) }
        guard numbers.count == words.count, numbers.allSatisfy(\.isFinite) else { return nil }
        switch (unit, numbers.count) {
        case ("m", 2...3):
            // A hundred kilometres is no offset any more but a mistake.
            guard numbers.allSatisfy({ abs($0) <= 100_000 }) else { return nil }
            self = .metres(
                ENU(east: numbers[0], north: numbers[1], up: numbers.count == 3 ? numbers[2] : 0))
        case ("deg", 2):
            guard abs(numbers[0]) <= 180, abs(numbers[1]) <= 360 else { return nil }
            self = .degrees(latitude: numbers[0], longitude: numbers[1])
        default: return nil
        }
    }

    /// As ``init(_:)`` takes it.
    public var text: String {
        switch self {
        case .none: ""
        case .metres(let v): "\(v.east) \(v.north) \(v.up) m"
        case .degrees(let latitude, let longitude): "\(latitude) \(longitude) deg"
        }
    }

    var isZero: Bool {
        switch self {
        case .none: true
        case .metres(let v): v.length == 0
        case .degrees(let latitude, let longitude): latitude == 0 && longitude == 0
        }
    }
}

/// Where the geoid's height comes from when the receiver does not give it.
public enum GeoidChoice: Equatable, Sendable {
    /// The EGM96 grid where proj-data is installed, else the compiled-in table.
    case automatic
    /// The compiled-in table of whole degrees.
    case table
    /// The GTX file of that path.
    case grid(String)

    /// `auto`, `table` or a path; `nil` for anything else.
    public init?(_ text: String) {
        switch text.lowercased() {
        case "auto": self = .automatic
        case "table": self = .table
        default:
            guard text.hasPrefix("/") else { return nil }
            self = .grid(text)
        }
    }

    /// As ``init(_:)`` takes it.
    public var text: String {
        switch self {
        case .automatic: "auto"
        case .table: "table"
        case .grid(let path): path
        }
    }
}

extension BodyVector {
    /// `FORWARD RIGHT UP` in metres, each at most 1000; empty for none; `nil` for anything else.
    public init?(_ text: String) {
        let words = text.split(separator: " ")
        if words.isEmpty {
            self.init(forward: 0, right: 0, up: 0)
            return
        }
        let numbers = words.compactMap { Double($0) }.filter { abs($0) <= 1000 }
        guard words.count == 3, numbers.count == 3 else { return nil }
        self.init(forward: numbers[0], right: numbers[1], up: numbers[2])
    }

    /// As ``init(_:)`` takes it.
    public var text: String { "\(forward) \(right) \(up)" }
}
