import Configuration
import GNSS
import Platform
import Scheduling
import Storage

/// Keeps the database within its limits, a small step at a time between the fixes.
///
/// It has no timer of its own while there is nothing to do: it looks after a commit, once an hour.
final class Housekeeper {
    /// The limits in force.
    var limits: Retention {
        didSet { if limits != oldValue { next = nil } }
    }

    private let store: TrackStore
    private let loop: any Loop
    private let journal: Journal
    /// The time that ages count from; `nil` while no clock can be trusted.
    private let present: () -> UTCTime?
    /// When it looks again; `nil` for the next commit.
    private var next: BootTime?
    private var timer: TimerID?
    private var removed: Int64 = 0

    private static let every = TimeSpan.seconds(3600)
    /// After a failure, as of a disk that is full.
    private static let again = TimeSpan.seconds(60)
    /// Between two steps, so that fixes and clients have their turn.
    private static let pause = TimeSpan.milliseconds(50)

    init(
        _ limits: Retention, _ store: TrackStore, on loop: any Loop, _ journal: Journal,
        present: @escaping () -> UTCTime?
    ) {
        self.limits = limits
        self.store = store
        self.loop = loop
        self.journal = journal
        self.present = present
    }

    deinit {
        if let timer { loop.cancel(timer) }
    }

    /// Takes note of a commit: the medium is awake, and nothing waits to be written.
    func committed() {
        guard limits.asksForAnything, timer == nil, next.map({ loop.now >= $0 }) ?? true else {
            return
        }
        schedule()
    }

    /// Looks after the next commit, whatever the time: there is little room.
    func hurry() {
        next = nil
    }

    private func schedule() {
        timer = loop.schedule(loop.now + Housekeeper.pause, slack: Housekeeper.pause) {
            [unowned self] in
            timer = nil
            step()
        }
    }

    private func step() {
        do throws(StoreError) {
            let step = try store.keep(limits, present: present(), now: SystemClock.wall)
            removed += step.removed
            guard step.isDone else { return schedule() }
        } catch {
            // The store is tried again by the next commit, and this after it.
            journal.write(.warning, "old fixes not removed", ["reason": "\(error)"])
            next = loop.now + Housekeeper.again
            return
        }
        next = loop.now + Housekeeper.every
        guard removed > 0 else { return }
        journal.write(.info, "old fixes removed", ["fixes": "\(removed)"])
        removed = 0
    }
}

extension ServiceSettings {
    /// What is kept at most.
    static func retention(_ settings: Settings) -> Retention {
        var limits = Retention()
        limits.age = settings.store.keepFor?.milliseconds
        limits.rows = settings.store.keepRows.map(Int64.init)
        limits.bytes = settings.store.keepBytes
        limits.thinAge = settings.store.thinAfter?.milliseconds
        limits.sealAge = settings.store.sealAfter?.milliseconds
        limits.thinBound = settings.store.thinBound
        return limits
    }
}
