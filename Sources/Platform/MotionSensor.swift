import Glibc
public import Scheduling

/// The any-motion event of an accelerometer that the kernel knows (IIO): no wake-up while it rests.
///
/// It needs the right to open `/dev/iio:deviceN`.
public final class MotionSensor {
    /// Told when it begins to move and when it has rested for a while.
    public var onMotion: (_ isMoving: Bool) -> Void = { _ in }
    /// Whether there is one.
    public var isThere: Bool { descriptor >= 0 }

    private let loop: any DescriptorLoop
    private var descriptor: Int32 = -1
    private var watch: WatchID?
    private var timer: TimerID?
    private var isMoving = false

    /// Without an event for this long it rests.
    static let restsAfter = TimeSpan.seconds(120)
    // linux/iio/events.h: IIO_GET_EVENT_FD_IOCTL is _IOR('i', 0x90, int).
    private static let getEvents: UInt = 0x8004_6990

    /// Looks for a sensor and switches its event on.
    ///
    /// - Parameters:
    ///   - devices: `/sys/bus/iio/devices`.
    ///   - open: gives the descriptor that events are read from, by the device's name; -1 when there is none.
    public init(
        on loop: any DescriptorLoop, devices: String = "/sys/bus/iio/devices",
        open: (String) -> Int32 = MotionSensor.openEvents
    ) {
        self.loop = loop
        for name in HostPower.names(in: devices) where descriptor < 0 {
            let events = "\(devices)/\(name)/events"
            let switches = HostPower.names(in: events).filter(MotionSensor.isMotion)
            guard !switches.isEmpty else { continue }
            let isOn = switches.map { MotionSensor.switchOn("\(events)/\($0)") }.contains(true)
            if isOn { descriptor = open(name) }
        }
        guard descriptor >= 0 else { return }
        watch = try? loop.watch(descriptor, for: .readable) { [unowned self] _ in take() }
    }

    deinit {
        if let watch { loop.cancel(watch) }
        if let timer { loop.cancel(timer) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// As `in_accel_x&y&z_mag_adaptive_rising_en` or `in_accel_x_thresh_rising_en`.
    static func isMotion(_ name: String) -> Bool {
        name.hasPrefix("in_accel") && name.hasSuffix("_rising_en")
    }

    private static func switchOn(_ path: String) -> Bool {
        let file = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return unsafe write(file, [UInt8(ascii: "1")], 1) == 1
    }

    /// Opens the events of `/dev/NAME`; -1 when that is not allowed.
    public static func openEvents(_ name: String) -> Int32 {
        let device = unsafe Glibc.open("/dev/\(name)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard device >= 0 else { return -1 }
        defer { close(device) }
        var events: Int32 = -1
        guard unsafe ioctl(device, getEvents, &events) == 0 else { return -1 }
        _ = fcntl(events, F_SETFD, FD_CLOEXEC)
        _ = fcntl(events, F_SETFL, O_NONBLOCK)
        return events
    }

    private func take() {
        // struct iio_event_data is 16 bytes; what it says is not needed.
        var block = [UInt8](repeating: 0, count: 256)
        let count = unsafe read(descriptor, &block, block.count)
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
            if let watch { loop.cancel(watch) }
            watch = nil
            return
        }
        guard count > 0 else { return }
        if let timer { loop.cancel(timer) }
        timer = loop.schedule(loop.now + MotionSensor.restsAfter, slack: .seconds(10)) {
            [unowned self] in
            timer = nil
            isMoving = false
            onMotion(false)
        }
        guard !isMoving else { return }
        isMoving = true
        onMotion(true)
    }
}
