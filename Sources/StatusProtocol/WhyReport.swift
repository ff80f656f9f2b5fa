public import GNSS
public import JSON

/// The result of `why`.
public struct WhyReport: Equatable, Sendable {
    /// One reason.
    public struct Reason: Equatable, Sendable {
        /// A name of ``GapReason``, as `asleep`.
        public var reason = ""
        /// Since when; `nil` when that is not known.
        public var begin: UTCTime?
        /// Until when; `nil` when that is not known, or it lasts.
        public var end: UTCTime?
        /// More, as the flag that rejected fixes.
        public var detail: String?
        /// How many fixes were rejected so.
        public var count: Int64?

        /// No reason.
        public init() {}
    }

    /// The time that was asked about.
    public var time: UTCTime?
    /// Whether it lies within an unbroken run of fixes.
    public var isRecorded = false
    /// Every reason in the order they began; none when it is recorded.
    public var reasons: [Reason] = []
    /// The last kept fix up to then.
    public var before: Neighbour?
    /// The first kept fix from then on.
    public var after: Neighbour?

    /// A fix beside the time, without its place.
    public struct Neighbour: Equatable, Sendable {
        /// Its row in the database.
        public var sequence: Int64 = 0
        /// When it is valid.
        public var time: UTCTime?
        /// Seconds between it and the time asked about.
        public var away: Double?

        /// No fix.
        public init() {}
    }

    /// Nothing known.
    public init() {}

    /// Reads the result of `why`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(WhyReport.self, from: value, at: "why")
    }
}

extension WhyReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.time("time", &time, "The time that was asked about.")
        visitor.flag("recorded", &isRecorded, "Whether it lies in an unbroken run of fixes.")
        visitor.list(
            "reasons", &reasons, "Every reason, in the order they began; none when recorded.")
        visitor.report("before", &before, "The last kept fix up to then; absent when none.")
        visitor.report("after", &after, "The first kept fix from then on; absent when none.")
    }
}

extension WhyReport.Reason: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text(
            "reason", &reason,
            "asleep, no_sky, rejected, source_lost, not_running, paused or another name of a gap.")
        visitor.time("begin", &begin, "Since when; absent when not known.")
        visitor.time("end", &end, "Until when; absent when not known, or while it lasts.")
        visitor.text("detail", &detail, "More, as the flag that rejected; absent when none.")
        visitor.integer("count", &count, nil, "How many fixes were rejected so.")
    }
}

extension WhyReport.Neighbour: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer("sequence", &sequence, nil, "Row in the database.")
        visitor.time("time", &time, "When it is valid.")
        visitor.number("away", &away, "s", "Time between it and the one asked about.")
    }
}

extension TextBuffer {
    /// Appends the result of `why`.
    public mutating func append(_ report: WhyReport) {
        FieldWriter.append(report, to: &self)
    }
}

extension Method {
    /// What happened at a time.
    public static let why = Method(
        "why", "Says whether there is a point at a time, and if not, every reason in order.",
        parameters: [
            Parameter("time", .time, unit: "RFC 3339", required: true, "The time to look at.")
        ],
        resultSchema: { FieldSchema.append(WhyReport(), to: &$0) })
}
