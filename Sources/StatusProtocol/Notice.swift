public import GNSS

/// One notification of `watch`: its name, which kind brings it, what it says.
public struct Notice: Sendable {
    /// The method of the notification.
    public let name: String
    /// The kind to watch for it.
    public let kind: WatchKinds
    /// When it is sent, one sentence.
    public let summary: String
    private let schema: @Sendable (inout TextBuffer) -> Void

    private init(
        _ name: String, _ kind: WatchKinds, _ summary: String, _ report: some Report & Sendable
    ) {
        self.name = name
        self.kind = kind
        self.summary = summary
        schema = { FieldSchema.append(report, to: &$0) }
    }

    /// All there are.
    public static let all: [Notice] = [
        Notice("fix", .fixes, "Sent for each fix, kept or rejected.", FixReport()),
        Notice(
            "state", .state, "Sent first, and when source, receiver or store change.",
            StatusReport()),
        Notice("cycle", .cycles, "Sent when the receiver was switched off.", CycleReport()),
        Notice("event", .events, "Sent when a gap has ended or a segment begins.", EventReport()),
    ]

    /// Appends its description as one JSON object; its parameters are a JSON Schema.
    public func append(to buffer: inout TextBuffer) {
        buffer.append("{\"name\":")
        buffer.append(json: name)
        buffer.append(",\"kind\":")
        buffer.append(json: kind.names.joined())
        buffer.append(",\"summary\":")
        buffer.append(json: summary)
        buffer.append(",\"params\":")
        schema(&buffer)
        buffer.append("}")
    }
}
