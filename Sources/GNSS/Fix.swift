/// One position solution at one epoch, in WGS 84 as the receiver gave it.
///
/// A field is `nil` when the receiver did not report it; NaN never leaves a codec.
public struct Fix: Equatable, Sendable {
    /// The UTC instant the solution is valid for, not when it arrived; `nil` while the date is unknown.
    public var time: UTCTime?
    /// Milliseconds since UTC midnight, kept when the date is unknown; 86,400,000 and more in a leap second.
    public var timeOfDay: Int32?
    /// Geodetic latitude, degrees north, -90 … 90.
    public var latitude: Double
    /// Longitude, degrees east, -180 … 180.
    public var longitude: Double
    /// Dimensions of the solution.
    public var mode: FixMode
    /// How the solution was made; `nil` when the receiver does not say.
    public var status: FixStatus?
    /// Height above mean sea level, metres.
    public var altitudeMSL: Double?
    /// Height above the WGS 84 ellipsoid, metres.
    public var altitudeHAE: Double?
    /// Height of the geoid above the ellipsoid, metres.
    public var geoidSeparation: Double?
    /// Speed over ground, m/s, ≥ 0.
    public var speed: Double?
    /// Course over ground, degrees from true north, 0 ≤ course < 360; `nil` at rest.
    public var course: Double?
    /// Vertical speed, m/s, positive upwards.
    public var climb: Double?
    /// Heading of the vehicle, degrees from true north, 0 ≤ heading < 360.
    public var heading: Double?
    /// Estimated errors.
    public var errors = ErrorEstimate()
    /// Dilution of precision.
    public var dop = DOP()
    /// Satellites in the solution.
    public var satellitesUsed: UInt8?
    /// Satellites in view, all constellations.
    public var satellitesSeen: UInt8?
    /// Facts about the decoding that a reader of the track may want.
    public var notes = FixFlags()
    /// How often 1024 weeks were added to the receiver's date; 0 when the date is as received.
    public var rolloverEras: Int8 = 0
    /// Index of the receiver among those of this source, by first appearance.
    public var device: UInt8 = 0

    /// A fix with a position and nothing else.
    @inlinable
    public init(time: UTCTime?, latitude: Double, longitude: Double, mode: FixMode) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.mode = mode
    }
}

/// Estimated errors of a fix at 95 %, as the receiver or gpsd gave them; `nil` when unknown, never 0.
public struct ErrorEstimate: Equatable, Sendable {
    /// Horizontal position (EPH), metres.
    public var eph: Double?
    /// Vertical position (EPV), metres.
    public var epv: Double?
    /// Speed (EPS), m/s.
    public var eps: Double?
    /// Course (EPC), degrees.
    public var epc: Double?
    /// Time (EPT), seconds.
    public var ept: Double?

    /// Nothing known.
    @inlinable
    public init() {}
}

/// Dilution of precision, dimensionless: how satellite geometry multiplies range errors.
///
/// It is not an accuracy.
public struct DOP: Equatable, Sendable {
    /// Horizontal.
    public var hdop: Double?
    /// Vertical.
    public var vdop: Double?
    /// Position (3D).
    public var pdop: Double?
    /// Time.
    public var tdop: Double?
    /// Geometric (position and time).
    public var gdop: Double?

    /// Nothing known.
    @inlinable
    public init() {}
}
