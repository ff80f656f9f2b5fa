public import GNSS
public import Scheduling

/// What the duty cycle is told.
public enum Fact: Equatable, Sendable {
    /// The program began; with the time of a trusted clock, when there is one.
    case started(UTCTime?)
    /// The time last asked for by ``Command/wake`` has come.
    case due
    /// The receiver or gpsd delivered something, whatever it was.
    case data
    /// The receiver reported and had no position; with the number of satellites heard, when it says.
    case noFix(heard: Int?)
    /// A judged fix.
    case fix(FixFact)
    /// It moves or rests, as a sensor tells or as the fixes show.
    case motion(isMoving: Bool, bySensor: Bool)
    /// Another program keeps the receiver on, or has let it go.
    case held(Bool)
    /// Somebody wants a fix now.
    case locate
    /// Somebody wants a fix now and waits for the best of a while, or nobody does any more.
    case awaited(Bool)
    /// Recording was paused or goes on.
    case paused(Bool)
    /// The source is gone.
    case sourceLost
    /// The source is there again.
    case sourceBack
    /// The program ends.
    case stopping
}

/// What the duty cycle needs to know of a fix.
public struct FixFact: Equatable, Sendable {
    /// Names the fix in ``Command/chosen``.
    public var sequence: Int64
    /// Whether it was kept and measured at its epoch; dead reckoning is not.
    public var isFresh: Bool
    /// Horizontal error at 95 %, metres: as the receiver says, or HDOP times 5 m; `nil` when unknown.
    public var accuracy: Double?
    /// Estimated horizontal error (EPH), metres, for the record; `nil` when the receiver gave none.
    public var eph: Double?
    /// When it is valid.
    public var time: UTCTime?
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Speed over ground, m/s.
    public var speed: Double?
    /// Course over ground, degrees.
    public var course: Double?

    /// The report on a judged fix.
    public init(_ fix: Fix, flags: FixFlags, sequence: Int64) {
        self.sequence = sequence
        isFresh = flags.isKept
        // 99.99 stands for a DOP that was not computed.
        accuracy = fix.errors.eph ?? fix.dop.hdop.flatMap { $0 < 99 ? $0 * 5 : nil }
        eph = fix.errors.eph
        time = fix.time
        latitude = fix.latitude
        longitude = fix.longitude
        speed = fix.speed
        course = fix.course
    }
}

/// What is to be done with the receiver.
public struct Command: Equatable, Sendable {
    /// Whether the receiver shall be on.
    public var isOn: Bool
    /// When to tell ``Fact/due``; replaces what was asked before, `nil` when nothing is due.
    public var wake: BootTime?
    /// The fix that stands for this interval, the best of its window.
    public var chosen: Int64?
    /// When it stood between the fix chosen before and this one, as a sensor tells.
    public var stood: ClosedRange<BootTime>?
    /// The on-period that has ended.
    public var ended: Cycle?

    /// Only that the receiver shall be on or off.
    public init(isOn: Bool) {
        self.isOn = isOn
    }
}
