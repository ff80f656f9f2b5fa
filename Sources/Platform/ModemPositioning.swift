public import Scheduling

/// The positioning of a modem, switched through ModemManager (org.freedesktop.ModemManager1.Modem.Location).
public final class ModemPositioning {
    private let loop: EventLoop
    private let address: String?
    private let path: String?
    private let limit: TimeSpan
    private var bus: MessageBus?

    private static let service = "org.freedesktop.ModemManager1"
    private static let location = "org.freedesktop.ModemManager1.Modem.Location"
    // MMModemLocationSource: raw 2, NMEA 4, unmanaged 16, which leaves the port to gpsd.
    private static let gps: UInt32 = 2 | 4 | 16
    private static let unmanaged: UInt32 = 16

    /// The modem at an object path, or the first one that can tell its place.
    public init(
        on loop: EventLoop, path: String?, within limit: TimeSpan, address: String? = nil
    ) {
        self.loop = loop
        self.path = path
        self.limit = limit
        self.address = address
    }

    /// Switches; `done` is called once, with `nil` or the reason why it could not.
    ///
    /// Other sources of the modem, as the cell it is in, stay as they are.
    public func set(isOn: Bool, _ done: @escaping (String?) -> Void) {
        if self.bus == nil {
            do throws(PlatformError) {
                self.bus = try MessageBus(on: loop, address: address)
            } catch {
                return done("\(error)")
            }
        }
        guard let bus = self.bus else { return }
        bus.onGone = { [weak self] in
            guard let self else { return }
            _ = loop.schedule(loop.now, slack: .milliseconds(1)) { [weak self] in self?.bus = nil }
        }
        if let path { return switchModem(bus, path, isOn, done) }
        bus.call(
            Self.service, "/org/freedesktop/ModemManager1", "org.freedesktop.DBus.ObjectManager",
            "GetManagedObjects", within: limit
        ) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): done("\(error)")
            case .success(let values):
                for case .entry(.text(let path), let interfaces) in values.first?.elements ?? []
                where interfaces[Self.location] != nil {
                    return switchModem(bus, path, isOn, done)
                }
                done("ModemManager has no modem that tells its place")
            }
        }
    }

    private func switchModem(
        _ bus: MessageBus, _ path: String, _ isOn: Bool, _ done: @escaping (String?) -> Void
    ) {
        enabled(bus, path) { [weak self] before in
            guard let self else { return }
            guard let before else { return done("\(path) does not tell its sources") }
            let wanted = isOn ? before | Self.unmanaged : before & ~Self.gps
            bus.call(
                Self.service, path, Self.location, "Setup", [.unsigned(wanted), .boolean(false)],
                within: limit
            ) { [weak self] result in
                if case .failure(let error) = result { return done("\(error)") }
                self?.enabled(bus, path) { after in
                    let isDone = after.map { ($0 & Self.gps != 0) == isOn } ?? false
                    done(isDone ? nil : "the modem did not switch its positioning")
                }
            }
        }
    }

    private func enabled(
        _ bus: MessageBus, _ path: String, _ reply: @escaping (UInt32?) -> Void
    ) {
        bus.property(Self.service, path, Self.location, "Enabled") {
            reply($0?.integer.map { UInt32(clamping: $0) })
        }
    }
}
