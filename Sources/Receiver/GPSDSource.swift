public import GNSS
public import Scheduling

/// The live source: one gpsd, asked for its reports on the daemon's loop, for ever.
///
/// It reads the socket itself and gives each line to the decoder that replays use, instead of `gps_open` and
/// `gps_read`: `gps_open` blocks in the resolver and in `connect`, and `gps_read` keeps half a line in a structure
/// that nobody can look into.
public final class GPSDSource {
    /// Called with each epoch of the chosen receiver and when it came.
    public var onEpoch: ((Epoch, BootTime) -> Void)?
    /// Called when ``Status/state`` has changed, with what it was.
    public var onChange: ((_ from: SourceState) -> Void)?
    /// Called with what gpsd says about itself and its devices.
    public var onReport: ((GPSDReport) -> Void)?
    /// Called with each epoch of any receiver, wanted or not.
    public var onHeard: (() -> Void)?
    /// Called after a drain that the source made by itself, with the time until the next one.
    public var onDrained: ((_ next: TimeSpan) -> Void)?
    /// How it is.
    public internal(set) var status = Status()

    let settings: Settings
    let loop: any DescriptorLoop
    let decoder: GPSDDecoder
    var watchdog: SourceWatchdog
    var chooser: DeviceChooser
    var backOff: BackOff
    var isWanted = false
    var drainInterval: TimeSpan?

    var lookup: HostLookup?
    var candidates: [String] = []
    var connection: GPSDConnection?
    var watch: WatchID?
    var isConnected = false
    var retryTimer: TimerID?
    var checkTimer: TimerID?
    var checkDue = BootTime(nanoseconds: 0)
    var completeTimer: TimerID?
    var completeDue = BootTime(nanoseconds: 0)
    var drainTimer: TimerID?
    var pokeTimer: TimerID?

    // What one read has given, in order. It is acted upon after the decoder has returned.
    enum Event {
        case epoch(Epoch)
        case report(GPSDReport)
        case repeated(samePosition: Bool)
    }
    var events: [Event] = []
    var isDelivering = false
    var isSwitching = false
    /// Whether a socket is read into which nothing came for a while: it may have been full.
    var isRelieved = false
    /// Whether what is being delivered lay in the socket for a while.
    var hasWaited = false
    /// What had been read when the connection was made.
    var countsBefore = InputCounts()
    var lastTime: UTCTime?
    var lastArrival = BootTime(nanoseconds: 0)
    var arrivals = ArrivalClock()
    var singles = 0
    var repeatsSeen: Int64 = 0
    var linesSeen: Int64 = 0
    var skySeen = (any: 0, lists: 0)
    /// When a SKY report came last, and one with a list of satellites.
    var skyCame: (any: BootTime?, list: BootTime?)
    var block = unsafe [UInt8](unsafeUninitializedCapacity: 32 << 10) { $1 = 32 << 10 }

    /// A source that is off.
    ///
    /// - Throws: ``GPSDLibraryError`` when the libgps found at run time is not the one of the build.
    public init(settings: Settings, loop: any DescriptorLoop) throws(GPSDLibraryError) {
        self.settings = settings
        self.loop = loop
        decoder = try GPSDDecoder()
        watchdog = SourceWatchdog(settings: settings.watchdog)
        chooser = DeviceChooser(settings: settings.choice)
        backOff = BackOff(seed: settings.seed)
        decoder.onReport = { [unowned self] in events.append(.report($0)) }
        decoder.onRepeat = { [unowned self] in events.append(.repeated(samePosition: $0)) }
    }

    deinit {
        onEpoch = nil
        onChange = nil
        onDrained = nil
        // Nothing may be scheduled any more.
        isWanted = false
        close()
    }

    /// What was read, over all connections.
    public var counts: InputCounts { decoder.counts }
    /// The receivers by first appearance; `Fix.device` is an index into it.
    public var deviceNames: [String] { decoder.deviceNames }

    /// Connects and watches, or watches again after ``unwatch()``.
    public func start() {
        guard !isWanted else { return }
        // What gpsd still sent while nobody wanted it goes nowhere.
        complete()
        isWanted = true
        cancel(&pokeTimer)
        if isConnected {
            if connection?.send(request) != true { return lose("cannot send") }
            tell(.connected)
        } else if connection == nil, lookup == nil, retryTimer == nil {
            open()
        }
    }

    /// Asks gpsd for no more reports, and keeps the connection.
    ///
    /// gpsd closes the receiver about a minute later when nobody else watches it.
    public func unwatch() {
        guard isWanted else { return }
        if isConnected { read() }
        isWanted = false
        guard isConnected, connection?.send("?WATCH={\"enable\":false}\r\n") == true else {
            return stop()
        }
        complete()
        cancel(&checkTimer)
        cancel(&drainTimer)
        tell(.disconnected(.off))
        poke()
    }

    /// Takes what has come and closes everything.
    public func stop() {
        if isConnected, isWanted { read() }
        isWanted = false
        close()
        tell(.disconnected(.off))
    }

