import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A receiver on a pseudo-terminal that can be put to sleep and woken, as a u-blox by RXM-PMREQ or a MediaTek by
/// PMTK161 is: any byte wakes it, and after that it needs a moment until it sends again.
final class SleepingReceiver {
    /// What it obeys.
    enum Make {
        case ublox
        case mediatek
        /// Sends on, whatever it is told.
        case deaf
    }

    let path: String
    /// How long it takes from waking to its first epoch, seconds.
    var startUp = 0.7
    private(set) var epochs = 0
    /// When it was put to sleep and when it woke.
    private(set) var sleeps: [Date] = []
    private(set) var wakes: [Date] = []
    /// Every byte that came.
    private(set) var received = Data()

    private let make: Make
    private var master: Int32 = -1
    private var slave: Int32 = -1
    private var next = Date()
    private var pending = Data()
    private var wakesAt: Date?
    private(set) var isAsleep = false

    init(_ make: Make) {
        self.make = make
        var name = [CChar](repeating: 0, count: 128)
        precondition(openpty(&master, &slave, &name, nil, nil) == 0)
        path = String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, 0o666)
        var mode = termios()
        tcgetattr(slave, &mode)
        cfmakeraw(&mode)
        tcsetattr(slave, TCSANOW, &mode)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(master)
        close(slave)
    }

    /// Cuts its power, or gives it back.
    func setPower(isOn: Bool) {
        if isOn { wake() } else { sleep(for: nil) }
    }

    /// Takes what came and sends what is due; waits for either, up to 50 ms.
    func serve() {
        var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        poll(&state, 1, 50)
        var block = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &block, block.count)
        if count > 0 { take(block[..<count]) }
        let now = Date()
        if isAsleep, let wakesAt, now >= wakesAt { wake() }
        guard !isAsleep, now >= next else { return }
        next = now.addingTimeInterval(0.5)
        epochs += 1
        sendEpoch(now)
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        received.append(contentsOf: bytes)
        if isAsleep {
            // The byte that wakes it is lost.
            wake()
            return
        }
        pending.append(contentsOf: bytes)
        if pending.count > 1000 { pending.removeFirst(pending.count - 1000) }
        switch make {
        case .ublox:
            let head = Data([0xB5, 0x62, 0x02, 0x41, 0x10, 0x00])
            guard let start = pending.range(of: head), pending.count >= start.lowerBound + 24
            else { return }
            let at = start.lowerBound + 10
            let span = (0..<4).reduce(UInt32(0)) { $0 | UInt32(pending[at + $1]) << (8 * $1) }
            sleep(for: span == 0 ? nil : Double(span) / 1000)
        case .mediatek:
            guard pending.range(of: Data("$PMTK161,0*28\r\n".utf8)) != nil else { return }
            sleep(for: nil)
        case .deaf: break
        }
    }

    private func sleep(for span: Double?) {
        pending = Data()
        guard !isAsleep else { return }
        isAsleep = true
        sleeps.append(Date())
        wakesAt = span.map { Date().addingTimeInterval($0) }
    }

    private func wake() {
        guard isAsleep else { return }
        isAsleep = false
        wakesAt = nil
        wakes.append(Date())
        next = Date().addingTimeInterval(startUp)
    }

    private func sendEpoch(_ now: Date) {
        var seconds = time_t(now.timeIntervalSince1970)
        var civil = tm()
        gmtime_r(&seconds, &civil)
        let tenth = Int(now.timeIntervalSince1970 * 10) % 10
        let time = String(
            format: "%02d%02d%02d.%d00", civil.tm_hour, civil.tm_min, civil.tm_sec, tenth)
        let date = String(
            format: "%02d%02d%02d", civil.tm_mday, civil.tm_mon + 1, civil.tm_year % 100)
        send("GPGGA,\(time),5100.1000,N,00030.0000,E,1,08,0.9,50.1,M,45.1,M,,")
        send("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.6,0.9,1.3")
        send("GPRMC,\(time),A,5100.1000,N,00030.0000,E,0.36,0.0,\(date),,,A")
    }

    private func send(_ body: String) {
        let sum = body.utf8.reduce(0) { $0 ^ $1 }
        let bytes = Array("$\(body)*\(String(format: "%02X", sum))\r\n".utf8)
        _ = write(master, bytes, bytes.count)
    }
}
