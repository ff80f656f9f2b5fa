import Foundation
import GNSS
import Platform
import Receiver
import Scheduling
import Testing

@Suite struct GPSDSourceTests {
    private let loop: EventLoop
    private let fake = FakeGPSD()
    private var settings = GPSDSource.Settings()

    init() throws {
        loop = try EventLoop()
        settings.address = GPSDAddress(host: "127.0.0.1", port: fake.port)
        settings.watchdog.answersWithin = .seconds(0.5)
        settings.watchdog.silentAfter = .seconds(1)
        settings.watchdog.startsWithin = .seconds(2)
        settings.watchdog.repeatedAfter = .seconds(1)
    }

    /// A source on the fake, and the list its fixes go to.
    private func begin(_ settings: GPSDSource.Settings) throws -> (GPSDSource, Fixes) {
        let source = try GPSDSource(settings: settings, loop: loop)
        let fixes = Fixes()
        source.onEpoch = { epoch, at in
            if case .fix(let fix) = epoch { fixes.taken.append((fix, at)) }
        }
        source.onChange = { [unowned source] _ in fixes.states.append(source.status.state) }
        source.start()
        return (source, fixes)
    }

    private final class Fixes {
        var taken: [(fix: Fix, at: BootTime)] = []
        var states: [SourceState] = []
        var seconds: [Int] { taken.compactMap { $0.fix.second } }
    }

    @Test func `it connects, watches and hands on each epoch once`() throws {
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        #expect(fake.requests == ["?WATCH={\"enable\":true,\"json\":true}\r\n"])
        #expect(source.status.release == "3.22")
        for second in 0..<30 { fake.send(tpv(second)) }
        fake.send(tpv(29))
        try loop.run(fake.serve) { fixes.taken.count >= 30 }
        #expect(fixes.seconds == Array(0..<30))
        #expect(source.status.state == .streaming)
    }

    @Test func `satellites that are told of no longer are not in the sky`() throws {
        let list = """
            {"class":"SKY","device":"/dev/ttyS0","hdop":0.9,"satellites":[\
            {"PRN":5,"el":40.0,"az":120.0,"ss":38.0,"used":true}]}

            """
        var settings = settings
        settings.skyLasts = .seconds(0.3)
        let (source, _) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(list)
        try loop.run(fake.serve) { source.sky.satellites.count == 1 }
        // What says nothing of satellites renews none.
        fake.send("{\"class\":\"SKY\",\"device\":\"/dev/ttyS0\",\"hdop\":1.1}\n" + tpv(0))
        try loop.run(fake.serve) { source.sky.satellites.isEmpty }
        fake.send(list)
        try loop.run(fake.serve) { source.sky.satellites.count == 1 }
        fake.drop()
        try loop.run(fake.serve) { source.status.state == .unreachable }
        #expect(source.sky == SkyView())
    }

    @Test func `it waits for a gpsd that is not there yet`() throws {
        var settings = settings
        // A port that nobody listens on: that of a fake that is gone.
        settings.address.port = FakeGPSD().port
        let (source, fixes) = try begin(settings)
        try loop.run { source.status.state == .unreachable }
        #expect(source.status.detail.hasSuffix("Connection refused"))
        let since = source.status.since
        // Two attempts later it is the same trouble.
        let end = SystemClock.now + .seconds(3)
        try loop.run { SystemClock.now > end }
        #expect(source.status.since == since)
        #expect(fixes.states == [.connecting, .unreachable])
    }

    @Test func `it comes back when gpsd has closed the connection, and watches again`() throws {
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(tpv(0) + tpv(1))
        try loop.run(fake.serve) { fixes.taken.count == 2 }
        fake.drop()
        try loop.run(fake.serve) { source.status.state == .unreachable }
        try loop.run(upTo: 5, fake.serve) { source.status.state == .starting }
        // The last report of before comes once more, as from a receiver that repeats itself.
        fake.send(tpv(1) + tpv(2) + tpv(3))
        try loop.run(fake.serve) { fixes.taken.count == 4 }
        #expect(fixes.seconds == [0, 1, 2, 3])
        #expect(fake.requests.count == 2)
        #expect(source.status.connections == 2)
    }

    @Test func `a gpsd that was stopped is named, and found again`() throws {
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(tpv(0))
        try loop.run(fake.serve) { fixes.taken.count == 1 }
        fake.answers = false
        try loop.run(upTo: 10, fake.serve) { source.status.state == .gpsdSilent }
        fake.answers = true
        try loop.run(upTo: 10, fake.serve) { source.status.state == .starting }
        #expect(source.status.connections >= 2)
        fake.send(tpv(60))
        try loop.run(fake.serve) { source.status.state == .streaming }
    }

