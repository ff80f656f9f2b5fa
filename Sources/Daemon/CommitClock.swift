import Scheduling

/// Decides when what was recorded is made durable: so often that a power cut loses little, so seldom that a
/// card lives long.
struct CommitClock {
    /// No slack of a timer and no slice of a replay is longer.
    private static let patience = TimeSpan.seconds(10)
    /// Charge below which the machine may go off at any moment, percent (UPower's default for critical).
    private static let critical = 5.0

    private var every: TimeSpan
    private var count: Int
    private var oldest: BootTime?
    private var waiting = 0
    /// Whether the battery is nearly empty: nothing waits longer than ``patience``.
    private var isUrgent = false

    /// - Parameters:
    ///   - every: the longest a record may wait.
    ///   - count: how many records may wait.
    init(every: TimeSpan, count: Int) {
        self.every = every
        self.count = max(1, count)
    }

    /// Goes by other limits from now on.
    mutating func change(every: TimeSpan, count: Int) {
        self.every = every
        self.count = max(1, count)
    }

    /// Takes note of the supply; says whether the battery has just become so low that nothing may wait.
    mutating func see(isExternal: Bool?, battery: Double?) -> Bool {
        let before = isUrgent
        isUrgent = isExternal != true && battery.map { $0 < CommitClock.critical } ?? false
        return isUrgent && !before
    }

    /// Takes note of a record and when it came; says whether there are too many to wait any longer.
    mutating func recorded(at: BootTime) -> Bool {
        waiting += 1
        oldest = oldest ?? at
        return waiting >= count
    }

    /// When the oldest record must be durable; `nil` when none waits.
    var due: BootTime? {
        oldest.map { $0 + (isUrgent ? min(every, CommitClock.patience) : every) }
    }

    /// Whether what waits should have been tried long ago, which only a fault of the program explains.
    func isOverdue(at now: BootTime) -> Bool {
        due.map { now - $0 > CommitClock.patience } ?? false
    }

    /// Takes note that everything is durable.
    mutating func committed() {
        oldest = nil
        waiting = 0
    }
}
