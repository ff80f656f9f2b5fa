public import GNSS
import Glibc
import JSON
public import Scheduling
public import StatusProtocol

/// The daemon's end of the status socket: many clients on the daemon's own loop, none of which can hold it up.
///
/// Register the methods, then ``listen(on:grants:)``. `watch` and `methods` are its own.
public final class StatusServer {
    /// Appends the result of a request, or throws why there is none.
    ///
    /// Parameters were checked against the method. What was appended before an error is thrown away.
    public typealias Handler =
        (_ request: Request, _ client: Client, _ result: inout TextBuffer) throws(RPCError) -> Void

    /// Who may look and who may change; by default root and the user the daemon runs as change.
    public var access = AccessPolicy(owner: geteuid())
    /// Whether coordinates are withheld from those who may only look.
    public var withholds = false

    /// Appends notifications that a client which begins to watch gets first, whole lines.
    public var greeting: (_ client: Client, _ buffer: inout TextBuffer) -> Void = { _, _ in }

    /// Where durable fixes are had again; `nil` has none.
    public var history: WatchHistory?

    /// Told when what anybody watches has changed.
    public var onWatchChange: (WatchKinds) -> Void = { _ in }

    /// Clients now and since the start.
    public private(set) var counts = ClientsReport()

    let loop: any DescriptorLoop
    /// What clients may cost; a change counts for what comes.
    public var limits: ServerLimits
    var clients: [UInt64: Client] = [:]
    /// Guests, the oldest first.
    var guests: [UInt64] = []
    var listeners: [Listener] = []
    var isAcceptPaused = false
    var acceptTimer: TimerID?
    var sweep: (timer: TimerID, due: BootTime)?
    // What is read goes here, whatever was there.
    var scratch = unsafe [UInt8](unsafeUninitializedCapacity: 16 << 10) { $1 = 16 << 10 }

    private enum Action {
        case now(Handler)
        case later((Request, Client, PendingReply) -> Void)
    }

    private var methods: [(method: Method, action: Action)] = []
    /// What anybody watches.
    private var watched: WatchKinds = [] {
        didSet { if watched != oldValue { onWatchChange(watched) } }
    }

    /// A server that listens nowhere yet.
    public init(loop: any DescriptorLoop, limits: ServerLimits = ServerLimits()) {
        self.loop = loop
        self.limits = limits
        register(.watch) { [unowned self] request, client, result throws(RPCError) in
            try watch(request, client, &result)
        }
        register(.methods) { [unowned self] _, _, result in
            result.append("{\"methods\":[")
            for (index, entry) in methods.enumerated() {
                if index > 0 { result.append(",") }
                entry.method.append(to: &result)
            }
            result.append("],\"notifications\":[")
            for (index, notice) in Notice.all.enumerated() {
                if index > 0 { result.append(",") }
                notice.append(to: &result)
            }
            result.append("]}")
        }
    }

    deinit {
        stop()
    }

    // MARK: Methods

    /// Whether a client may do what needs a role.
    public func permits(_ client: Client, _ role: Role) -> Bool {
        let has = access.role(
            of: client.peer, groups: { client.groups }, through: client.socketRole)
        return has.map { role <= $0 } ?? false
    }

    /// Whether coordinates are withheld from a client.
    public func withholds(from client: Client) -> Bool {
        withholds && !permits(client, .controller)
    }

    /// Refuses what needs a role that a client does not have.
    ///
    /// - Parameter what: what it asked for, to begin the message with.
    public func require(
        _ role: Role, of client: Client, for what: String
    ) throws(RPCError) {
        guard !permits(client, role) else { return }
        // The number that stands for whoever is not in the daemon's user namespace (user_namespaces(7)).
        let isUnknown = client.peer.map { $0.uid == 65_534 } ?? true
        throw .notPermitted(
            "\(what) needs the right of a \(role.name), which \(role.holders) have"
                + (isUnknown
                    ? "; the kernel does not tell who you are: join the group of the control socket"
                    : ""))
    }

    /// Answers a method at once; a second registration of a name replaces the first.
    public func register(_ method: Method, _ handler: @escaping Handler) {
        register(method, .now(handler))
    }

    /// Answers a method when the answer is there.
    ///
    /// The client is not read from meanwhile. A ``PendingReply`` that is let go unanswered is an error.
    public func register(
        _ method: Method,
        later handler:
            @escaping (_ request: Request, _ client: Client, _ reply: PendingReply) ->
            Void
    ) {
        register(method, .later(handler))
    }

    private func register(_ method: Method, _ action: Action) {
        methods.removeAll { $0.method.name == method.name }
        methods.append((method, action))
    }

