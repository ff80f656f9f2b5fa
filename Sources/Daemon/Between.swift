import GNSS
import Storage
import Tracking

/// Known fixes that lie between new ones, as those of a thinned log that was taken before the full one.
///
/// A few of them in a row are held until it is known whether new ones follow; after more the track is that of the
/// earlier run.
struct Between {
    typealias Item = (record: RecordedFix, sequence: Int64, step: TrackStep)

    private var items: [Item] = []
    /// Whether the fix before the held ones was a new one.
    private(set) var followsNew = false
    /// Whether fixes may be held: at the beginning, and behind a new one.
    private var isOpen = true
    private var lastWasNew = false
    /// The last known fix before the new ones: a hole behind it may be filled.
    var hole: Int64?

    /// More known fixes in a row than a track that was thinned by its shape has.
    private static let most = 64

    var isEmpty: Bool { items.isEmpty }
    var count: Int { items.count }

    /// Takes note of a new fix of the clean track.
    mutating func recorded() {
        items.removeAll(keepingCapacity: true)
        (isOpen, lastWasNew, followsNew) = (true, true, false)
    }

    /// Holds a known one.
    mutating func pass(
        _ record: RecordedFix, _ sequence: Int64, _ step: TrackStep, isReplaced: Bool
    ) {
        if step.beganSegment {
            clear()
            isOpen = true
        }
        if isReplaced || sequence <= 0 || items.count >= Between.most {
            clear()
            isOpen = false
        }
        defer { lastWasNew = false }
        guard isOpen else { return }
        if items.isEmpty { followsNew = lastWasNew }
        items.append((record, sequence, step))
    }

    mutating func clear() {
        items.removeAll(keepingCapacity: true)
        (followsNew, lastWasNew) = (false, false)
    }

    mutating func take() -> [Item] {
        let taken = items
        clear()
        return taken
    }
}