    /// Leaves reports in the socket and reads them every so often; `nil` reads each as it comes.
    ///
    /// A connection that is lost wakes the loop all the same.
    public func drain(every interval: TimeSpan?) {
        guard interval != drainInterval else { return }
        drainInterval = interval
        guard isConnected else { return }
        cancel(&drainTimer)
        if let watch { loop.change(watch, to: interval == nil ? .readable : .hangup) }
        // What is there now is wanted now, whichever way it goes; an epoch that is half here waits for its rest.
        isSwitching = true
        drainNow()
        isSwitching = false
    }

    /// Reads what has come, at once.
    public func drainNow() {
        guard isConnected else { return }
        read()
        if isConnected, drainInterval != nil { scheduleDrain() }
    }

    // MARK: Connecting

    func open() {
        retryTimer = nil
        if let numeric = numericHosts {
            candidates = numeric
            return connect()
        }
        tell(.disconnected(.resolving))
        lookup = HostLookup(
            settings.address.host, on: loop, within: settings.resolvesWithin
        ) { [unowned self] addresses, reason in
            lookup = nil
            candidates = addresses
            if addresses.isEmpty {
                fail(.resolveFailed, reason)
            } else {
                connect()
            }
        }
        if lookup == nil { fail(.resolveFailed, "no child process") }
    }

    /// Hosts that need no look-up.
    ///
    /// `localhost` is always this machine (RFC 6761, section 6.3).
    var numericHosts: [String]? {
        let host = settings.address.host
        if host == "localhost" { return ["::1", "127.0.0.1"] }
        let digits = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || ($0 >= 48 && $0 <= 57) }
        return digits || host.contains(":") ? [host] : nil
    }

    func connect() {
        tell(.disconnected(.connecting))
        var code: Int32 = 0
        while !candidates.isEmpty {
            let host = candidates.removeFirst()
            do throws(ConnectError) {
                let connection = try GPSDConnection(host: host, port: settings.address.port)
                self.connection = connection
                watch = try? loop.watch(connection.descriptor, for: .writable) {
                    [unowned self] in ready($0)
                }
                retryTimer = loop.schedule(
                    loop.now + settings.connectsWithin, slack: .seconds(1)
                ) { [unowned self] in
                    retryTimer = nil
                    tryNext("no answer")
                }
                return
            } catch {
                code = error.code
            }
        }
        fail(.unreachable, SystemText.words(for: code))
    }

    func tryNext(_ reason: String) {
        close()
        if candidates.isEmpty { fail(.unreachable, reason) } else { connect() }
    }

    func ready(_ readiness: Readiness) {
        if isConnected {
            read()
            if isConnected, readiness.contains(.hangup), !readiness.contains(.readable) {
                lose("closed")
            }
            return
        }
        guard let connection else { return }
        cancel(&retryTimer)
        let code = connection.connectResult
        guard code == 0, connection.send(request) else {
            return tryNext(SystemText.words(for: code))
        }
        isConnected = true
        countsBefore = counts
        status.detail = "\(settings.address)"
        status.connections += 1
        candidates = []
        arrivals.drained(at: loop.now)
        if let watch { loop.change(watch, to: drainInterval == nil ? .readable : .hangup) }
        tell(.connected)
        if drainInterval != nil { scheduleDrain() }
    }

    var request: String {
        var text = TextBuffer()
        text.append("?WATCH={\"enable\":true,\"json\":true")
        if let device = settings.device {
            text.append(",\"device\":")
            text.append(json: device)
        }
        text.append("}\r\n")
        return text.string
    }

    func lose(_ reason: String) {
        let isOther = isOther
        close()
        fail(.unreachable, isOther ? GPSDSource.isNoGPSD : reason)
    }

    /// Whether something answers, and not as gpsd does.
    var isOther: Bool {
        isConnected && counts.bytes > countsBefore.bytes
            && counts.accepted == countsBefore.accepted
    }

    /// What ``Status/detail`` ends in when something else has gpsd's port.
    public static let isNoGPSD = "what answers there is not gpsd"

    func fail(_ state: SourceState, _ reason: String) {
        guard isWanted else { return tell(.disconnected(.off)) }
        status.detail = "\(settings.address): \(reason)"
        tell(.disconnected(state))
        retry()
    }

    func retry() {
        guard isWanted, retryTimer == nil else { return }
        let wait = backOff.next()
        retryTimer = loop.schedule(loop.now + wait, slack: .milliseconds(250)) {
            [unowned self] in open()
        }
    }

    func close() {
        complete()
        decoder.completeAll { events.append(.epoch($0)) }
        deliverEvents()
        cancel(&checkTimer)
        cancel(&drainTimer)
        cancel(&pokeTimer)
        cancel(&retryTimer)
        lookup = nil
        if let watch { loop.cancel(watch) }
        watch = nil
        connection = nil
        isConnected = false
        decoder.resetFraming()
    }
}
