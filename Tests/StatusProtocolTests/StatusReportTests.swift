import GNSS
import JSON
import StatusProtocol
import Testing

@Suite struct StatusReportTests {
    @Test func `the satellites are summed up by system`() throws {
        let systems = try #require(full.sky?.systems)
        #expect(systems.map(\.name) == ["gps", "galileo", "unknown"])
        #expect(systems.map(\.seen) == [2, 1, 1])
        #expect(systems.map(\.used) == [1, 0, 0])
        #expect(systems.map(\.signal) == [42, nil, nil])
        #expect(SkySummary(SkyView()) == nil)
    }

    private var full: StatusReport {
        var report = StatusReport()
        report.version = "0.1.0"
        report.pid = 42
        report.uptime = 12.5
        report.time = UTCTime("2026-05-01T10:00:00.250Z")
        report.isClockTrusted = true
        report.source.kind = "gpsd"
        report.source.name = "localhost:2947"
        report.source.state = "connected"
        report.source.stateAge = 3
        report.source.detail = "localhost:2947: Connection refused"
        report.source.release = "3.22"
        var receiver = SourceReceiver()
        receiver.path = "/dev/ttyACM0"
        receiver.driver = "u-blox"
        receiver.isActive = true
        receiver.isChosen = true
        report.source.receivers = [receiver]
        var sky = SkyView()
        sky.jamming = 12
        sky.antenna = 1
        sky.dop.hdop = 0.9
        for (system, signal) in [(.gps, 40), (.gps, 44), (.galileo, 0), (nil, nil)]
            as [(Constellation?, Double?)]
        {
            sky.satellites.append(
                Satellite(
                    constellation: system, prn: 5, elevation: nil, azimuth: nil, signal: signal,
                    used: signal == 44))
        }
        report.sky = SkySummary(sky)
        report.source.counts.lines = 90
        report.source.counts.badChecksum = 30
        report.receiver.state = "on"
        report.receiver.stateAge = 1
        report.receiver.policy = "interval"
        report.receiver.nextWake = 300.125
        var fix = Fix(
            time: UTCTime("2026-05-01T10:00:00Z"), latitude: -51.123456789, longitude: 179.5,
            mode: .threeD)
        fix.timeOfDay = 36_000_000
        fix.status = .rtkFloat
        fix.altitudeMSL = 12.125
        fix.altitudeHAE = -3
        fix.geoidSeparation = 45.5
        fix.speed = 1.5
        fix.course = 359.99
        fix.climb = -0.5
        fix.heading = 1
        fix.errors.eph = 2.5
        fix.errors.epv = 3.5
        fix.errors.eps = 0.25
        fix.errors.epc = 4
        fix.errors.ept = 0.005
        fix.dop.hdop = 0.9
        fix.dop.vdop = 1.1
        fix.dop.pdop = 1.4
        fix.dop.tdop = 0.7
        fix.dop.gdop = 1.6
        fix.satellitesUsed = 9
        fix.satellitesSeen = 21
        var last = FixReport()
        last.fix = fix
        last.flags = [.lowAccuracy, .conflict]
        last.sequence = 77
        last.isDurable = true
        last.age = 0.75
        report.lastFix = last
        report.counts.kept = 5
        report.counts.count(.lowAccuracy)
        report.counts.count([.outlier, .nullIsland])
        var pause = PauseReport()
        pause.isPaused = true
        pause.age = 3.5
        pause.resumesIn = 7
        report.pause = pause
        report.track.segment = 3
        report.track.gap = "asleep"
        report.track.gapAge = 60
        var store = StoreReport()
        store.path = "/var/lib/tracklog/track \"1\".db"
        store.state = "ok"
        store.bytes = 1 << 40
        store.fixes = 100
        store.durableSequence = 70
        store.lastCommitAge = 4
        store.queue = 7
        store.dropped = 1
        report.store = store
        report.nextEvent = NextEvent("commit", due: 5.5)
        report.clients.connected = 1
        report.clients.accepted = 9
        report.clients.refused = 2
        report.clients.dropped = 3
        return report
    }

    @Test func `a report is read as it was written`() throws {
        var buffer = TextBuffer()
        buffer.append(full)
        #expect(try StatusReport(JSONValue.parse(buffer.bytes)) == full)
    }

