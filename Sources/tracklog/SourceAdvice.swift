import Receiver
import StatusProtocol

/// What a person can do about the state of the daemon's source.
enum SourceAdvice {
    /// Nothing needs to be done.
    case fine
    /// It may come right by itself.
    case wait(String)
    /// It will not.
    case act(String)

    /// The advice for a source as `status` tells of it.
    init(_ source: SourceReport) {
        guard let known = SourceState(rawValue: source.state) else {
            // A replay is connected or has ended.
            self = .fine
            return
        }
        switch known {
        case .off, .streaming: self = .fine
        case .resolving, .connecting, .greeting: self = .wait("wait a moment")
        case .starting: self = .wait("wait until the receiver has started")
        case .noFix:
            self = .wait("give the antenna a view of the sky; 'tracklog sky' shows what it hears")
        case .resolveFailed: self = .act("name the host right in [Source] Gpsd=")
        case .unreachable where source.detail?.hasSuffix(GPSDSource.isNoGPSD) == true,
            .gpsdSilent where source.detail?.hasSuffix(GPSDSource.isNoGPSD) == true:
            self = .act("another program has that port: set [Source] Gpsd= to where gpsd listens")
        case .unreachable where Self.isOwn(source.name):
            self = .act("start gpsd: sudo systemctl enable --now gpsd.socket")
        case .unreachable:
            self = .act("start the gpsd that listens there, elsewhere with -G, and open the port")
        case .gpsdSilent where Self.isOwn(source.name):
            self = .act("gpsd hangs: sudo systemctl restart gpsd")
        case .gpsdSilent: self = .act("start the gpsd there anew: it hangs")
        case .noReceiver:
            self = .act("plug the receiver in and name it in DEVICES= of /etc/default/gpsd")
        case .receiverSilent:
            self = .act("check cable and speed with gpsmon, and with fuser who else reads the port")
        case .oldFixRepeated, .timeStandsStill:
            self = .act("the receiver hangs: unplug it and plug it in again")
        }
    }

    /// Whether it is the gpsd that this machine's systemd starts.
    private static func isOwn(_ address: String) -> Bool {
        ["localhost:2947", "127.0.0.1:2947", "[::1]:2947"].contains(address)
    }
}
