import Foundation
import GNSS
import Testing

/// Debian's gpsd on a free port with pseudo-terminals for receivers, and nothing left of it afterwards.
final class RealGPSD {
    static let path = "/usr/sbin/gpsd"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    let port: UInt16
    private(set) var receivers: [FakeReceiver]
    private var process: Process?

    init(receivers count: Int = 1) {
        // A port that was free a moment ago.
        port = FakeGPSD().port
        receivers = (0..<count).map { _ in FakeReceiver() }
    }

    deinit { kill() }

    /// Starts it.
    ///
    /// `-b` keeps it from probing the receivers, which would take seconds.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: RealGPSD.path)
        process.arguments = ["-N", "-n", "-b", "-S", "\(port)"] + receivers.map(\.path)
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
    }

    func signal(_ number: Int32) {
        if let process { _ = Foundation.kill(process.processIdentifier, number) }
    }

    func kill() {
        guard let process else { return }
        signal(SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Lets each receiver send an epoch when it is time.
    func serve() {
        for receiver in receivers { receiver.serve() }
    }
}

/// A receiver of 5 Hz on a pseudo-terminal that drives north along 0.5° east.
final class FakeReceiver {
    let path: String
    /// Sends nothing while it is cleared.
    var isOn = true
    private(set) var epochs = 0
    private var master: Int32 = -1
    private var slave: Int32 = -1
    private var next = Date()

    init() {
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
        unplug()
    }

    func unplug() {
        if master >= 0 {
            close(master)
            close(slave)
        }
        master = -1
        isOn = false
    }

    func serve() {
        guard isOn, master >= 0, Date() >= next else { return }
        next = Date().addingTimeInterval(0.2)
        // The time of the receiver runs with that of its epochs: 2026-05-01T10:00:00Z and on.
        let tenths = 36_000_0 + epochs * 2
        let time = String(
            format: "%02d%02d%02d.%d0", tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60,
            tenths % 10)
        let latitude = String(format: "5100.%04d", min(9999, epochs))
        epochs += 1
        send("GPGGA,\(time),\(latitude),N,00030.0000,E,1,08,0.9,50.1,M,45.1,M,,")
        send("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.6,0.9,1.3")
        send("GPRMC,\(time),A,\(latitude),N,00030.0000,E,0.36,0.0,010526,,,A")
    }

    private func send(_ body: String) {
        let sum = body.utf8.reduce(0) { $0 ^ $1 }
        let bytes = Array("$\(body)*\(String(format: "%02X", sum))\r\n".utf8)
        _ = write(master, bytes, bytes.count)
    }
}