    @Test func `an empty report leaves out what is absent`() throws {
        var buffer = TextBuffer()
        buffer.append(StatusReport())
        let value = try JSONValue.parse(buffer.bytes)
        #expect(try StatusReport(value) == StatusReport())
        for name in ["time", "fix", "store", "next_event"] { #expect(value[name] == nil) }
        #expect(value["counts"]?["rejected"] == .object(JSONObject()))
    }

    @Test func `every member that is written is described, with its type`() throws {
        var buffer = TextBuffer()
        buffer.append(full)
        let value = try JSONValue.parse(buffer.bytes)
        var description = TextBuffer()
        Method.status.append(to: &description)
        let schema = try #require(try JSONValue.parse(description.bytes)["result"])
        expect(value, follows: schema, at: "status")
    }

    @Test func `a member that is missing or of the wrong type is named`() throws {
        var buffer = TextBuffer()
        buffer.append(full)
        var object = try #require(try JSONValue.parse(buffer.bytes).object)
        object["a later member"] = .null
        #expect(try StatusReport(.object(object)) == full)
        var source = object["source"]?.object
        source?["state"] = nil
        object["source"] = source.map { .object($0) }
        #expect(throws: DecodeError.self) { try StatusReport(.object(object)) }
        #expect(
            (try? StatusReport(.object(object))) == nil
                && failure(.object(object))?.field == "status.source.state")
        object["uptime"] = .string("long")
        #expect(failure(.object(object))?.field == "status.uptime")
        #expect(failure(.array([]))?.field == "status")
    }

    private func failure(_ value: JSONValue) -> DecodeError? {
        do throws(DecodeError) {
            _ = try StatusReport(value)
            return nil
        } catch {
            return error
        }
    }

    @Test func `withheld coordinates leave the rest of the last fix`() throws {
        var report = FixReport()
        report.age = 2
        report.sequence = 9
        var buffer = TextBuffer()
        buffer.append(report)
        #expect(buffer.string == #"{"sequence":9,"durable":false,"age":2}"#)
    }

    @Test(arguments: ["10:00:00.000", "23:59:59.999", "23:59:60.500"])
    func `a time of day without a date survives`(text: String) throws {
        var object = JSONObject()
        object["time"] = .null
        object["tod"] = .string(text)
        object["lat"] = .integer(1)
        object["lon"] = .integer(2)
        object["mode"] = .integer(2)
        let fix = try #require(Fix(members: object))
        #expect(fix.time == nil)
        var buffer = TextBuffer()
        buffer.appendMembers(of: fix)
        #expect(
            buffer.string.contains(
                "\"tod\":\"\(text.hasPrefix("23:59:60") ? "24:00:00.500" : text)\""))
    }

    // Issue 2 asks for a hint when a third or more of the input is bad.
    @Test(arguments: [(30, 10, 0, true), (30, 9, 0, false), (29, 29, 0, false), (90, 0, 90, true)])
    func `bad input is pointed out from a third of it on`(
        lines: Int64, bad: Int64, missing: Int64, told: Bool
    ) {
        var source = SourceReport()
        source.counts.lines = lines
        source.counts.badChecksum = bad
        source.counts.missingChecksum = missing
        #expect((source.inputQuality != nil) == told)
    }
}

@Suite struct UnixAddressTests {
    // sun_path has 108 bytes with its NUL: unix(7).
    @Test func `an address fits the system's or is refused`() throws {
        let longest = "/" + String(repeating: "a", count: 106)
        #expect(try UnixAddress(longest).text == longest)
        let long = UnixAddress.Invalid.tooLong(path: longest + "b", limit: 107)
        #expect(throws: long) { try UnixAddress(longest + "b") }
        #expect("\(long)".hasPrefix("\(longest)b: ") && "\(long)".hasSuffix("107 bytes, not 108"))
        #expect(throws: UnixAddress.Invalid.empty) { try UnixAddress("") }
        #expect(throws: UnixAddress.Invalid.empty) { try UnixAddress("@") }
        #expect(throws: UnixAddress.Invalid.nul) { try UnixAddress("a\u{0}b") }
        #expect(
            try UnixAddress("/run/t/d.sock").control?.text == "/run/t-control/d.sock"
                && UnixAddress("t/s").control?.text == "t-control/s")
        for path in ["@name/s", "s", "./s", "../s", "/s", "a//s"] {
            #expect(try UnixAddress(path).control == nil)
        }
        #expect(try UnixAddress("@name").isAbstract)
        #expect(try !UnixAddress("./s").isAbstract)
    }
}
