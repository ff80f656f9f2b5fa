public import Scheduling

/// What clients of the socket may cost.
public struct ServerLimits: Sendable {
    /// Clients that may stay; one over it may still ask one thing, see ``guests``.
    public var clients = 64
    /// Connections over ``clients`` that are answered one request each; the oldest gives way to a new one.
    public var guests = 16
    /// How long a connection over ``clients`` may take to ask its one thing.
    public var guestTime = TimeSpan.seconds(1)
    /// Length of a request, bytes.
    public var requestBytes = 16 << 10
    /// Unread output of one client, bytes; a watching client over it is cut.
    public var outputBytes = 256 << 10
    /// Unread output of all clients together, bytes; over it the one that left the most is cut.
    public var totalOutputBytes = 3 << 20
    /// How long a client may leave output unread.
    public var unreadTime = TimeSpan.seconds(5)
    /// How long a client may take to ask something.
    public var firstRequestTime = TimeSpan.seconds(30)
    /// Requests of one client in each tenth of a second; more wait.
    public var requestsPerTenth = 32

    /// The defaults.
    public init() {}
}
