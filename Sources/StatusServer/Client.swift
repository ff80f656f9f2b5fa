public import GNSS
public import Scheduling
public import StatusProtocol

/// One connection to the socket, as handlers see it.
public final class Client {
    /// Counts up from 1.
    public let number: UInt64
    /// Who it is; `nil` when the kernel does not tell.
    public internal(set) var peer: PeerCredentials?
    /// What the socket it came through gives to everyone who may open it.
    public let socketRole: Role
    /// Its groups beside the main one, asked for when they matter.
    private(set) lazy var groups = PeerCredentials.groups(of: descriptor)
    /// What it watches.
    public internal(set) var kinds: WatchKinds = []

    let descriptor: Int32
    /// Over the limit: may ask one thing.
    let isGuest: Bool
    let began: BootTime
    var watch: WatchID?
    var interest: Readiness = .readable
    var input: LineFramer
    var output = OutputQueue()
    var isOpen = true
    /// No more is read and what is queued is the last that is sent.
    var isEnding = false
    var hasInputEnded = false
    var hasAsked = false {
        didSet { if !oldValue { deadline = nil } }
    }
    /// Inside `work`, which is not entered twice.
    var isWorking = false
    /// Replies that will come later; one request at a time is worked on.
    var pending = 0
    /// When it is given up, for want of a request or of reading.
    var deadline: BootTime?
    /// The shortest time between two fixes it wants.
    public internal(set) var interval: TimeSpan?
    var lastFix: BootTime?
    /// The sequence up to which it was sent durable fixes, when it wants those.
    var cursor: Int64?
    /// Whether the next piece of them is due.
    var isPumping = false
    /// Time of the last fix it was sent, for thinning out.
    public var lastTime: UTCTime?
    /// Requests since `windowBegan`.
    var requests = 0
    var windowBegan: BootTime
    var isThrottled = false

    /// What it is sent as it happens; fixes from the disk are not.
    var liveKinds: WatchKinds {
        cursor == nil ? kinds : kinds.subtracting(.fixes)
    }

    init(
        number: UInt64, descriptor: Int32, socketRole: Role, isGuest: Bool, now: BootTime,
        requestBytes: Int
    ) {
        self.number = number
        self.descriptor = descriptor
        self.socketRole = socketRole
        self.isGuest = isGuest
        began = now
        windowBegan = now
        peer = PeerCredentials(of: descriptor)
        input = LineFramer(limit: requestBytes)
    }
}

/// A reply that comes later; it is dropped when the client has gone.
public final class PendingReply {
    private weak var server: StatusServer?
    private weak var client: Client?
    private let id: Request.ID?
    private var isDone = false

    init(server: StatusServer, client: Client, id: Request.ID?) {
        self.server = server
        self.client = client
        self.id = id
        client.pending += 1
    }

    deinit {
        // Forgotten by its handler: the client shall not wait for ever.
        fail(RPCError(code: RPCError.Code.internalError, message: "the request was given up"))
    }

    /// Whether somebody still waits for it.
    public var isWanted: Bool {
        client?.isOpen == true && !isDone
    }

    /// Sends what `result` appends as the result.
    public func succeed(_ result: (inout TextBuffer) -> Void) {
        send { $0.appendReply(to: $1, result) }
    }

    /// Sends an error.
    public func fail(_ error: RPCError) {
        send { $0.appendError(to: $1, error) }
    }

    private func send(_ append: (inout TextBuffer, Request.ID) -> Void) {
        guard !isDone else { return }
        isDone = true
        guard let client, let server else { return }
        var buffer = TextBuffer()
        if let id { append(&buffer, id) }
        server.finish(client, buffer.bytes)
    }
}
