/// What the decoder and the quality stage say about one fix.
///
/// A flag in ``rejecting`` takes the fix out of the clean track, distances and "last position"; it is stored
/// all the same. The others are notes. The bit of a flag is written to databases: never renumber one.
public struct FixFlags: OptionSet, Hashable, Sendable {
    /// The bits as written to databases.
    public let rawValue: UInt32

    /// The flags of those bits.
    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    // Rejecting, in the order in which one is named as the reason.

    /// No position, or a mode below what the settings ask.
    public static let noFix = FixFlags(rawValue: 1 << 0)
    /// The same receiver gave this time already.
    public static let duplicateEpoch = FixFlags(rawValue: 1 << 1)
    /// The time lies ahead of any clock that is trusted.
    public static let futureTime = FixFlags(rawValue: 1 << 2)
    /// The time lies before the receiver could have been built, or the date was not agreed on yet.
    public static let untrustedTime = FixFlags(rawValue: 1 << 3)
    /// Older than fixes already recorded by more than the settings allow; an old fix repeated.
    public static let staleTime = FixFlags(rawValue: 1 << 4)
    /// At 0° 0° with poor quality or after a jump.
    public static let nullIsland = FixFlags(rawValue: 1 << 5)
    /// Dead reckoning, surveyed or simulated: not measured at this epoch.
    public static let estimated = FixFlags(rawValue: 1 << 6)
    /// Estimated error or DOP over the limit.
    public static let lowAccuracy = FixFlags(rawValue: 1 << 7)
    /// Too far from its neighbours for the time between them and for its own Doppler speed.
    public static let outlier = FixFlags(rawValue: 1 << 8)
    /// A better fix of the same acquisition stands for its interval.
    public static let passedOver = FixFlags(rawValue: 1 << 9)

    // Notes: the position is good.

    /// 1024 weeks were added once or more to the receiver's date.
    public static let rolloverFixed = FixFlags(rawValue: 1 << 16)
    /// The date was not in the log yet and was filled in from later.
    public static let dateBackfilled = FixFlags(rawValue: 1 << 17)
    /// The time was second 60.
    public static let leapSecond = FixFlags(rawValue: 1 << 18)
    /// The receiver gave no time; it is the host's.
    public static let timeFromHost = FixFlags(rawValue: 1 << 19)
    /// The receiver's time stepped against the host's since the fix before.
    public static let timeStep = FixFlags(rawValue: 1 << 20)
    /// Sentences of one epoch contradict each other.
    public static let conflict = FixFlags(rawValue: 1 << 21)
    /// The speed does not fit the change of position.
    public static let speedSuspect = FixFlags(rawValue: 1 << 22)
    /// Valid for an earlier time than the fix before.
    public static let outOfOrder = FixFlags(rawValue: 1 << 23)
    /// The receiver declared another datum than WGS 84 (DTM).
    public static let otherDatum = FixFlags(rawValue: 1 << 24)

    /// The declared map system has two answers this close to a region's border; the shifted one was taken.
    public static let boundaryAmbiguous = FixFlags(rawValue: 1 << 25)
    /// The antenna's lever arm was turned by a heading from before.
    public static let leverArmHeld = FixFlags(rawValue: 1 << 26)
    /// The antenna's lever arm was left out for want of a heading.
    public static let leverArmSkipped = FixFlags(rawValue: 1 << 27)
    /// A step of the correction was left out: a datum that moves and no date, or a place off the earth.
    public static let correctionPartial = FixFlags(rawValue: 1 << 28)

    /// The position does not follow from the track before it, which it overrules: no way led here.
    public static let positionStep = FixFlags(rawValue: 1 << 29)

    /// Made up between two fixes for an export or a sum; never stored.
    public static let interpolated = FixFlags(rawValue: 1 << 30)

    /// The flags that take a fix out of the clean track.
    public static let rejecting = FixFlags(rawValue: 0xFFFF)

    /// Whether the fix belongs to the clean track.
    @inlinable
    public var isKept: Bool {
        rawValue & FixFlags.rejecting.rawValue == 0
    }

    /// The one reason a rejected fix is counted under: its lowest rejecting flag; `nil` when kept.
    @inlinable
    public var reason: FixFlags? {
        let bits = rawValue & FixFlags.rejecting.rawValue
        return bits == 0 ? nil : FixFlags(rawValue: 1 << UInt32(bits.trailingZeroBitCount))
    }

    /// Each flag with its name in JSON, SQL and on the screen, in the order of the bits.
    public static let names: [(flag: FixFlags, name: String)] = [
        (.noFix, "no_fix"), (.duplicateEpoch, "duplicate_epoch"), (.futureTime, "future_time"),
        (.untrustedTime, "untrusted_time"), (.staleTime, "stale_time"),
        (.nullIsland, "null_island"), (.estimated, "estimated"),
        (.lowAccuracy, "low_accuracy"), (.outlier, "outlier"),
        (.passedOver, "passed_over"),
        (.rolloverFixed, "rollover_fixed"), (.dateBackfilled, "date_backfilled"),
        (.leapSecond, "leap_second"), (.timeFromHost, "time_from_host"),
        (.timeStep, "time_step"), (.conflict, "conflict"), (.speedSuspect, "speed_suspect"),
        (.outOfOrder, "out_of_order"), (.otherDatum, "other_datum"),
        (.boundaryAmbiguous, "boundary_ambiguous"), (.leverArmHeld, "lever_arm_held"),
        (.leverArmSkipped, "lever_arm_skipped"), (.correctionPartial, "correction_partial"),
        (.positionStep, "position_step"), (.interpolated, "interpolated"),
    ]

    /// The names of the flags that are set, lowest bit first.
    public var names: [String] {
        FixFlags.names.filter { contains($0.flag) }.map(\.name)
    }
}
