import Foundation
import GNSS
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A receiver that is put to sleep by its own command, on the gpsd that people run.
///
/// Each first start takes some seconds for gpsd's probing and half a minute for the ephemeris.
@Suite(.enabled(if: Bench.isPossible)) struct SleepTests {
    private static let hexdata = ["Receiver.Power=hexdata", "Receiver.SleepCommand=ublox"]

    @Test(.enabled(if: Bench.isLong))
    func `interval sleeps and wakes, cycle after cycle, and is verified`() throws {
        let bench = try Bench(.ublox)
        try bench.startGPSD()
        try bench.startDaemon(interval: 9, Self.hexdata)
        let wanted = Bench.cycles ?? 4
        try bench.serve(upTo: 80 + 12 * Double(wanted)) {
            bench.receiver.sleeps.count > wanted
        }
        try bench.wait(upTo: 10) { state, saving in
            state == "verified"
                && saving == "the receiver sleeps by its own command: the line is silent"
        }
        #expect(try bench.endDaemon(SIGTERM) == 0)
        let cycles = try bench.cycles()
        #expect(cycles.count >= wanted)
        for cycle in cycles.dropFirst().dropLast() {
            #expect(cycle.beganBecause == "interval")
            #expect(cycle.endedBecause == "fix")
            #expect(cycle.kept >= 1)
        }
        // The second start reads the ephemeris still.
        let times = try bench.recordedTimes().dropFirst(2)
        let periods = zip(times.dropFirst(), times).map { $0 - $1 }
        let good = periods.count { abs($0 - 9) <= 1 }
        #expect(periods.count >= wanted - 3)
        #expect(Double(good) >= 0.95 * Double(periods.count), "\(periods)")
    }

    @Test(.enabled(if: Bench.isLong))
    func `while the receiver is off the daemon wakes less than once a minute`() throws {
        let bench = try Bench(.ublox)
        try bench.startGPSD()
        try bench.startDaemon(interval: 600, Self.hexdata)
        try bench.serve(upTo: 90) { bench.receiver.isAsleep }
        try bench.wait(upTo: 30) { state, _ in state == "verified" }
        let end = Date().addingTimeInterval(180)
        let before = try bench.daemonWakeUps()
        try bench.serve(upTo: 200) { Date() >= end }
        #expect(bench.receiver.isAsleep)
        #expect(try bench.daemonWakeUps() - before < 3)
    }

    @Test(.enabled(if: Bench.isLong))
    func `a receiver asleep at the end of the daemon is woken by it`() throws {
        let bench = try Bench(.ublox)
        try bench.startGPSD()
        try bench.startDaemon(interval: 600, Self.hexdata)
        try bench.serve(upTo: 90) { bench.receiver.isAsleep }
        #expect(try bench.endDaemon(SIGTERM) == 0)
        #expect(!bench.receiver.isAsleep)
    }

    @Test func `a receiver asleep when the daemon is killed is woken by the unit's stop hook`()
        throws
    {
        let bench = try Bench(.ublox)
        try bench.startGPSD()
        try bench.startDaemon(interval: 600, Self.hexdata)
        try bench.serve(upTo: 90) { bench.receiver.isAsleep }
        try bench.endDaemon(SIGKILL)
        #expect(bench.receiver.isAsleep)
        #expect(try bench.receiverOn() == 0, "\(bench.said)")
        #expect(!bench.receiver.isAsleep)
    }

    @Test(.enabled(if: Bench.isLong))
    func `a gpsd that is restarted while the receiver sleeps loses nothing`() throws {
        let bench = try Bench(.mediatek)
        try bench.startGPSD()
        try bench.startDaemon(
            interval: 20, ["Receiver.Power=hexdata", "Receiver.SleepCommand=mtk"])
        try bench.serve(upTo: 90) { bench.receiver.isAsleep }
        bench.killGPSD()
        try bench.startGPSD()
        let sleeps = bench.receiver.sleeps.count
        // It is woken for the next fix, which is recorded, and sleeps again.
        try bench.serve(upTo: 90) { bench.receiver.sleeps.count > sleeps }
        try bench.endDaemon(SIGTERM)
        let cycles = try bench.cycles()
        #expect(cycles.count >= 2)
        #expect(cycles.dropFirst().first?.kept ?? 0 >= 1)
    }

    @Test func `a receiver that does not obey is told so, and the watch is released instead`()
        throws
    {
        let bench = try Bench(.deaf)
        try bench.startGPSD()
        try bench.startDaemon(interval: 15, Self.hexdata)
        try bench.wait(upTo: 90) { state, saving in
            state == "no_effect"
                && saving
                    == "off saves host wake-ups only: the receiver went on sending after hexdata"
        }
        let status = try #require(try bench.receiverStatus())
        #expect(status["lever"] as? String == "gpsd")
    }

    @Test(.enabled(if: Bench.isLong)) func `gpsd may not write under -b, which is said`() throws {
        let bench = try Bench(.ublox)
        try bench.startGPSD(["-b"])
        try bench.startDaemon(interval: 15, Self.hexdata)
        // Up to 3.22 gpsd refuses without a word: the line tells.
        try bench.wait(upTo: 90) { state, _ in state == "failed" || state == "no_effect" }
    }
}