    /// Answers one line.
    ///
    /// - Returns: what to send; empty when the line is owed no reply, or not yet.
    func answer(_ line: ArraySlice<UInt8>, of client: Client) -> TextBuffer {
        var reply = TextBuffer()
        do throws(RequestError) {
            guard let request = try Request.parse(line) else { return reply }
            client.hasAsked = true
            perform(request, of: client, &reply)
        } catch {
            client.hasAsked = true
            reply.appendError(to: error.id, error.error)
        }
        return reply
    }

    private func perform(_ request: Request, of client: Client, _ reply: inout TextBuffer) {
        do throws(RPCError) {
            let action = try action(for: request, of: client)
            switch action {
            case .now(let handler):
                guard let id = request.id else {
                    // A notification: done, and not answered (JSON-RPC 2.0, section 4.1).
                    var result = TextBuffer()
                    try handler(request, client, &result)
                    return
                }
                reply.appendReply(to: id) { result throws(RPCError) in
                    try handler(request, client, &result)
                }
                if !client.kinds.isEmpty, request.method == Method.watch.name {
                    greeting(client, &reply)
                }
            case .later(let handler):
                guard !client.isGuest else { throw busy() }
                handler(
                    request, client, PendingReply(server: self, client: client, id: request.id))
            }
        } catch {
            if let id = request.id { reply.appendError(to: id, error) }
        }
    }

    private func action(for request: Request, of client: Client) throws(RPCError) -> Action {
        guard let entry = methods.first(where: { $0.method.name == request.method }) else {
            throw RPCError(
                code: RPCError.Code.methodNotFound,
                message: "no method \"\(request.method)\"; ask methods for what there is",
                field: "method")
        }
        try require(entry.method.role, of: client, for: request.method)
        try entry.method.check(request.params)
        return entry.action
    }

    // MARK: Watching

    /// Whether anybody watches a kind; what nobody watches need not be made.
    public func isWatched(_ kind: WatchKinds) -> Bool {
        !watched.isDisjoint(with: kind)
    }

    /// Sends everybody who watches `kind` what `append` appends: whole lines, made once and only when needed.
    ///
    /// A client that does not read what it is sent is cut; nobody waits for it.
    public func publish(_ kind: WatchKinds, _ append: (inout TextBuffer) -> Void) {
        publish(kind) { buffer, _ in append(&buffer) }
    }

    /// The same where some clients are not told coordinates.
    ///
    /// - Parameter append: is told whether to leave them out.
    public func publish(
        _ kind: WatchKinds, _ append: (inout TextBuffer, _ withholds: Bool) -> Void
    ) {
        guard isWatched(kind) else { return }
        var made: [Bool: [UInt8]] = [:]
        let now = loop.now
        for client in clients.values where client.liveKinds.contains(kind) {
            if kind == .fixes, let interval = client.interval {
                if let last = client.lastFix, now - last < interval { continue }
                client.lastFix = now
            }
            let withholds = withholds(from: client)
            if made[withholds] == nil {
                var buffer = TextBuffer()
                append(&buffer, withholds)
                made[withholds] = buffer.bytes
            }
            send(made[withholds] ?? [], to: client)
        }
    }

    private func watch(
        _ request: Request, _ client: Client, _ result: inout TextBuffer
    ) throws(RPCError) {
        guard !client.isGuest else { throw busy() }
        let names = request.params["kinds"]?.array?.compactMap(\.string)
        let list = names.map { $0.compactMap { WatchKinds(name: $0) } }
        let kinds = list.map { WatchKinds($0) } ?? .all
        let after = request.params["after"]?.integer
        guard after == nil || kinds.contains(.fixes) else {
            throw .invalidParameter("after", "goes with the kind fixes")
        }
        if let after {
            try beginHistory(after: after, for: client)
        } else {
            client.cursor = nil
        }
        client.lastTime = nil
        client.kinds = kinds
        client.interval = request.params["interval"]?.number.map { .seconds($0) }
        client.lastFix = nil
        watchersChanged()
        var report = WatchReport()
        report.kinds = kinds.names
        report.durableSequence = after.flatMap { _ in history?.durableSequence() }
        result.append(report)
    }

    func watchersChanged() {
        watched = clients.values.reduce(into: WatchKinds()) { $0.formUnion($1.liveKinds) }
    }

    // MARK: Counting

    private func busy() -> RPCError {
        count { $0.refused += 1 }
        return RPCError(
            code: RPCError.Code.busy,
            message: "too many clients; one over the limit gets short answers only")
    }

    func count(_ change: (inout ClientsReport) -> Void) {
        change(&counts)
        counts.connected = Int64(clients.count)
    }
}
