import Foundation
import GNSS
import Platform
import Receiver
import Scheduling
import Testing

/// A source that is told to change its ways in the middle of what it delivers, or is flooded.
@Suite struct DrainedDeliveryTests {
    private let loop: EventLoop
    private let fake = FakeGPSD()
    private var settings = GPSDSource.Settings()

    init() throws {
        loop = try EventLoop()
        settings.address = GPSDAddress(host: "127.0.0.1", port: fake.port)
    }

    private func report(_ milliseconds: Int, mode: Int = 3) -> String {
        let time = UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000 + milliseconds)
        let place = mode == 3 ? ",\"lat\":51.0,\"lon\":0.5\(milliseconds)" : ""
        return "{\"class\":\"TPV\",\"device\":\"/dev/gnss0\",\"mode\":\(mode),\"time\":\"\(time)\""
            + "\(place)}\r\n"
    }

    @Test func `a change within a drain makes the rest of it neither late nor missed`() throws {
        var settings = settings
        settings.watchdog.silentAfter = .seconds(0.5)
        settings.watchdog.noFixAfter = .seconds(0.2)
        let source = try GPSDSource(settings: settings, loop: loop)
        var states: [SourceState] = []
        var arrivals: [BootTime] = []
        source.onEpoch = { _, at in arrivals.append(at) }
        // As the daemon does: what is not well is read as it comes.
        source.onChange = { [unowned source] _ in
            states.append(source.status.state)
            source.drain(every: source.status.state == .streaming ? .seconds(3600) : nil)
        }
        source.start()
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(report(0))
        try loop.run(fake.serve) { source.status.state == .streaming }
        source.drainNow()
        let drained = loop.now
        // Two seconds in which nobody looks, by the receiver's clock and by ours.
        try loop.run(upTo: 5) { loop.now - drained >= .seconds(2) }
        for number in 1...19 { fake.send(report(number * 100, mode: number < 5 ? 3 : 1)) }
        try loop.run { fake.isDelivered }
        states = []
        arrivals = []
        source.drainNow()
        #expect(states == [.noFix])
        #expect(arrivals.count == 19)
        let steps = zip(arrivals, arrivals.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 == .milliseconds(100) }, "\(steps)")
    }

    @Test func `a source that goes while an epoch is half here leaves nothing behind`() throws {
        for interval in [nil, TimeSpan.seconds(3600)] {
            let fake = FakeGPSD()
            var settings = settings
            settings.address = GPSDAddress(host: "127.0.0.1", port: fake.port)
            var source: GPSDSource? = try GPSDSource(settings: settings, loop: loop)
            source?.start()
            try loop.run(fake.serve) { source?.status.state == .starting }
            fake.send(report(0) + report(0) + report(1000))
            try loop.run(fake.serve) { source?.status.state == .streaming }
            source?.drain(every: interval)
            fake.send(report(2000) + report(2000) + report(3000, mode: 1))
            try loop.run { fake.isDelivered }
            source?.drainNow()
            source = nil
        }
        // What is left in the loop would be called now.
        let end = loop.now + .milliseconds(500)
        try loop.run(upTo: 5) { loop.now >= end }
    }

    @Test func `a flood leaves the loop time for others`() throws {
        let source = try GPSDSource(settings: settings, loop: loop)
        source.start()
        try loop.run(fake.serve) { source.status.state == .starting }
        let flood = fake.flood(bytes: 1 << 30)
        defer { flood.end() }
        let before = source.counts.bytes
        var turns = 0
        try loop.run(upTo: 10) {
            turns += 1
            return source.counts.bytes > before && turns > 3
        }
        #expect(!flood.isOver)
    }

    @Test func `what does not greet is not called gpsd`() throws {
        fake.answers = false
        let source = try GPSDSource(settings: settings, loop: loop)
        source.start()
        try loop.run(fake.serve) { fake.requests.count == 1 }
        fake.send("SSH-2.0-OpenSSH_9.2p1 Debian\r\nInvalid SSH identification string.\r\n")
        fake.drop()
        try loop.run { source.status.state == .unreachable }
        #expect(source.status.detail.hasSuffix("what answers there is not gpsd"))
    }
}
