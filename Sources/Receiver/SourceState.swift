public import GNSS

/// What the live source is doing, or what keeps it from delivering.
public enum SourceState: String, CaseIterable, Sendable {
    /// Nobody wants fixes: the receiver is not watched.
    case off
    /// The name of gpsd's host is being looked up.
    case resolving
    /// The name of gpsd's host is not known, or nobody answered.
    case resolveFailed = "resolve_failed"
    /// The connection is being made.
    case connecting
    /// gpsd refuses the connection or has closed it.
    case unreachable
    /// Connected; gpsd's greeting has not come yet.
    case greeting
    /// Connected, and gpsd does not answer: it hangs or was stopped.
    case gpsdSilent = "gpsd_silent"
    /// gpsd has no receiver.
    case noReceiver = "no_receiver"
    /// gpsd has a receiver, and nothing has come from it yet.
    case starting
    /// gpsd has a receiver, and nothing comes from it any more.
    case receiverSilent = "receiver_silent"
    /// The receiver reports and has no fix.
    case noFix = "no_fix"
    /// The receiver gives one old fix again and again.
    case oldFixRepeated = "old_fix_repeated"
    /// The receiver's position moves and its time does not.
    case timeStandsStill = "time_stands_still"
    /// Fixes come.
    case streaming

    /// The name used in JSON and on the screen.
    public var name: String { rawValue }

    /// Why a track has a hole while it is so; `nil` for a state that explains none.
    public var gapReason: GapReason? {
        switch self {
        case .streaming: nil
        case .off: .asleep
        case .noFix, .starting: .noSky
        case .noReceiver: .noReceiver
        case .receiverSilent: .receiverSilent
        case .oldFixRepeated: .oldFixRepeated
        case .timeStandsStill: .timeStandsStill
        case .resolving, .resolveFailed, .connecting, .unreachable, .greeting, .gpsdSilent:
            .sourceLost
        }
    }

    /// Whether a connection to gpsd is being made and nothing was in its way so far.
    public var isAttempt: Bool {
        self == .resolving || self == .connecting || self == .greeting
    }

    /// Whether a connection to gpsd stands.
    public var isConnected: Bool {
        switch self {
        case .off, .resolving, .resolveFailed, .connecting, .unreachable: false
        default: true
        }
    }
}
