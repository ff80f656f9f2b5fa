import GNSS
import Platform
import Storage

/// Where the track on the disk ends.
extension Service {
    /// How the run before left off; `nil` where there was none, or where that cannot be read.
    static func leave(
        of store: TrackStore, after previous: RecordedFix?, _ journal: Journal
    ) -> Leave? {
        guard let previous else { return nil }
        do throws(StoreError) {
            try store.endHoles()
            return try store.leave(after: previous)
        } catch {
            journal.write(
                .warning,
                "how the last run ended cannot be read, the hole since counts as not running",
                ["reason": "\(error)"])
            return nil
        }
    }

    /// Takes note after a commit of what the last fix on the disk is: none that went with a lost database.
    func noteDurable() {
        if let latest = pipeline.latest, latest.sequence > 0,
            latest.sequence <= store.durableSequence
        {
            lastDurable = latest
        } else if let last = lastDurable, last.sequence > store.durableSequence {
            lastDurable = nil
        }
    }
}
