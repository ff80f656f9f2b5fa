public import GNSS

/// Where positions come from and how good what comes is.
public struct SourceReport: Equatable, Sendable {
    /// `gpsd` or `replay`.
    public var kind = ""
    /// Address or file.
    public var name = ""
    /// A name of the receiver's source states, as `streaming`; `connected` or `ended` for a replay.
    public var state = ""
    /// Seconds in this state.
    public var stateAge: Double = 0
    /// What was read.
    public var counts = InputCounts()
    /// More for a person, as the system's reason; empty when there is nothing to add.
    public var detail: String?
    /// gpsd's release; `nil` before its greeting.
    public var release: String?
    /// The receivers that gpsd has.
    public var receivers: [SourceReceiver] = []

    /// Nothing known.
    public init() {}

    /// What a person should look at when a third or more of what comes is bad; `nil` when it is fine.
    public var inputQuality: String? {
        // Floating point: a report from outside may hold any number.
        let kinds = [
            counts.badChecksum, counts.missingChecksum, counts.malformed, counts.overlong,
        ]
        let bad = kinds.reduce(0.0) { $0 + Double($1) }
        guard counts.lines >= 30, bad * 3 >= Double(counts.lines) else { return nil }
        let share = Int(min(100, bad / Double(counts.lines) * 100))
        if Double(counts.missingChecksum) * 2 > bad {
            return "\(share) % of sentences lack a checksum: a setting admits them"
        }
        return "\(share) % of sentences are damaged: check cable, baud rate and serial overruns"
    }
}

/// What the receiver is told to do.
public struct ReceiverReport: Equatable, Sendable {
    /// A phase of the duty cycle, as `acquiring`.
    public var state = ""
    /// Seconds in this state; `nil` when it was never told anything.
    public var stateAge: Double?
    /// The policy in force, as `continuous`.
    public var policy = ""
    /// Seconds until it is switched on; `nil` when it is on or nothing is planned.
    public var nextWake: Double?
    /// What switches it off and on, as `hexdata`; `nil` for a replay.
    public var lever: String?
    /// Whether the lever was seen to work, as `verified`.
    public var leverState: String?
    /// What being off saves, in words.
    public var saving: String?

    /// Nothing known.
    public init() {}
}

/// How the machine is supplied.
public struct SupplyReport: Equatable, Sendable {
    /// Whether it runs on something else than its battery; `nil` when nothing tells.
    public var isExternal: Bool?
    /// What is left in its battery, percent; `nil` when it has none.
    public var battery: Double?

    /// Nothing known.
    public init() {}
}

/// One fix with its verdict, and how safe it is.
public struct FixReport: Equatable, Sendable {
    /// The fix; `nil` when it was read and its coordinates were withheld.
    public var fix: Fix?
    /// Where the correction puts it, degrees; `nil` without a correction.
    public var correctedLatitude: Double?
    /// Where the correction puts it, degrees; `nil` without a correction.
    public var correctedLongitude: Double?
    /// Whether coordinates, height, speed and course are withheld from this client.
    public var isWithheld = false
    /// The verdict and the notes.
    public var flags = FixFlags()
    /// Its row in the database; `nil` when it is not recorded (yet).
    public var sequence: Int64?
    /// Whether it is on the disk.
    public var isDurable = false
    /// Seconds since the daemon saw it.
    public var age: Double = 0

    /// Nothing known.
    public init() {}
}

/// Fixes by verdict.
public struct VerdictCounts: Equatable, Sendable {
    /// Fixes that belong to the clean track.
    public var kept: Int64 = 0
    /// Rejected fixes by the one reason each is counted under.
    public var rejected = RejectionCounts()

    /// No fixes.
    public init() {}

    /// Counts one fix by its flags.
    public mutating func count(_ flags: FixFlags) {
        if let reason = flags.reason {
            rejected[reason] = (rejected[reason] ?? 0) + 1
        } else {
            kept += 1
        }
    }

    /// Fixes rejected for any reason.
    public var totalRejected: Int64 {
        // A report from outside may hold any number.
        rejected.counts.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    }
}

/// Rejected fixes by reason.
///
/// Not a dictionary: looking up that a key is hashable is a tenth of what `tracklog status` takes.
public struct RejectionCounts: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    /// By the bit of the reason.
    fileprivate var counts = [Int64](repeating: 0, count: FixFlags.RawValue.bitWidth)

    /// None.
    public init() {}

    /// Counts by reason.
    public init(dictionaryLiteral counts: (FixFlags, Int64)...) {
        for (reason, count) in counts { self[reason] = count }
    }

    /// How many were rejected for one reason; `nil` when none was.
    public subscript(reason: FixFlags) -> Int64? {
        get {
            let bit = reason.rawValue.trailingZeroBitCount
            return bit < counts.count && counts[bit] != 0 ? counts[bit] : nil
        }
        set {
            let bit = reason.rawValue.trailingZeroBitCount
            if bit < counts.count { counts[bit] = newValue ?? 0 }
        }
    }
}

/// Where in the track the daemon is.
public struct TrackReport: Equatable, Sendable {
    /// The segment being recorded; 0 before the first.
    public var segment: Int32 = 0
    /// Why no fixes are being kept now; `nil` while they are.
    public var gap: String?
    /// Seconds since the last kept fix; `nil` while fixes are kept.
    public var gapAge: Double?
    /// Seconds for which that has been the reason.
    public var gapReasonAge: Double?

    /// Nothing recorded.
    public init() {}
}

/// The database.
public struct StoreReport: Equatable, Sendable {
    /// Its file.
    public var path = ""
    /// Its name, made by chance with it: with a sequence it names a fix for ever; `nil` while it cannot be read.
    public var id: String?
    /// `ok`, or what is wrong, in words.
    public var state = ""
    /// Size of the file with its journal, bytes.
    public var bytes: Int64 = 0
    /// Size of the journal alone, bytes.
    public var logBytes: Int64 = 0
    /// Fixes in it, kept or not.
    public var fixes: Int64 = 0
    /// The last sequence that is certain to be on the disk.
    public var durableSequence: Int64 = 0
    /// Seconds since the last commit; `nil` before the first.
    public var lastCommitAge: Double?
    /// Fixes that wait for the next commit.
    public var queue: Int64 = 0
    /// Fixes that were given up because the queue was full.
    public var dropped: Int64 = 0

    /// Nothing known.
    public init() {}
}

/// What happens next by itself.
public struct NextEvent: Equatable, Sendable {
    /// As `commit`.
    public var what = ""
    /// Seconds until then, at the earliest.
    public var due: Double = 0

    /// Nothing.
    public init() {}

    /// An event that many seconds from now.
    public init(_ what: String, due: Double) {
        self.what = what
        self.due = due
    }
}

/// The clients of the socket.
public struct ClientsReport: Equatable, Sendable {
    /// Connected now, the asking one included.
    public var connected: Int64 = 0
    /// Accepted since the start.
    public var accepted: Int64 = 0
    /// Turned away because there were too many.
    public var refused: Int64 = 0
    /// Cut because they did not read or did not ask.
    public var dropped: Int64 = 0

    /// None.
    public init() {}
}
