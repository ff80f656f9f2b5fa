/// How much a log line matters: the numbers of syslog (RFC 5424, table 2), lower is worse.
public enum LogLevel: UInt8, CaseIterable, Comparable, Sendable {
    /// Something is lost or will be unless a person acts.
    case error = 3
    /// Something is wrong and is being coped with.
    case warning = 4
    /// An event a person may want to know of: start, stop, receiver and source states.
    case notice = 5
    /// Steps of normal work.
    case info = 6
    /// Anything, coordinates included.
    case debug = 7

    /// The name used in settings.
    public var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// Whether `a` is the worse one.
    public static func < (a: LogLevel, b: LogLevel) -> Bool {
        a.rawValue < b.rawValue
    }
}
