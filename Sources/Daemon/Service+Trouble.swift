import Platform
import Scheduling
import Storage

/// What is said of a store that fails, and when it is tried again.
extension Service {
    /// Says what is to be known of the store before anything is recorded.
    func introduceStore() {
        for remark in store.remarks { journal.write(.warning, remark) }
        reportDamage()
        guard let failure = store.failure else { return }
        reportFailure(failure, isNew: true)
        retryLater()
    }

    func reportFailure(_ error: StoreError, isNew: Bool) {
        if retryTimer == nil, trouble.occurred(at: loop.now) != .nothing {
            journal.write(.error, "store failing", ["reason": "\(error)"])
        }
        if isNew { publishState() }
    }

    func reportDamage() {
        guard
            reportedDamage != nil || store.hasMoved || store.losses != reportedLosses || !isSettled
        else { return }
        let moved = store.movedAside
        if store.losses != reportedLosses {
            reportedLosses = store.losses
            journal.write(
                .error, "database was removed or replaced, recording goes on in a new file",
                ["database": store.path])
        } else if moved == reportedDamage {
            return
        }
        reportedDamage = moved
        if let moved, moved != store.path {
            journal.write(.error, "damaged database moved aside", ["to": moved])
        }
        publishState()
    }

    /// Tries again soon, though nothing comes that would.
    func retryLater() {
        guard retryTimer == nil else { return }
        retryTimer = loop.schedule(loop.now + Service.retryAfter, slack: .milliseconds(500)) {
            [unowned self] in
            retryTimer = nil
            commit()
        }
    }
}
