/// What a `watch` client wants to hear of.
public struct WatchKinds: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// The kinds of those bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Each fix, kept or rejected (notification `fix`).
    public static let fixes = WatchKinds(rawValue: 1)
    /// Changes of the source, the receiver and the store (notification `state`).
    public static let state = WatchKinds(rawValue: 2)
    /// Receiver cycles that ended (notification `cycle`).
    public static let cycles = WatchKinds(rawValue: 4)
    /// Segments, gaps and other events of the track (notification `event`).
    public static let events = WatchKinds(rawValue: 8)

    /// Everything.
    public static let all = WatchKinds(rawValue: 15)

    /// Each kind with its name.
    public static let names: [(kind: WatchKinds, name: String)] = [
        (.fixes, "fixes"), (.state, "state"), (.cycles, "cycles"), (.events, "events"),
    ]

    /// The names of the kinds that are set.
    public var names: [String] {
        WatchKinds.names.filter { contains($0.kind) }.map(\.name)
    }

    /// The kinds of that name; `nil` when there is none.
    public init?(name: String) {
        guard let entry = WatchKinds.names.first(where: { $0.name == name }) else { return nil }
        self = entry.kind
    }
}
