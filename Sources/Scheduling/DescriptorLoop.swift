/// A loop that also watches file descriptors; only the live one does.
public protocol DescriptorLoop: Loop {
    /// Calls `handler` whenever `descriptor` is ready for what `interest` asks, until cancelled.
    ///
    /// Errors and a full hang-up are always reported, an end that only sends no more while `interest` holds
    /// ``Readiness/readable``. The descriptor stays the caller's to close, after ``cancel(_:)``.
    /// - Throws: ``WatchError`` when the descriptor cannot be watched (a regular file, out of memory).
    func watch(
        _ descriptor: Int32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
    ) throws(WatchError) -> WatchID

    /// Changes what a watch waits for; an empty interest still reports hang-up.
    func change(_ watch: WatchID, to interest: Readiness)

    /// Ends a watch; one that was cancelled is ignored.
    func cancel(_ watch: WatchID)
}

/// What a descriptor is ready for, or wanted for.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// The readiness of those bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Data, or a connection to accept.
    public static let readable = Readiness(rawValue: 1)
    /// Room for output, or a connect that has ended.
    public static let writable = Readiness(rawValue: 2)
    /// The other end is gone or sends no more (POLLHUP, POLLRDHUP, POLLERR).
    public static let hangup = Readiness(rawValue: 4)
}

/// A watched descriptor of one loop.
public struct WatchID: Hashable, Sendable {
    /// Counts up from 1 in each loop.
    public let number: UInt64

    /// The `number`-th watch of a loop.
    public init(number: UInt64) {
        self.number = number
    }
}

/// Why a descriptor cannot be watched.
public struct WatchError: Error, Equatable {
    /// The error number, a positive `errno`.
    public let code: Int32

    /// An error with that `errno`.
    public init(code: Int32) {
        self.code = code
    }
}
