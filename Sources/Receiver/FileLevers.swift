import CLinux
import Glibc
public import Scheduling

/// A receiver of the kernel's GNSS subsystem: it has power while anybody has its device open.
///
/// Nothing is read: what it sends is gpsd's.
public final class GNSSDeviceLever: Lever {
    private let path: String
    private var descriptor: Int32 = -1

    /// The receiver at `path`, as `/dev/gnss0`.
    public init(path: String) {
        self.path = path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens or closes it.
    public func set(
        isOn: Bool, for span: TimeSpan?, _ done: @escaping (LeverFailure?) -> Void
    ) {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        guard isOn else { return done(nil) }
        descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        done(descriptor >= 0 ? nil : LeverFailure(path, code: errno))
    }
}

/// The kernel's switch for all radios of type GPS (linux/rfkill.h).
public final class RadioSwitchLever: Lever {
    private let path: String

    /// The switch at `path`, as `/dev/rfkill`.
    public init(path: String = "/dev/rfkill") {
        self.path = path
    }

    /// Blocks or unblocks them; it fails when there are none.
    public func set(
        isOn: Bool, for span: TimeSpan?, _ done: @escaping (LeverFailure?) -> Void
    ) {
        let descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return done(LeverFailure(path, code: errno)) }
        defer { close(descriptor) }
        // Opened, it names every radio there is: RFKILL_EVENT_SIZE_V1 bytes of number, type, operation and state.
        let type = UInt8(truncatingIfNeeded: RFKILL_TYPE_GPS.rawValue)
        var isThere = false
        var event = [UInt8](repeating: 0, count: 8)
        while unsafe read(descriptor, &event, event.count) == event.count {
            if event[4] == type { isThere = true }
        }
        guard isThere else { return done(LeverFailure("\(path) has no switch of type gps")) }
        let change = UInt8(truncatingIfNeeded: RFKILL_OP_CHANGE_ALL.rawValue)
        event = [0, 0, 0, 0, type, change, isOn ? 0 : 1, 0]
        let count = unsafe write(descriptor, event, event.count)
        done(count == event.count ? nil : LeverFailure(path, code: errno))
    }
}

/// A pin that powers the receiver: a line of a GPIO chip, or a file of sysfs that takes 1 and 0.
///
/// A chip's line is held while the program runs; what the pin does afterwards is up to its driver.
public final class PinLever: Lever {
    private let path: String
    private let line: UInt32?
    private let activeLow: Bool
    private var descriptor: Int32 = -1

    /// `/dev/gpiochip0:17`, `/sys/class/gpio/gpio17/value`, or the `state` of a userspace-consumer regulator.
    public init(pin: String, activeLow: Bool) {
        self.activeLow = activeLow
        let colon = pin.hasPrefix("/dev/") ? pin.lastIndex(of: ":") : nil
        line = colon.flatMap { UInt32(pin[pin.index(after: $0)...]) }
        path = colon.map { String(pin[..<$0]) } ?? pin
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sets the pin and reads it back.
    public func set(
        isOn: Bool, for span: TimeSpan?, _ done: @escaping (LeverFailure?) -> Void
    ) {
        done(line.map { setLine($0, isOn) } ?? setFile(isOn))
    }

    private func setLine(_ line: UInt32, _ isOn: Bool) -> LeverFailure? {
        if descriptor < 0 {
            let chip = unsafe open(path, O_RDWR | O_CLOEXEC)
            guard chip >= 0 else { return LeverFailure(path, code: errno) }
            defer { close(chip) }
            descriptor = CLinux_gpioTake(chip, line, isOn ? 1 : 0, activeLow ? 1 : 0)
            guard descriptor >= 0 else { return LeverFailure("\(path) line \(line)", code: errno) }
        } else if CLinux_gpioSet(descriptor, isOn ? 1 : 0) < 0 {
            return LeverFailure("\(path) line \(line)", code: errno)
        }
        let value = CLinux_gpioGet(descriptor)
        return value == (isOn ? 1 : 0) ? nil : LeverFailure("\(path) line \(line) did not change")
    }

    private func setFile(_ isOn: Bool) -> LeverFailure? {
        // Documentation/ABI/testing/sysfs-platform-…-userspace-consumer: words instead of digits.
        let words = path.hasSuffix("/state") ? ["disabled", "enabled"] : ["0", "1"]
        let word = words[isOn != activeLow ? 1 : 0]
        let file = unsafe open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return LeverFailure(path, code: errno) }
        defer { close(file) }
        let bytes = Array(word.utf8)
        guard unsafe write(file, bytes, bytes.count) == bytes.count else {
            return LeverFailure(path, code: errno)
        }
        var back = [UInt8](repeating: 0, count: 16)
        let count = unsafe pread(file, &back, back.count, 0)
        return count >= bytes.count && back.starts(with: bytes)
            ? nil : LeverFailure("\(path) did not change")
    }
}
