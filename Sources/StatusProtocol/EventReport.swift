public import GNSS
public import JSON

/// Something that happened to the track: the parameters of the notification `event`.
public struct EventReport: Equatable, Sendable {
    /// As `gap` or `segment`.
    public var event = ""
    /// Why, for a gap.
    public var reason: String?
    /// How long it lasted, seconds, for a gap.
    public var duration: Double?
    /// The segment that began.
    public var segment: Int32?

    /// Nothing.
    public init() {}

    /// A gap that has ended.
    public init(_ gap: Gap) {
        event = "gap"
        reason = gap.reason.name
        duration = Double(gap.duration) / 1000
    }

    /// A segment that has begun.
    public init(segment: Int32) {
        event = "segment"
        self.segment = segment
    }

    /// Reads the parameters of a notification.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(EventReport.self, from: value, at: "event")
    }
}

extension EventReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("event", &event, "gap or segment.")
        visitor.text("reason", &reason, "Why there were no fixes; for a gap.")
        visitor.number("duration", &duration, "s", "How long it lasted; for a gap.")
        visitor.integer("segment", &segment, nil, "The segment that began; for a segment.")
    }
}
