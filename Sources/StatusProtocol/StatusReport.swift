public import GNSS
public import JSON

/// What `status` answers: the daemon writes it, the tool reads it.
///
/// Ages and spans are seconds of CLOCK_BOOTTIME, right whatever the wall clock does. Members are added in
/// later versions, never changed; a reader passes over those it does not know.
public struct StatusReport: Equatable, Sendable {
    /// The version of the program.
    public var version = ""
    /// The process.
    public var pid: Int32 = 0
    /// Seconds since the daemon started.
    public var uptime: Double = 0
    /// The wall clock when this was written; `nil` while it is not trusted.
    public var time: UTCTime?
    /// Whether the time of day was proven.
    public var isClockTrusted = false
    /// Where positions come from.
    public var source = SourceReport()
    /// What the receiver is told to do.
    public var receiver = ReceiverReport()
    /// How the machine is supplied; `nil` when nothing tells.
    public var supply: SupplyReport?
    /// The last fix, kept or not; `nil` before the first.
    public var lastFix: FixReport?
    /// The satellites by system; `nil` while nothing is known of them.
    public var sky: SkySummary?
    /// Fixes since the start of the daemon by verdict.
    public var counts = VerdictCounts()
    /// That a person paused the recording; `nil` when nobody did.
    public var pause: PauseReport?
    /// Where in the track it is.
    public var track = TrackReport()
    /// The database; `nil` when nothing is recorded.
    public var store: StoreReport?
    /// What will happen next by itself; `nil` when nothing is planned.
    public var nextEvent: NextEvent?
    /// The clients of the socket.
    public var clients = ClientsReport()

    /// A report with nothing in it.
    public init() {}

    /// Reads the result of a `status` reply.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(StatusReport.self, from: value, at: "status")
    }
}

extension StatusReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("version", &version, "Version of the program.")
        visitor.integer("pid", &pid, nil, "Process id of the daemon.")
        visitor.number("uptime", &uptime, "s", "Time since the daemon started.")
        visitor.time("time", &time, "Wall clock; absent while it is not trusted.")
        visitor.flag("clock_trusted", &isClockTrusted, "Whether the time of day was proven.")
        visitor.report("source", &source, "Where positions come from.")
        visitor.report("receiver", &receiver, "What the receiver is told to do.")
        visitor.report("supply", &supply, "How the machine is supplied; absent when nothing tells.")
        visitor.report("fix", &lastFix, "The last fix; absent before the first.")
        visitor.report("sky", &sky, "The satellites by system; absent while nothing is known.")
        visitor.report("counts", &counts, "Fixes since the start of the daemon by verdict.")
        visitor.report("pause", &pause, "That a person paused the recording; absent otherwise.")
        visitor.report("track", &track, "Where in the track it is.")
        visitor.report("store", &store, "The database; absent when nothing is recorded.")
        visitor.report("next_event", &nextEvent, "What comes next; absent when nothing is planned.")
        visitor.report("clients", &clients, "The clients of this socket.")
    }
}