    @Test func `an old fix that is repeated makes no second fix and a state of its own`() throws {
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(tpv(0))
        try loop.run(fake.serve) { fixes.taken.count == 1 }
        try loop.run(
            upTo: 10,
            {
                fake.serve()
                fake.send(tpv(0))
            }
        ) { source.status.state == .oldFixRepeated }
        #expect(fixes.taken.count == 1)
    }

    @Test func `a gpsd without a receiver is named, and one that is plugged in is used`() throws {
        fake.devices = []
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .noReceiver }
        fake.send(
            "{\"class\":\"DEVICE\",\"path\":\"/dev/ttyACM1\","
                + "\"activated\":\"2026-05-01T10:00:00.000Z\"}\r\n")
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(tpv(0, device: "/dev/ttyACM1"))
        try loop.run(fake.serve) { fixes.taken.count == 1 }
        #expect(source.status.chosen == "/dev/ttyACM1")
        fake.send("{\"class\":\"DEVICE\",\"path\":\"/dev/ttyACM1\",\"activated\":0}\r\n")
        try loop.run(fake.serve) { source.status.state == .noReceiver }
    }

    @Test func `of two receivers one makes the track, and the other one when it dies`() throws {
        fake.devices = ["/dev/a", "/dev/b"]
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(tpv(0, device: "/dev/a") + tpv(0, device: "/dev/b"))
        fake.send(tpv(1, device: "/dev/a") + tpv(1, device: "/dev/b"))
        try loop.run(fake.serve) { fixes.taken.count == 2 && source.status.unused == 2 }
        #expect(fixes.taken.allSatisfy { $0.fix.device == 0 })
        fake.send("{\"class\":\"DEVICE\",\"path\":\"/dev/a\",\"activated\":0}\r\n")
        fake.send(tpv(2, device: "/dev/b"))
        try loop.run(fake.serve) { fixes.taken.count == 3 }
        #expect(source.deviceNames == ["/dev/a", "/dev/b"])
        #expect(fixes.taken.last?.fix.device == 1)
    }

    @Test func `a receiver that comes back under another path is taken at once`() throws {
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(tpv(0, device: "/dev/ttyACM0") + tpv(1, device: "/dev/ttyACM0"))
        fake.send(
            "{\"class\":\"DEVICE\",\"path\":\"/dev/ttyACM0\",\"activated\":0}\r\n"
                + "{\"class\":\"DEVICE\",\"path\":\"/dev/ttyACM1\",\"activated\":1}\r\n")
        fake.send(tpv(2, device: "/dev/ttyACM1") + tpv(3, device: "/dev/ttyACM1"))
        try loop.run(fake.serve) { fixes.taken.count >= 3 }
        #expect(fixes.seconds.prefix(3) == [0, 1, 2])
        #expect(source.status.unused == 0)
    }

    @Test func `a report that says two places is none`() throws {
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        fake.send(tpv(0) + tpv(1, ",\"lat\":-51") + tpv(2, ",\"x\":NaN,\"lat\":-51") + tpv(3))
        try loop.run(fake.serve) { fixes.taken.count >= 2 }
        #expect(fixes.seconds == [0, 3])
        #expect(source.counts.malformed == 2)
    }

    @Test func `a pinned receiver is asked for by name`() throws {
        var settings = settings
        settings.device = "/dev/\"odd"
        let (source, _) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .noReceiver }
        #expect(
            fake.requests == [
                "?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/\\\"odd\"}\r\n"
            ])
    }

    @Test func `a garbled stream costs the garbled lines only`() throws {
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        for second in 0..<10 {
            fake.send(tpv(second))
            fake.send("{\"class\":\"TPV\",\"mode\":3,\"lat\":12x}\r\n")
            fake.send("{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-05-01T1\r\n")
            fake.send("\u{0}\u{1}\u{FFFD}{{{\"\r\n")
        }
        try loop.run(fake.serve) { fixes.taken.count == 10 }
        #expect(fixes.seconds == Array(0..<10))
        #expect(source.counts.malformed == 30)
    }

    @Test
    func `reports left in the socket are drained together, in the time since the drain before`()
        throws
    {
        let (source, fixes) = try begin(settings)
        source.drain(every: .seconds(30))
        try loop.run(fake.serve) { source.status.connections == 1 && fake.requests.count == 1 }
        source.drainNow()
        let drained = loop.now
        for second in 0..<20 { fake.send(tpv(second)) }
        try loop.run(fake.serve) { fake.isDelivered }
        #expect(fixes.taken.isEmpty)
        source.drainNow()
        #expect(fixes.seconds == Array(0..<20))
        let arrivals = fixes.taken.map { $0.at }
        #expect(arrivals == arrivals.sorted())
        #expect(arrivals.allSatisfy { $0 >= drained && $0 <= loop.now })
    }

    /// gpsd reports an epoch after each of its sentences from 3.25 on.
    @Test func `an epoch of which a drain saw the beginning is whole in the next one`() throws {
        func half(_ second: Int, _ rest: String) -> String {
            tpv(second).replacingOccurrences(of: "}", with: ",\(rest)}")
        }
        let (source, fixes) = try begin(settings)
        var speeds: [Double?] = []
        let taken = source.onEpoch
        source.onEpoch = { epoch, at in
            if case .fix(let fix) = epoch { speeds.append(fix.speed) }
            taken?(epoch, at)
        }
        source.drain(every: .seconds(3600))
        try loop.run(fake.serve) { source.status.connections == 1 && fake.requests.count == 1 }
        for second in 0..<3 {
            fake.send(tpv(second) + half(second, "\"speed\":\(second + 1)"))
        }
        fake.send(tpv(3))
        try loop.run(fake.serve) { fake.isDelivered }
        source.drainNow()
        // Who asks again and again meanwhile does not get the half.
        for _ in 0..<20 { source.drainNow() }
        #expect(fixes.seconds == [0, 1, 2])
        fake.send(half(3, "\"speed\":4"))
        try loop.run(fake.serve) { fake.isDelivered }
        source.drainNow()
        // Nothing more comes: a look as late as a rest may be does not wait for it.
        for _ in 0..<2 {
            let end = loop.now + settings.completesAfter
            try loop.run { loop.now >= end }
            source.drainNow()
        }
        #expect(fixes.seconds == [0, 1, 2, 3])
        #expect(speeds == [1, 2, 3, 4])
    }

    @Test func `an epoch waits as long for its rest whenever the one before began`() throws {
        var settings = settings
        settings.completesAfter = .milliseconds(400)
        let (source, _) = try begin(settings)
        var speeds: [Double?] = []
        source.onEpoch = { epoch, _ in
            if case .fix(let fix) = epoch { speeds.append(fix.speed) }
        }
        func rest(_ second: Int) -> String { tpv(second, ",\"speed\":\(second + 1)") }
        try loop.run(fake.serve) { source.status.connections == 1 && fake.requests.count == 1 }
        let begin = loop.now
        fake.send(tpv(0) + rest(0))
        try loop.run(fake.serve) { loop.now - begin >= .milliseconds(300) }
        fake.send(tpv(1))
        try loop.run(fake.serve) { speeds.count == 1 }
        // By now the one before would be complete by itself.
        try loop.run(fake.serve) { loop.now - begin >= .milliseconds(500) }
        fake.send(rest(1))
        try loop.run(fake.serve) { speeds.count == 2 }
        #expect(speeds == [1, 2])
    }

    @Test func `a report that comes in crumbs belongs to its epoch`() throws {
        var settings = settings
        settings.completesAfter = .seconds(10)
        let (source, _) = try begin(settings)
        var speeds: [Double?] = []
        source.onEpoch = { epoch, _ in
            if case .fix(let fix) = epoch { speeds.append(fix.speed) }
        }
        try loop.run(fake.serve) { source.status.connections == 1 && fake.requests.count == 1 }
        fake.send(tpv(0) + tpv(0) + tpv(1))
        try loop.run(fake.serve) { speeds.count == 1 }
        for crumb in tpv(1, ",\"speed\":2") {
            fake.send(String(crumb))
            try loop.run(fake.serve) { fake.isDelivered }
            source.drainNow()
        }
        fake.send(tpv(2))
        try loop.run(fake.serve) { speeds.count == 2 }
        #expect(speeds == [nil, 2])
    }

    @Test func `a connection that is lost wakes a draining source`() throws {
        let (source, fixes) = try begin(settings)
        source.drain(every: .seconds(3600))
        try loop.run(fake.serve) { fake.requests.count == 1 }
        fake.send(tpv(0) + tpv(1))
        fake.drop()
        try loop.run(upTo: 5) { source.status.state == .unreachable }
        #expect(fixes.seconds == [0, 1])
    }

    @Test func `a source that is off keeps its connection and its silence`() throws {
        let (source, fixes) = try begin(settings)
        try loop.run(fake.serve) { source.status.state == .starting }
        source.unwatch()
        try loop.run(fake.serve) { fake.requests.last == "?WATCH={\"enable\":false}\r\n" }
        let before = source.counts.lines
        fake.send(tpv(0))
        try loop.run(fake.serve) { source.counts.lines > before }
        #expect(source.status.state == .off)
        source.start()
        try loop.run(fake.serve) { fake.requests.count == 3 }
        fake.send(tpv(1))
        try loop.run(fake.serve) { source.status.state == .streaming }
        #expect(fake.connections == 1)
        #expect(fixes.seconds == [1])
    }

    @Test func `a name is looked up without stopping the loop`() throws {
        var settings = settings
        settings.address.host = "no-such-host.invalid"
        let (source, _) = try begin(settings)
        #expect(source.status.state == .resolving)
        try loop.run { source.status.state == .resolveFailed }
        source.stop()
        #expect(source.status.state == .off)
    }
}
