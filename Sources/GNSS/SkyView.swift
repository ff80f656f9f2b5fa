/// A satellite navigation system.
public enum Constellation: UInt8, CaseIterable, Sendable {
    // The numbers are u-blox's and gpsd's gnssid (gpsd_json, "SKY").
    case gps = 0
    case sbas = 1
    case galileo = 2
    case beidou = 3
    case imes = 4
    case qzss = 5
    case glonass = 6
    case navic = 7

    /// The name used in JSON and on the screen.
    public var name: String {
        switch self {
        case .gps: "gps"
        case .sbas: "sbas"
        case .galileo: "galileo"
        case .beidou: "beidou"
        case .imes: "imes"
        case .qzss: "qzss"
        case .glonass: "glonass"
        case .navic: "navic"
        }
    }
}

/// One satellite as the receiver sees it.
public struct Satellite: Equatable, Sendable {
    /// Its system; `nil` when the receiver's numbering does not tell.
    public var constellation: Constellation?
    /// The receiver's number for it (PRN or NMEA id).
    public var prn: Int16
    /// Degrees above the horizon, -90 … 90.
    public var elevation: Double?
    /// Degrees from true north, 0 ≤ azimuth < 360.
    public var azimuth: Double?
    /// Carrier to noise density, dB-Hz.
    public var signal: Double?
    /// Whether the solution uses it.
    public var used: Bool

    /// A satellite.
    public init(
        constellation: Constellation?, prn: Int16, elevation: Double?, azimuth: Double?,
        signal: Double?, used: Bool
    ) {
        self.constellation = constellation
        self.prn = prn
        self.elevation = elevation
        self.azimuth = azimuth
        self.signal = signal
        self.used = used
    }
}

/// The satellites in view at one moment.
public struct SkyView: Equatable, Sendable {
    /// When; `nil` when the receiver does not say.
    public var time: UTCTime?
    /// At most ``limit`` satellites.
    public var satellites: [Satellite] = []
    /// Dilution of precision that came with them.
    public var dop = DOP()
    /// Jamming as the receiver sees it, from 0, none, to 255, severe; `nil` when it does not say.
    public var jamming: UInt8?
    /// The antenna: 1 well, 2 open, 3 shorted; `nil` when the receiver does not say.
    ///
    /// The numbers are gpsd's (gps.h of 3.26, `ANT_OK` and on).
    public var antenna: UInt8?
    /// Index of the receiver among those of this source.
    public var device: UInt8 = 0

    /// More than every system in orbit shows at once (gpsd's MAXCHANNELS is 140); the rest is cut.
    public static let limit = 140

    /// Nothing in view.
    public init() {}
}
