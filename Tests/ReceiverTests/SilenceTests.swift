import GNSS
import Platform
import Receiver
import Scheduling
import Testing

/// What is noticed of a silence while reports wait in the socket, and of one receiver while another one reports.
@Suite struct SilenceTests {
    private let loop: EventLoop
    private let fake = FakeGPSD()
    private var settings = GPSDSource.Settings()

    init() throws {
        loop = try EventLoop()
        settings.address = GPSDAddress(host: "127.0.0.1", port: fake.port)
        settings.looksEvery = .milliseconds(200)
        settings.watchdog.silentAfter = .seconds(2)
        settings.watchdog.answersWithin = .milliseconds(500)
    }

    private func report(_ milliseconds: Int, device: String = "/dev/gnss0") -> String {
        let time = UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000 + milliseconds)
        return "{\"class\":\"TPV\",\"device\":\"\(device)\",\"mode\":3,\"time\":\"\(time)\","
            + "\"lat\":51.0,\"lon\":0.5}\r\n"
    }

    /// A source that streams and leaves what comes in the socket for an hour.
    private func draining(_ settings: GPSDSource.Settings? = nil) throws -> GPSDSource {
        let source = try GPSDSource(settings: settings ?? self.settings, loop: loop)
        // As the daemon does: what is not well is read as it comes.
        source.onChange = { [unowned source] _ in
            source.drain(every: source.status.state == .streaming ? .seconds(3600) : nil)
        }
        source.start()
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(report(0) + report(100) + report(200))
        try loop.run(fake.serve) { source.status.state == .streaming }
        source.drainNow()
        return source
    }

    @Test(arguments: [SourceState.gpsdSilent, .receiverSilent])
    func `a silence is noticed long before the socket is due to be drained`(state: SourceState)
        throws
    {
        let source = try draining()
        fake.answers = state == .receiverSilent
        let began = loop.now
        try loop.run(upTo: 10, fake.serve) { source.status.state == state }
        #expect(loop.now - began < .seconds(5))
        fake.answers = true
        try loop.run(upTo: 10) {
            fake.serve()
            fake.send(report(10_000 + Int((loop.now - began).milliseconds)))
        } until: {
            source.status.state == .streaming
        }
    }

    @Test func `reports that come are looked after and not read before they are due`() throws {
        let source = try draining()
        let before = source.counts.bytes
        let began = loop.now
        var sent = 0
        try loop.run(upTo: 10) {
            let due = Int((loop.now - began).milliseconds) / 100
            if due > sent { fake.send(report(200 + due * 100)) }
            sent = due
        } until: {
            loop.now - began >= .seconds(3)
        }
        #expect(source.counts.bytes == before)
        try loop.run { fake.isDelivered }
        source.drainNow()
        #expect(source.counts.bytes > before)
        #expect(source.status.state == .streaming)
    }

    @Test func `a fix that is repeated while nobody reads is no silence`() throws {
        var settings = settings
        settings.watchdog.repeatedAfter = .seconds(1)
        settings.looksEvery = .seconds(3600)
        let source = try draining(settings)
        let drained = loop.now
        for _ in 0..<30 { fake.send(report(300)) }
        try loop.run(upTo: 5) { loop.now - drained > settings.watchdog.silentAfter }
        var states: [SourceState] = []
        source.onChange = { [unowned source] _ in states.append(source.status.state) }
        source.drainNow()
        #expect(states.first == .oldFixRepeated)
    }

    @Test func `the last epoch of a receiver that died does not wait for the end of a drain`()
        throws
    {
        fake.devices = ["/dev/a", "/dev/b"]
        let source = try GPSDSource(settings: settings, loop: loop)
        var order: [String] = []
        source.onHeard = { order.append("heard") }
        source.onEpoch = { epoch, _ in
            if case .fix(let fix) = epoch { order.append("a\(fix.second ?? -1)") }
        }
        source.start()
        try loop.run(fake.serve) { source.status.state == .starting }
        source.drain(every: .seconds(3600))
        // Each epoch is reported twice, as gpsd does after each sentence.
        for second in 0..<9 {
            let devices = second < 3 ? ["/dev/a", "/dev/b"] : ["/dev/b"]
            for device in devices + devices { fake.send(tpv(second, device: device)) }
        }
        try loop.run { fake.isDelivered }
        source.drainNow()
        let place = try #require(order.firstIndex(of: "a2"))
        #expect(order.count - place > 3, "\(order)")
    }

    /// Whether the other one takes over after the silence of the first was told, or before.
    @Test(arguments: [2.5, 1])
    func `a receiver that is silent is told while another one reports`(fallsBackAfter: Double)
        throws
    {
        var settings = settings
        settings.watchdog.silentAfter = .seconds(1.5)
        settings.choice.fallsBackAfter = .seconds(fallsBackAfter)
        fake.devices = ["/dev/a", "/dev/b"]
        let source = try GPSDSource(settings: settings, loop: loop)
        var changes: [String] = []
        source.onChange = { [unowned source] _ in
            changes.append("\(source.status.state.name) \(source.status.chosen ?? "none")")
        }
        source.start()
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(report(0, device: "/dev/a") + report(0, device: "/dev/b"))
        fake.send(report(300, device: "/dev/a") + report(300, device: "/dev/b"))
        try loop.run(fake.serve) { source.status.unused > 0 }
        #expect(source.status.chosen == "/dev/a")
        changes = []
        let began = loop.now
        var sent = 0
        try loop.run(upTo: 10) {
            fake.serve()
            let due = Int((loop.now - began).milliseconds) / 300
            if due > sent { fake.send(report(300 + due * 300, device: "/dev/b")) }
            sent = due
        } until: {
            changes.count >= 2
        }
        #expect(changes == ["receiver_silent /dev/a", "streaming /dev/b"])
    }
}
