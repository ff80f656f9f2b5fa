public import GNSS

/// One start of the daemon, as it introduces itself to the store.
public struct Run: Equatable, Sendable {
    /// The kernel's boot id.
    public var bootID: String
    /// When it started, by the host's clock.
    public var started: UTCTime
    /// The same in milliseconds of CLOCK_BOOTTIME.
    public var startedBoot: Int64
    /// Where its fixes come from, as a person would say it.
    public var source: String
    /// Digest of the settings in force.
    public var configuration: String
    /// Version of the program.
    public var version: String

    /// A run that begins.
    public init(
        bootID: String, started: UTCTime, startedBoot: Int64, source: String,
        configuration: String, version: String
    ) {
        self.bootID = bootID
        self.started = started
        self.startedBoot = startedBoot
        self.source = source
        self.configuration = configuration
        self.version = version
    }
}

/// A run as read back.
public struct StoredRun: Equatable, Sendable {
    /// Its number in the database.
    public var id: Int32
    /// What it said of itself.
    public var run: Run
    /// How it ended: `stopped`, `interrupted`, …; `nil` while it runs.
    public var ended: String?
}

/// A log that was replayed into the database, and how far.
public struct StoredSource: Equatable, Sendable {
    /// Its number in the database.
    public var id: Int32
    /// Bytes taken up to the last commit.
    public var bytes: Int64
    /// Hash of those bytes.
    public var hash: UInt64
    /// Decoded fixes, kept or not, that those bytes gave and that are stored.
    public var fixes: Int64
}

/// An unbroken run of kept fixes, as read back.
public struct StoredSegment: Equatable, Sendable {
    /// Its number in the database.
    public var id: Int32
    /// Sequence of its first fix.
    public var first: Int64
    /// Sequence of its last fix; of the last one stored while it lasts.
    public var last: Int64
    /// Whether it lasts.
    public var isOpen: Bool
    /// Kept fixes in it.
    public var fixes: Int64
    /// Earliest time in it.
    public var begin: UTCTime?
    /// Latest time in it.
    public var end: UTCTime?
    /// The smallest box around it, by plain minimum and maximum of the degrees; `nil` when empty.
    public var bounds: StoredBounds?
}

/// Least and greatest latitude and longitude, degrees; a box across the antimeridian has its west above its east.
public struct StoredBounds: Equatable, Sendable {
    /// Least latitude.
    public var south: Double
    /// Least longitude.
    public var west: Double
    /// Greatest latitude.
    public var north: Double
    /// Greatest longitude.
    public var east: Double

    /// A box.
    public init(south: Double, west: Double, north: Double, east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// Whether a position lies inside or on the edge.
    public func contains(_ latitude: Double, _ longitude: Double) -> Bool {
        guard south <= latitude, latitude <= north else { return false }
        return west <= east
            ? west <= longitude && longitude <= east : west <= longitude || longitude <= east
    }
}

/// A receiver on-period, as read back.
public struct StoredCycle: Equatable, Sendable {
    /// Its number in the database.
    public var id: Int64
    /// The run it belongs to.
    public var run: Int32
    /// The period.
    public var cycle: Cycle
    /// When it began, as its fixes tell the time, or the host where they do not; `nil` without its run.
    public var time: UTCTime?
}

/// Fixes by verdict.
public struct FixCounts: Equatable, Sendable {
    /// Fixes in the clean track.
    public internal(set) var kept: Int64 = 0
    /// Rejected fixes by ``FixFlags/reason``, by the position of its bit.
    private var rejected = [Int64](repeating: 0, count: 16)

    /// None.
    public init() {}

    /// All fixes.
    public var total: Int64 {
        rejected.reduce(kept, +)
    }

    /// Rejected fixes counted under a reason.
    public subscript(reason: FixFlags) -> Int64 {
        let bit = reason.rawValue.trailingZeroBitCount
        return bit < 16 ? rejected[bit] : 0
    }

    /// The reasons that occurred with their counts, lowest bit first.
    public var reasons: [(reason: FixFlags, count: Int64)] {
        rejected.indices.filter { rejected[$0] != 0 }
            .map { (FixFlags(rawValue: 1 << UInt32($0)), rejected[$0]) }
    }

    mutating func add(_ flags: FixFlags, _ count: Int64 = 1) {
        guard let reason = flags.reason else {
            kept &+= count
            return
        }
        rejected[reason.rawValue.trailingZeroBitCount] &+= count
    }
}
