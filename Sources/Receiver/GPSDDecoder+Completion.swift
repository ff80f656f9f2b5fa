public import GNSS
import Scheduling

/// When an epoch is complete though no other of its receiver has begun.
extension GPSDDecoder {
    /// Completes what is pending: the stream has ended, or nothing came for a while.
    public func finish(_ emit: (Epoch) -> Void) {
        unsafe framer.finish { unsafe take($0, $1, emit) }
        completeAll(emit)
    }

    /// Completes the pending epochs, but neither a line that was cut nor a position that still lacks its time.
    ///
    /// What comes later for their time belongs to an epoch that is gone, and is dropped.
    public func flush(_ emit: (Epoch) -> Void) {
        for index in devices.indices where devices[index].pending?.awaitsTime == false {
            complete(index, emit)
        }
    }

    /// Completes, of what ``flush(_:)`` does, the epochs that got no more for `rest`.
    func flush(quietFor rest: TimeSpan, _ emit: (Epoch) -> Void) {
        for index in devices.indices {
            if let due = devices[index].due(after: rest), due <= now { complete(index, emit) }
        }
    }

    /// When ``flush(quietFor:_:)`` has something to do.
    func due(quietFor rest: TimeSpan) -> BootTime? {
        var earliest: BootTime?
        for index in devices.indices {
            guard let due = devices[index].due(after: rest) else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }

    /// Completes what is pending, but not a line that was cut: nothing more will come on this connection.
    public func completeAll(_ emit: (Epoch) -> Void) {
        for index in devices.indices { complete(index, emit) }
    }

    /// Whether an epoch waits for its completion.
    public var hasPending: Bool { devices.contains { $0.pending?.awaitsTime == false } }
}
