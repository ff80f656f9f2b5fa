import CSystemd
import Glibc
public import Scheduling

/// What the daemon tells the service manager (sd_notify(3)); nothing is sent when there is none.
public struct ServiceNotifier: Sendable {
    /// Whether a service manager listens.
    public let isSupervised: Bool

    /// Looks for `NOTIFY_SOCKET`.
    public init() {
        unsafe isSupervised = getenv("NOTIFY_SOCKET") != nil
    }

    /// Start-up is complete, or a reload has ended.
    public func ready(_ status: String) {
        send("READY=1", status)
    }

    /// The settings are being read again; ``ready(_:)`` ends it.
    public func reloading() {
        // Type=notify-reload compares it with CLOCK_MONOTONIC.
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", nil)
    }

    /// The daemon has begun to stop.
    public func stopping(_ status: String) {
        send("STOPPING=1", status)
    }

    /// One line for `systemctl status`.
    public func status(_ text: String) {
        send(nil, text)
    }

    /// The program makes progress; said as often as ``watchdogInterval`` asks.
    public func alive() {
        send("WATCHDOG=1", nil)
    }

    /// How often the manager wants to hear that the program is alive; `nil` when it does not.
    public var watchdogInterval: TimeSpan? {
        var microseconds: UInt64 = 0
        guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return TimeSpan(nanoseconds: Int64(clamping: microseconds) &* 1000)
    }

    private func send(_ state: String?, _ status: String?) {
        guard isSupervised else { return }
        // A line feed would begin another assignment.
        let words = status.map { "STATUS=" + String($0.map { $0.isNewline ? " " : $0 }) }
        let message = [state, words].compactMap { $0 }.joined(separator: "\n")
        // Not heard is not worse than not said: the manager's time-outs decide.
        _ = unsafe sd_notify(0, message)
    }
}

/// A socket that the service manager made and listens on for us (sd_listen_fds(3)).
public struct PassedSocket: Equatable, Sendable {
    /// The name from the socket unit (`FileDescriptorName=`), or `unknown`.
    public let name: String
    /// The descriptor, closed on exec; the caller's to close.
    public let descriptor: Int32
    /// Whether it is a listening Unix stream socket.
    public let isUnixListener: Bool

    /// Takes all sockets that were passed; a second call finds none.
    public static func takeAll() throws(PlatformError) -> [PassedSocket] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe sd_listen_fds_with_names(1, &names)
        guard count >= 0 else {
            throw PlatformError(call: "sd_listen_fds_with_names", code: -count)
        }
        defer { unsafe free(names) }
        return (0..<count).map { index in
            var name = "unknown"
            if let text = unsafe names?[Int(index)] {
                name = unsafe String(cString: text)
                unsafe free(text)
            }
            let descriptor = 3 + index  // SD_LISTEN_FDS_START
            let isUnix = sd_is_socket_unix(descriptor, stream, 1, nil, 0)
            return PassedSocket(name: name, descriptor: descriptor, isUnixListener: isUnix > 0)
        }
    }

    private static let stream = Int32(SOCK_STREAM.rawValue)
}
