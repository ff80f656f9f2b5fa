import Glibc
import Scheduling

/// What the machine tells: that it is about to sleep, how it is supplied, that it was moved.
///
/// All of it comes over the system's bus from logind, UPower and iio-sensor-proxy, where they are; a bus or a service
/// that is missing is no error. Without UPower the kernel is asked for the supply when somebody asks here.
public final class HostWatch {
    /// Told before the machine sleeps; it waits until `ready` is called, at most as long as logind lets it.
    public var onSleep: (_ ready: @escaping () -> Void) -> Void = { $0() }
    /// Told after the machine has woken.
    public var onWake: () -> Void = {}
    /// Told when the supply has changed.
    public var onPower: (HostPower) -> Void = { _ in }
    /// Told when the machine was turned to another side: a hint that it moves.
    public var onTurn: () -> Void = {}
    /// How the machine is supplied, as last told.
    public private(set) var power = HostPower()
    /// Whether the machine waits for us before it sleeps.
    public var isInhibiting: Bool { inhibitor >= 0 }

    private let loop: EventLoop
    private let address: String?
    private let supplies: String
    private let watchesTurns: Bool
    private var bus: MessageBus?
    private var retry: TimerID?
    private var inhibitor: Int32 = -1
    private var hasUPower = false

    /// A bus that is away is looked for this often.
    private static let looksEvery = TimeSpan.seconds(300)

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - address: another bus than the system's.
    ///   - supplies: where the kernel lists its power supplies.
    ///   - watchesTurns: whether the accelerometer is asked for; that costs the machine some power.
    public init(
        on loop: EventLoop, address: String? = nil, supplies: String = "/sys/class/power_supply",
        watchesTurns: Bool = false
    ) {
        self.loop = loop
        self.address = address
        self.supplies = supplies
        self.watchesTurns = watchesTurns
        power = HostPower(supplies: supplies)
        connect()
    }

    deinit {
        if let retry { loop.cancel(retry) }
        letGo()
    }

    /// Asks the kernel for the supply where nothing tells of it; costs no wake-up of its own.
    public func refresh() {
        guard !hasUPower else { return }
        take(HostPower(supplies: supplies))
    }

    private func connect() {
        do throws(PlatformError) {
            let bus = try MessageBus(on: loop, address: address)
            self.bus = bus
            bus.onGone = { [unowned self] in
                // Not while the bus is calling us.
                again(after: .seconds(1))
            }
            watchSleep(bus)
            watchPower(bus)
            if watchesTurns { watchTurns(bus) }
        } catch {
            again(after: HostWatch.looksEvery)
        }
    }

    private func again(after wait: TimeSpan) {
        guard retry == nil else { return }
        retry = loop.schedule(loop.now + wait, slack: .seconds(60)) { [unowned self] in
            retry = nil
            bus = nil
            hasUPower = false
            letGo()
            connect()
        }
    }

    private func take(_ power: HostPower) {
        guard power != self.power else { return }
        self.power = power
        onPower(power)
    }

    // MARK: Sleep (org.freedesktop.login1(5), systemd.io/INHIBITOR_LOCKS)

    private func watchSleep(_ bus: MessageBus) {
        bus.subscribe(
            "type='signal',sender='org.freedesktop.login1',path='/org/freedesktop/login1',"
                + "interface='org.freedesktop.login1.Manager',member='PrepareForSleep'"
        ) { [unowned self] arguments in
            if arguments.first?.boolean == true {
                onSleep { [weak self] in self?.letGo() }
            } else {
                onWake()
                // Not the constant: the bus holds this closure.
                if let bus = self.bus { inhibit(bus) }
            }
        }
        inhibit(bus)
    }

    private func inhibit(_ bus: MessageBus) {
        guard inhibitor < 0 else { return }
        bus.call(
            "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
            "Inhibit",
            [.text("sleep"), .text("tracklogd"), .text("writes the track"), .text("delay")]
        ) { [unowned self] result in
            guard case .descriptor(let descriptor)? = (try? result.get())?.first else { return }
            letGo()
            // The message's own goes with the message.
            inhibitor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        }
    }

    private func letGo() {
        if inhibitor >= 0 { close(inhibitor) }
        inhibitor = -1
    }

    // MARK: Supply (upower.freedesktop.org, Device and UPower)

    private static let upower = "org.freedesktop.UPower"
    private static let display = "/org/freedesktop/UPower/devices/DisplayDevice"

    private func watchPower(_ bus: MessageBus) {
        for path in ["/org/freedesktop/UPower", HostWatch.display] {
            bus.subscribe(
                "type='signal',sender='\(HostWatch.upower)',path='\(path)',"
                    + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
            ) { [unowned self] arguments in
                guard arguments.count > 1 else { return }
                hasUPower = true
                note(arguments[1])
            }
        }
        bus.property(HostWatch.upower, "/org/freedesktop/UPower", HostWatch.upower, "OnBattery") {
            [unowned self] value in
            guard let onBattery = value?.boolean else { return }
            hasUPower = true
            take(HostPower(isExternal: !onBattery, battery: power.battery))
        }
        bus.call(
            HostWatch.upower, HostWatch.display, "org.freedesktop.DBus.Properties", "GetAll",
            [.text("org.freedesktop.UPower.Device")]
        ) { [unowned self] result in
            guard let properties = (try? result.get())?.first else { return }
            note(properties)
        }
    }

    private func note(_ properties: BusValue) {
        var power = self.power
        if let onBattery = properties["OnBattery"]?.boolean { power.isExternal = !onBattery }
        // Type 2 is a battery; a machine without one has a display device of type 0.
        if let type = properties["Type"]?.integer, type != 2 {
            power.battery = nil
        } else if let level = properties["Percentage"]?.number, (0...100).contains(level) {
            power.battery = level
        }
        take(power)
    }

    // MARK: Turns (iio-sensor-proxy, net.hadess.SensorProxy)

    private func watchTurns(_ bus: MessageBus) {
        let service = "net.hadess.SensorProxy"
        let path = "/net/hadess/SensorProxy"
        bus.subscribe(
            "type='signal',sender='\(service)',path='\(path)',"
                + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
        ) { [unowned self] arguments in
            guard arguments.count > 1, arguments[1]["AccelerometerOrientation"] != nil else {
                return
            }
            onTurn()
        }
        bus.property(service, path, service, "HasAccelerometer") { value in
            guard value?.boolean == true else { return }
            bus.call(service, path, service, "ClaimAccelerometer") { _ in }
        }
    }
}
