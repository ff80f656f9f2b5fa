import Foundation
import GNSS
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Levers that are programs, and gpsd's own hold, on the gpsd that people run.
@Suite(.enabled(if: Bench.isPossible && Bench.isLong)) struct PowerLeverTests {
    /// Programs that write what they are, as a script of a person's would.
    private func program(_ bench: Bench, _ name: String, _ body: String) throws -> String {
        let path = bench.path(name)
        try "#!/bin/sh\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o755)
        return path
    }

    /// Lets the programs of `bench` switch its receiver by a file.
    private func power(_ bench: Bench) {
        let isOff = FileManager.default.fileExists(atPath: bench.path("off"))
        if isOff != bench.receiver.isAsleep { bench.receiver.setPower(isOn: !isOff) }
    }

    @Test func `two programs switch the receiver, and again after a kill`() throws {
        let bench = try Bench(.deaf)
        let off = try program(bench, "turn-off", "touch \(bench.path("off"))")
        let on = try program(bench, "turn-on", "rm -f \(bench.path("off"))")
        try bench.startGPSD()
        try bench.startDaemon(
            interval: 12,
            ["Receiver.Power=command", "Receiver.OffCommand=\(off)", "Receiver.OnCommand=\(on)"])
        try bench.wait(upTo: 90) { state, saving in
            power(bench)
            return state == "verified" && saving == "the receiver is off: the line is silent"
        }
        try bench.serve(upTo: 30) {
            power(bench)
            return try bench.cycles().count >= 2
        }
        try bench.serve(upTo: 30) {
            power(bench)
            return bench.receiver.isAsleep
        }
        try bench.endDaemon(SIGKILL)
        #expect(FileManager.default.fileExists(atPath: bench.path("off")))
        #expect(try bench.receiverOn() == 0, "\(bench.said)")
        #expect(!FileManager.default.fileExists(atPath: bench.path("off")))
    }

    @Test(arguments: [
        ("exit 3", "ended with 3"), ("sleep 1000", "was not done within 1.0 s"),
    ])
    func `a program that fails or hangs is told, and the watch is released instead`(
        body: String, words: String
    ) throws {
        let bench = try Bench(.deaf)
        let off = try program(bench, "turn-off", body)
        let on = try program(bench, "turn-on", "exit 0")
        try bench.startGPSD()
        try bench.startDaemon(
            interval: 12,
            [
                "Receiver.Power=command", "Receiver.OffCommand=\(off)",
                "Receiver.OnCommand=\(on)", "Receiver.SwitchTimeout=1s",
            ])
        try bench.wait(upTo: 90) { state, saving in
            state == "failed" && saving.hasPrefix("off saves host wake-ups only: command failed: ")
                && saving.hasSuffix(words)
        }
        // The track does not suffer.
        let before = try bench.cycles().count
        try bench.serve(upTo: 40) { try bench.cycles().count >= before + 2 }
        #expect(try bench.cycles().allSatisfy { $0.kept > 0 })
    }

    @Test func `a gpsd that closes the device a minute later is verified`() throws {
        let bench = try Bench(.deaf)
        try bench.startGPSD()
        try bench.startDaemon(interval: 600, [])
        try bench.wait(upTo: 150) { state, saving in
            state == "verified"
                && saving.hasPrefix("gpsd has closed the device; the receiver draws")
        }
    }

    @Test func `a gpsd with -n keeps the receiver on, which is said`() throws {
        let bench = try Bench(.deaf)
        try bench.startGPSD(["-n"])
        try bench.startDaemon(interval: 600, [])
        try bench.wait(upTo: 150) { state, saving in
            state == "no_effect"
                && saving
                    == "off saves host wake-ups only: gpsd keeps the receiver on because it was started with -n"
        }
    }

    @Test func `another client keeps the receiver on, and its fixes are taken for nothing`() throws
    {
        let bench = try Bench(.ublox)
        try bench.startGPSD()
        var client: Int32?
        try bench.serve(upTo: 5) {
            client = bench.otherClient()
            return client != nil
        }
        let other = try #require(client)
        defer { close(other) }
        var block = [UInt8](repeating: 0, count: 65536)
        try bench.startDaemon(
            interval: 15, ["Receiver.Power=hexdata", "Receiver.SleepCommand=ublox"])
        try bench.wait(upTo: 90) { state, saving in
            _ = read(other, &block, block.count)
            return state == "no_effect" && saving.contains("another client uses gpsd")
        }
        #expect(bench.receiver.sleeps.isEmpty)
        let before = bench.receiver.epochs
        try bench.serve(upTo: 30) {
            _ = read(other, &block, block.count)
            return bench.receiver.epochs > before + 20
        }
        try bench.endDaemon(SIGTERM)
        let cycles = try bench.cycles()
        #expect(cycles.last?.beganBecause == "held")
        #expect(cycles.last?.kept ?? 0 > 5)
    }
}
