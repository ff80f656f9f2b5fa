/// One fix with everything the program decided about it, on its way to the store or back from it.
public struct RecordedFix: Equatable, Sendable {
    /// Recording order in the database, 1 for the first; 0 before it was stored.
    public var sequence: Int64 = 0
    /// The run of the daemon that recorded it.
    public var run: Int32 = 0
    /// The unbroken run of kept fixes it belongs to; 0 for a rejected one.
    public var segment: Int32 = 0
    /// The fix as received, in WGS 84.
    public var fix: Fix
    /// When the program saw it, milliseconds of CLOCK_BOOTTIME (virtual in a replay).
    public var receivedAt: Int64
    /// The decoder's notes and the quality stage's verdict.
    public var flags: FixFlags
    /// The corrected position, `nil` when no correction is configured.
    public var corrected: CorrectedPosition?
    /// The name it was given by the database it was imported from; `nil` for one that was recorded here.
    public var origin: FixID?

    /// A fix that was judged and not stored yet.
    public init(fix: Fix, receivedAt: Int64, flags: FixFlags) {
        self.fix = fix
        self.receivedAt = receivedAt
        self.flags = flags
    }
}

/// A position after the configured correction, with the correction that made it.
public struct CorrectedPosition: Equatable, Sendable {
    /// Degrees north, -90 … 90, in the correction's system.
    public var latitude: Double
    /// Degrees east, -180 … 180, in the correction's system.
    public var longitude: Double
    /// Height above mean sea level after the correction, metres.
    public var altitudeMSL: Double?
    /// Height above the ellipsoid after the correction, metres.
    public var altitudeHAE: Double?
    /// Which correction, the id of its row in the database.
    public var correction: Int32

    /// A corrected position.
    public init(
        latitude: Double, longitude: Double, altitudeMSL: Double? = nil,
        altitudeHAE: Double? = nil, correction: Int32
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitudeMSL = altitudeMSL
        self.altitudeHAE = altitudeHAE
        self.correction = correction
    }
}
