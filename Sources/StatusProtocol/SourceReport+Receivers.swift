/// A receiver that gpsd has.
public struct SourceReceiver: Equatable, Sendable {
    /// Its path as gpsd names it.
    public var path = ""
    /// What gpsd takes it for; `nil` until it was recognised.
    public var driver: String?
    /// Whether gpsd has it open.
    public var isActive = false
    /// Whether its fixes make the track.
    public var isChosen = false

    /// Nothing known.
    public init() {}
}

extension SourceReceiver: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("path", &path, "Its path as gpsd names it.")
        visitor.text("driver", &driver, "What gpsd takes it for; absent until it knows.")
        visitor.flag("active", &isActive, "Whether gpsd has it open.")
        visitor.flag("chosen", &isChosen, "Whether its fixes make the track.")
    }
}
