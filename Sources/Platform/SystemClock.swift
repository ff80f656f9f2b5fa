import CSystemd
public import GNSS
import Glibc
public import Scheduling

/// The clocks of this machine, and which boot they belong to.
public enum SystemClock {
    /// Time since boot, suspend included (CLOCK_BOOTTIME).
    public static var now: BootTime {
        let time = read(CLOCK_BOOTTIME)
        return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// What the machine believes the time of day to be (CLOCK_REALTIME); it may step.
    public static var wall: UTCTime {
        let time = read(CLOCK_REALTIME)
        return UTCTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Whether the kernel says that something disciplines the wall clock; `nil` when it may not be asked
    /// (`ProtectClock=yes` of systemd) and systemd-timesyncd has left no word either.
    public static var isSynchronised: Bool? {
        var state = timex()
        let code = unsafe adjtimex(&state)
        if code >= 0 { return code != TIME_ERROR && state.status & STA_UNSYNC == 0 }
        // systemd-timesyncd.service(8): touched on each synchronisation since boot.
        return unsafe access("/run/systemd/timesync/synchronized", F_OK) == 0 ? true : nil
    }

    /// The id of this boot, 32 hexadecimal digits; `nil` when neither the kernel nor `BOOT_ID` tells.
    ///
    /// A confined service cannot read the kernel's; its unit passes `BOOT_ID=%b` instead.
    public static var bootID: String? {
        var id = sd_id128_t()
        if unsafe sd_id128_get_boot(&id) >= 0 {
            let bytes = unsafe withUnsafeBytes(of: &id) { unsafe Array($0) }
            let digits = Array("0123456789abcdef".utf8)
            let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            return String(decoding: text, as: UTF8.self)
        }
        guard let given = unsafe getenv("BOOT_ID") else { return nil }
        let text = unsafe String(cString: given).lowercased().filter { $0 != "-" }
        return text.utf8.count == 32 && text.allSatisfy(\.isHexDigit) ? text : nil
    }

    /// Sleeps that long, or until a signal comes: for a program that has no loop yet.
    public static func pause(_ span: TimeSpan) {
        _ = poll(nil, 0, Int32(clamping: span.nanoseconds / 1_000_000))
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // Fails only for a clock that does not exist.
        _ = unsafe clock_gettime(clock, &time)
        return time
    }
}
