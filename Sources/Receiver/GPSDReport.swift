/// What gpsd says about itself and its devices, beside the measurements.
public enum GPSDReport: Equatable, Sendable {
    /// The greeting: release as `3.22`, protocol as 3 and 14.
    case version(release: String, major: Int, minor: Int)
    /// All devices it has.
    case devices([GPSDDevice])
    /// One device has come, has gone, or was recognised.
    case device(GPSDDevice)
    /// The answer to `?WATCH`: whether reports will come.
    case watch(enabled: Bool)
    /// A request was refused; the text is gpsd's.
    case error(String)
}

/// A receiver as gpsd names it.
public struct GPSDDevice: Equatable, Sendable {
    /// The path gpsd opened, as `/dev/ttyACM0`; a host and port for a network source.
    public var path: String
    /// Whether gpsd has it open.
    public var isActive: Bool
    /// The driver, as `NMEA0183` or `u-blox`; `nil` until the receiver was recognised.
    public var driver: String?
    /// What the driver knows of the model.
    public var subtype: String?
    /// Bits per second of the line.
    public var speed: Int?
    /// Seconds between reports.
    public var cycle: Double?
    /// Whether gpsd may not write to it (`-b`); from 3.23 on.
    public var isReadOnly = false

    /// A device of which the path is known.
    public init(path: String, isActive: Bool) {
        self.path = path
        self.isActive = isActive
    }
}

/// Why the libgps that was found at run time cannot be used.
public struct GPSDLibraryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The API of the header the program was built with, as `11.0`.
    public let header: String
    /// Whether a libgps was found at all.
    public let isFound: Bool

    /// One line that says what to do.
    public var description: String {
        guard isFound else {
            return "libgps, which reads gpsd's reports, is not installed"
                + " (Debian 12 has it in libgps28, Debian 13 in libgps30)"
        }
        return "the libgps on this machine does not fit the one this program was built with"
            + " (gps.h API \(header)): rebuild it here, or install the package built for this release"
    }
}
