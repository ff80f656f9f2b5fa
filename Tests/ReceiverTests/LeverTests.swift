import Foundation
import Platform
import Scheduling
import Testing

@testable import Receiver

@Suite struct LeverTests {
    private let loop: EventLoop
    private let folder: URL
    private final class Answers {
        var all: [LeverFailure?] = []
    }
    private let answers = Answers()

    init() throws {
        loop = try EventLoop()
        folder = FileManager.default.temporaryDirectory.appending(path: "tracklog-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ name: String) -> String { folder.appending(path: name).path }

    private func take(_ failure: LeverFailure?) {
        answers.all.append(failure)
    }

    private func command(
        _ off: [String], _ on: [String] = ["/bin/true"], limit: TimeSpan = .seconds(10)
    ) -> CommandLever {
        CommandLever(off: off, on: on, limit: limit, loop: loop)
    }

    @Test func `programs run with their arguments and no shell`() throws {
        let lever = command(["/bin/cp", "/etc/hostname", file("$HOME copy")])
        lever.set(isOn: false, for: nil, take)
        #expect(answers.all.isEmpty)
        try loop.run { answers.all.count == 1 }
        #expect(answers.all == [nil])
        #expect(FileManager.default.fileExists(atPath: file("$HOME copy")))
    }

    @Test func `a program that fails, or is not there, says so`() throws {
        command(["/nowhere/x"]).set(isOn: false, for: nil, take)
        let kept = command(["/bin/false"])
        kept.set(isOn: false, for: nil, take)
        try loop.run { answers.all.count >= 2 }
        #expect(answers.all.contains(LeverFailure("/bin/false ended with 1")))
        #expect(answers.all.contains(LeverFailure("/nowhere/x: No such file or directory")))
    }

    @Test func `a program that hangs is killed with all it started`() throws {
        let script = file("hang")
        try "#!/bin/sh\nsleep 1000 &\necho $! > \(file("pid"))\nwait\n".write(
            toFile: script, atomically: true, encoding: .utf8)
        chmod(script, 0o755)
        let lever = command([script], limit: .milliseconds(500))
        lever.set(isOn: false, for: nil, take)
        try loop.run { answers.all.count == 1 }
        #expect(answers.all == [LeverFailure("\(script) was not done within 0.5 s")])
        let text = try String(contentsOfFile: file("pid"), encoding: .utf8)
        let child = try #require(Int32(text.trimmingCharacters(in: .newlines)))
        // A zombie until init reaps it is as dead.
        try loop.run {
            let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
            return state.map { $0.contains(") Z ") } ?? true
        }
    }

    @Test func `a switch kills the program of the one before, which then says nothing`() throws {
        let lever = command(["/bin/sleep", "1000"])
        lever.set(isOn: false, for: nil, take)
        lever.set(isOn: true, for: nil, take)
        try loop.run { answers.all.count == 1 }
        #expect(answers.all == [nil])
    }

    @Test func `a pin of sysfs is written and read back`() throws {
        let pin = file("value")
        try "0\n".write(toFile: pin, atomically: true, encoding: .utf8)
        let lever = PinLever(pin: pin, activeLow: false)
        lever.set(isOn: true, for: nil, take)
        #expect(try String(contentsOfFile: pin, encoding: .utf8).first == "1")
        PinLever(pin: pin, activeLow: true).set(isOn: true, for: nil, take)
        #expect(try String(contentsOfFile: pin, encoding: .utf8).first == "0")
        let state = file("state")
        try "disabled\n".write(toFile: state, atomically: true, encoding: .utf8)
        PinLever(pin: state, activeLow: false).set(isOn: true, for: nil, take)
        #expect(try String(contentsOfFile: state, encoding: .utf8).hasPrefix("enabled"))
        #expect(answers.all == [nil, nil, nil])
    }

    @Test func `a pin that is not there, is no chip, or does not take the value says so`() {
        PinLever(pin: file("none"), activeLow: false).set(isOn: true, for: nil, take)
        PinLever(pin: "/dev/null:17", activeLow: false).set(isOn: true, for: nil, take)
        PinLever(pin: "/dev/null", activeLow: false).set(isOn: true, for: nil, take)
        #expect(answers.all[0]?.description.hasSuffix("No such file or directory") == true)
        #expect(answers.all[1]?.description.hasPrefix("/dev/null line 17: ") == true)
        #expect(answers.all[2]?.description == "/dev/null did not change")
    }

    @Test func `a device of the kernel is open while it is to be on`() throws {
        let path = file("gnss0")
        mkfifo(path, 0o600)
        let lever = GNSSDeviceLever(path: path)
        func isOpen() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                    == path
            }
        }
        lever.set(isOn: true, for: nil, take)
        #expect(try isOpen())
        lever.set(isOn: false, for: nil, take)
        #expect(try !isOpen())
        GNSSDeviceLever(path: file("none")).set(isOn: true, for: nil, take)
        #expect(answers.all.map { $0 == nil } == [true, true, false])
    }

    // linux/rfkill.h: struct rfkill_event is index, type (GPS is 6), operation (change all is 3), soft, hard.
    @Test func `the radio switch blocks all of type gps, and fails where there are none`() throws {
        let path = file("rfkill")
        mkfifo(path, 0o600)
        let other = open(path, O_RDWR | O_NONBLOCK)
        defer { close(other) }
        var block = [UInt8](repeating: 0, count: 64)
        // What the kernel says at the opening: a radio of type WLAN (1) was added (0).
        #expect(write(other, [0, 0, 0, 0, 1, 0, 0, 0] as [UInt8], 8) == 8)
        let lever = RadioSwitchLever(path: path)
        lever.set(isOn: false, for: nil, take)
        #expect(answers.all.last??.description == "\(path) has no switch of type gps")
        #expect(write(other, [1, 0, 0, 0, 6, 0, 0, 0] as [UInt8], 8) == 8)
        lever.set(isOn: false, for: nil, take)
        #expect(read(other, &block, 64) == 8)
        #expect(block.prefix(8) == [0, 0, 0, 0, 6, 3, 1, 0])
        #expect(answers.all.last == .some(nil))
    }

    // proc(5), net/tcp: own and other address in hexadecimal, state 01 is ESTABLISHED, 0A LISTEN.
    @Test func `clients of gpsd are the established connections to its port`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
               0: 0100007F:0B83 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0
               1: 0100007F:0B83 0100007F:A0F2 01 00000000:00000000 00:00000000 00000000     0
               2: 0100007F:A0F2 0100007F:0B83 01 00000000:00000000 00:00000000 00000000     0
               3: 0100007F:0B83 0100007F:A0F4 06 00000000:00000000 00:00000000 00000000     0
            """
        #expect(GPSDClients.count(port: 2947, in: table) == 1)
        #expect(GPSDClients.count(port: 2948, in: table) == 0)
    }
}
