/// How many dimensions a receiver's solution has.
///
/// The numbers are gpsd's (`MODE_NO_FIX` …, gps.h).
public enum FixMode: UInt8, Comparable, Sendable {
    /// No position.
    case none = 1
    /// Latitude and longitude.
    case twoD = 2
    /// Latitude, longitude and height.
    case threeD = 3

    /// Whether `a` has fewer dimensions than `b`.
    @inlinable
    public static func < (a: FixMode, b: FixMode) -> Bool {
        a.rawValue < b.rawValue
    }
}

/// How a solution was made.
///
/// The numbers are gpsd's (`STATUS_GPS` …, gps.h of 3.25).
public enum FixStatus: UInt8, CaseIterable, Sendable {
    /// Autonomous satellite solution.
    case gps = 1
    /// With differential or SBAS corrections.
    case dgps = 2
    /// Carrier phase, integer ambiguities fixed.
    case rtkFixed = 3
    /// Carrier phase, ambiguities not yet fixed.
    case rtkFloat = 4
    /// Carried forward without satellites.
    case deadReckoning = 5
    /// Satellites and dead reckoning together.
    case gnssDeadReckoning = 6
    /// A surveyed position that was entered, or by hand.
    case surveyed = 7
    /// Simulator mode.
    case simulated = 8
    /// Encrypted military code.
    case py = 9

    /// The name used in JSON, SQL and on the screen.
    public var name: String {
        switch self {
        case .gps: "gps"
        case .dgps: "dgps"
        case .rtkFixed: "rtk-fixed"
        case .rtkFloat: "rtk-float"
        case .deadReckoning: "dead-reckoning"
        case .gnssDeadReckoning: "gnss-dead-reckoning"
        case .surveyed: "surveyed"
        case .simulated: "simulated"
        case .py: "py"
        }
    }

    /// Whether the position was not measured at this epoch but carried forward, entered or made up.
    public var isEstimated: Bool {
        self == .deadReckoning || self == .simulated || self == .surveyed
    }
}
