import CSystemd
import Foundation
import Platform
import Scheduling
import Testing

/// A bus of the test's own with services that answer as a test tells them.
///
/// The services run on the loop of the test, on a connection of their own.
final class PrivateBus {
    static let path = "/usr/bin/dbus-daemon"
    static var isInstalled: Bool {
        let isThere = FileManager.default.isExecutableFile(atPath: path)
        if !isThere { print("skipped: no dbus-daemon") }
        return isThere || ProcessInfo.processInfo.environment["CI"] == "true"
    }

    let address: String
    private let folder: URL
    private let process = Process()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tracklog-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let socket = folder.appending(path: "bus").path
        let config = folder.appending(path: "bus.conf")
        try """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><listen>unix:path=\(socket)</listen><policy context="default">
        <allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
        """.write(to: config, atomically: true, encoding: .utf8)
        let output = Pipe()
        process.executableURL = URL(filePath: PrivateBus.path)
        process.arguments = ["--config-file=\(config.path)", "--nofork", "--print-address"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It says where it listens when it does.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = try #require(line.split(whereSeparator: \.isNewline).first.map { String($0) })
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// A service on a bus: answers calls and sends signals.
final class FakeService {
    /// What was called, as `Inhibit sleep tracklogd`.
    private(set) var calls: [String] = []
    /// Answers a call: appends to the reply; `false` gives an error.
    var answer: (_ call: String, _ reply: OpaquePointer) -> Bool = { _, _ in false }
    private var bus: OpaquePointer?

    init(_ names: [String], at address: String) throws {
        var made: OpaquePointer?
        sd_bus_new(&made)
        bus = made
        sd_bus_set_address(bus, address)
        sd_bus_set_bus_client(bus, 1)
        sd_bus_negotiate_fds(bus, 1)
        try #require(sd_bus_start(bus) >= 0)
        for name in names { try #require(sd_bus_request_name(bus, name, 0) >= 0) }
        sd_bus_add_filter(
            bus, nil,
            { message, context, _ in
                guard let message, let context else { return 0 }
                let service = Unmanaged<FakeService>.fromOpaque(context).takeUnretainedValue()
                return service.take(message)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        sd_bus_close(bus)
        sd_bus_unref(bus)
    }

    /// Handles what has come.
    func serve() {
        while sd_bus_process(bus, nil) > 0 {}
    }

    private func take(_ message: OpaquePointer) -> Int32 {
        var type: UInt8 = 0
        sd_bus_message_get_type(message, &type)
        guard type == 1, let member = sd_bus_message_get_member(message) else { return 0 }
        var call = String(cString: member)
        while true {
            var kind: CChar = 0
            guard sd_bus_message_peek_type(message, &kind, nil) > 0 else { break }
            var text: UnsafePointer<CChar>?
            var number: UInt32 = 0
            if kind == 115, sd_bus_message_read_basic(message, kind, &text) > 0, let text {
                call += " " + String(cString: text)
            } else if sd_bus_message_read_basic(message, kind, &number) > 0 {
                call += " \(number)"
            } else {
                break
            }
        }
        calls.append(call)
        var reply: OpaquePointer?
        sd_bus_message_new_method_return(message, &reply)
        if let reply, answer(call, reply) {
            sd_bus_send(bus, reply, nil)
        } else {
            var error: OpaquePointer?
            var words = sd_bus_error(name: nil, message: nil, _need_free: 0)
            sd_bus_error_set_const(&words, "org.freedesktop.DBus.Error.UnknownMethod", "no")
            sd_bus_message_new_method_error(message, &error, &words)
            sd_bus_send(bus, error, nil)
            sd_bus_message_unref(error)
        }
        sd_bus_message_unref(reply)
        return 1
    }

    func signal(
        _ path: String, _ interface: String, _ member: String, _ fill: (OpaquePointer) -> Void
    ) {
        var message: OpaquePointer?
        sd_bus_message_new_signal(bus, &message, path, interface, member)
        if let message { fill(message) }
        sd_bus_send(bus, message, nil)
        sd_bus_flush(bus)
        sd_bus_message_unref(message)
    }

    /// Appends a dictionary of one property.
    static func property(
        _ message: OpaquePointer, _ name: String, _ signature: String, _ value: Any
    ) {
        sd_bus_message_open_container(message, 97, "{sv}")
        sd_bus_message_open_container(message, 101, "sv")
        sd_bus_message_append_basic(message, 115, name)
        variant(message, signature, value)
        sd_bus_message_close_container(message)
        sd_bus_message_close_container(message)
    }

    static func variant(_ message: OpaquePointer, _ signature: String, _ value: Any) {
        sd_bus_message_open_container(message, 118, signature)
        switch value {
        case let text as String: sd_bus_message_append_basic(message, 115, text)
        case let flag as Bool:
            var word: Int32 = flag ? 1 : 0
            sd_bus_message_append_basic(message, 98, &word)
        case var number as UInt32: sd_bus_message_append_basic(message, 117, &number)
        case var number as Double: sd_bus_message_append_basic(message, 100, &number)
        default: Issue.record("no such type")
        }
        sd_bus_message_close_container(message)
    }
}

extension EventLoop {
    /// Runs with `serve` between until `condition` holds; the test fails after 20 s.
    func run(
        _ serve: () -> Void, until condition: () -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let end = SystemClock.now + .seconds(20)
        while !condition() {
            guard SystemClock.now < end else {
                Issue.record("did not happen within 20 s", sourceLocation: location)
                throw CancellationError()
            }
            serve()
            try step(atMost: .milliseconds(5))
        }
    }
}

@Suite(.enabled(if: PrivateBus.isInstalled)) struct HostWatchTests {
    private let loop: EventLoop
    private let bus: PrivateBus

    init() throws {
        loop = try EventLoop()
        bus = try PrivateBus()
    }

    private static let manager = "org.freedesktop.login1.Manager"
    private static let properties = "org.freedesktop.DBus.Properties"

    @Test func `the machine waits before it sleeps until we are ready, and again the next time`()
        throws
    {
        let logind = try FakeService(["org.freedesktop.login1"], at: bus.address)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        defer { close(ends[0]) }
        logind.answer = { call, reply in
            guard call.hasPrefix("Inhibit") else { return false }
            var descriptor = ends[1]
            return sd_bus_message_append_basic(reply, 104, &descriptor) >= 0
        }
        let watch = HostWatch(on: loop, address: bus.address, supplies: "/nonexistent")
        try loop.run(logind.serve) { watch.isInhibiting }
        // logind.exe: what, who, why, mode (org.freedesktop.login1(5)).
        #expect(logind.calls.first == "Inhibit sleep tracklogd writes the track delay")
        var ready: (() -> Void)?
        var wakes = 0
        watch.onSleep = { ready = $0 }
        watch.onWake = { wakes += 1 }
        func prepare(_ isAboutTo: Bool) {
            logind.signal("/org/freedesktop/login1", Self.manager, "PrepareForSleep") { message in
                var word: Int32 = isAboutTo ? 1 : 0
                sd_bus_message_append_basic(message, 98, &word)
            }
        }
        prepare(true)
        try loop.run(logind.serve) { ready != nil }
        #expect(watch.isInhibiting)
        ready?()
        #expect(!watch.isInhibiting)
        prepare(false)
        try loop.run(logind.serve) { wakes == 1 && watch.isInhibiting }
        close(ends[1])
    }

    @Test func `UPower tells the supply, and what changes of it`() throws {
        let upower = try FakeService(["org.freedesktop.UPower"], at: bus.address)
        upower.answer = { call, reply in
            switch call {
            case "Get org.freedesktop.UPower OnBattery":
                FakeService.variant(reply, "b", true)
                return true
            case "GetAll org.freedesktop.UPower.Device":
                FakeService.property(reply, "Percentage", "d", 73.0)
                return true
            default: return false
            }
        }
        let watch = HostWatch(on: loop, address: bus.address, supplies: "/nonexistent")
        try loop.run(upower.serve) { watch.power == HostPower(isExternal: false, battery: 73) }
        upower.signal("/org/freedesktop/UPower", Self.properties, "PropertiesChanged") { message in
            sd_bus_message_append_basic(message, 115, "org.freedesktop.UPower")
            FakeService.property(message, "OnBattery", "b", false)
            sd_bus_message_open_container(message, 97, "s")
            sd_bus_message_close_container(message)
        }
        try loop.run(upower.serve) { watch.power.isExternal == true }
        #expect(watch.power.battery == 73)
    }

    @Test func `a turn of the machine is told`() throws {
        let proxy = try FakeService(["net.hadess.SensorProxy"], at: bus.address)
        proxy.answer = { call, reply in
            if call == "Get net.hadess.SensorProxy HasAccelerometer" {
                FakeService.variant(reply, "b", true)
                return true
            }
            return call == "ClaimAccelerometer"
        }
        let watch = HostWatch(
            on: loop, address: bus.address, supplies: "/nonexistent", watchesTurns: true)
        var turns = 0
        watch.onTurn = { turns += 1 }
        try loop.run(proxy.serve) { proxy.calls.contains("ClaimAccelerometer") }
        proxy.signal("/net/hadess/SensorProxy", Self.properties, "PropertiesChanged") { message in
            sd_bus_message_append_basic(message, 115, "net.hadess.SensorProxy")
            FakeService.property(message, "AccelerometerOrientation", "s", "left-up")
            sd_bus_message_open_container(message, 97, "s")
            sd_bus_message_close_container(message)
        }
        try loop.run(proxy.serve) { turns == 1 }
    }

    @Test func `no bus, a bus without services, and a bus that goes are no error`() throws {
        let none = HostWatch(
            on: loop, address: "unix:path=/nonexistent/bus", supplies: "/nonexistent")
        #expect(none.power == HostPower())
        let watch = HostWatch(on: loop, address: bus.address, supplies: "/nonexistent")
        for _ in 0..<20 { try loop.step(atMost: .milliseconds(5)) }
        #expect(!watch.isInhibiting)
        bus.stop()
        for _ in 0..<20 { try loop.step(atMost: .milliseconds(5)) }
        #expect(watch.power == HostPower())
    }

    @Test func `a modem's positioning is switched and its other sources stay`() throws {
        let modem = try FakeService(["org.freedesktop.ModemManager1"], at: bus.address)
        // MMModemLocationSource: the cell is 1, unmanaged GPS 16.
        var enabled: UInt32 = 1
        modem.answer = { call, reply in
            let words = call.split(separator: " ")
            switch words[0] {
            case "Get":
                FakeService.variant(reply, "u", enabled)
                return true
            case "Setup":
                enabled = UInt32(words[1]) ?? 0
                return words[2] == "0"
            default: return false
            }
        }
        let positioning = ModemPositioning(
            on: loop, path: "/org/freedesktop/ModemManager1/Modem/0", within: .seconds(5),
            address: bus.address)
        var answers: [String?] = []
        positioning.set(isOn: true) { answers.append($0) }
        try loop.run(modem.serve) { answers.count == 1 }
        #expect(answers == [nil])
        #expect(enabled == 17)
        positioning.set(isOn: false) { answers.append($0) }
        try loop.run(modem.serve) { answers.count == 2 }
        #expect(answers == [nil, nil])
        #expect(enabled == 1)
        modem.answer = { _, _ in false }
        positioning.set(isOn: true) { answers.append($0) }
        try loop.run(modem.serve) { answers.count == 3 }
        #expect(answers.last??.contains("does not tell its sources") == true)
    }
}
