import Import

/// Known points of a file that lie between new ones, as those of a thinned track that was imported before the full one.
struct KnownBetween {
    typealias Item = (point: ImportedPoint, old: Int64)

    private var items: [Item] = []
    /// Whether the point before the held ones was a new one.
    private var followsNew = false
    /// Whether points may be held: at the beginning of a line, and behind a new one.
    private var isOpen = true
    private var lastWasNew = false

    /// More known points in a row than a track that was thinned by its shape has.
    private static let most = 64

    /// Whether one point is left behind the last new one.
    var endsInOne: Bool { followsNew && items.count == 1 }

    /// Takes note of a new point.
    mutating func recorded() {
        items.removeAll(keepingCapacity: true)
        (isOpen, lastWasNew, followsNew) = (true, true, false)
    }

    /// Holds a known one; `nil` stands for a row that is not to be replaced.
    mutating func pass(_ point: ImportedPoint, _ old: Int64?) {
        defer { lastWasNew = false }
        guard isOpen, let old, items.count < KnownBetween.most else {
            items.removeAll(keepingCapacity: true)
            (followsNew, isOpen) = (false, false)
            return
        }
        if items.isEmpty { followsNew = lastWasNew }
        items.append((point, old))
    }

    /// Those that go on among new ones; where a line begins with several, the way between them is known.
    mutating func take() -> [Item] {
        let taken = followsNew || items.count == 1 ? items : []
        items.removeAll(keepingCapacity: true)
        return taken
    }
}
