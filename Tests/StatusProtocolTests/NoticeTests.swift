import GNSS
import JSON
import StatusProtocol
import Testing

@Suite struct NoticeTests {
    private var sky: SkyView {
        var sky = SkyView()
        sky.time = UTCTime("2026-05-01T10:00:00Z")
        sky.dop.hdop = 0.9
        sky.dop.vdop = 1.1
        sky.dop.pdop = 1.5
        sky.dop.tdop = 0.5
        sky.dop.gdop = 1.75
        sky.satellites = [
            Satellite(
                constellation: .galileo, prn: 11, elevation: 45.5, azimuth: 359, signal: 40.25,
                used: true),
            Satellite(
                constellation: nil, prn: -1, elevation: nil, azimuth: nil, signal: nil, used: false),
        ]
        return sky
    }

    private func schema(_ append: (inout TextBuffer) -> Void, _ member: String) throws -> JSONValue
    {
        var buffer = TextBuffer()
        append(&buffer)
        return try #require(try JSONValue.parse(buffer.bytes)[member])
    }

    @Test func `a sky view is read as it was written, and as it is described`() throws {
        var buffer = TextBuffer()
        buffer.append(sky)
        let value = try JSONValue.parse(buffer.bytes)
        #expect(try SkyView(value) == sky)
        expect(
            value, follows: try schema({ Method.sky.append(to: &$0) }, "result"), at: "sky")
    }

    @Test func `an event is read as it was written, and as it is described`() throws {
        let gap = Gap(after: 3, begin: nil, end: nil, duration: 1500, reason: .noSky)
        for event in [EventReport(gap), EventReport(segment: 7)] {
            var buffer = TextBuffer()
            buffer.append(event)
            let value = try JSONValue.parse(buffer.bytes)
            #expect(try EventReport(value) == event)
            let notice = try #require(Notice.all.first { $0.name == "event" })
            expect(value, follows: try schema(notice.append, "params"), at: "event")
        }
        #expect(EventReport(gap).reason == "no_sky")
        #expect(EventReport(gap).duration == 1.5)
    }

    @Test func `a cycle is read as it was written, and as it is described`() throws {
        var cycle = Cycle(began: 1000, because: "interval")
        cycle.ended = 31_500
        cycle.endedBecause = "fix"
        cycle.timeToFirstFix = 4250
        cycle.fixes = 9
        cycle.kept = 7
        cycle.bestEPH = 2.5
        let report = CycleReport(cycle)
        #expect(report.duration == 30.5)
        #expect(report.timeToFirstFix == 4.25)
        var buffer = TextBuffer()
        buffer.append(report)
        let value = try JSONValue.parse(buffer.bytes)
        #expect(try CycleReport(value) == report)
        let notice = try #require(Notice.all.first { $0.name == "cycle" })
        expect(value, follows: try schema(notice.append, "params"), at: "cycle")
    }

    @Test func `each kind that can be watched has its notification`() {
        #expect(Set(Notice.all.map(\.kind)) == Set(WatchKinds.names.map(\.kind)))
    }

    @Test func `small replies are as described`() throws {
        var version = TextBuffer()
        version.append(VersionReport(program: "1.0"))
        expect(
            try JSONValue.parse(version.bytes),
            follows: try schema({ Method.version.append(to: &$0) }, "result"), at: "version")
        var flush = TextBuffer()
        flush.append(FlushReport(durableSequence: 9))
        expect(
            try JSONValue.parse(flush.bytes),
            follows: try schema({ Method.flush.append(to: &$0) }, "result"), at: "flush")
    }

    @Test func `counts of any size do not trap the reader`() {
        var source = SourceReport()
        source.counts.lines = .max
        source.counts.badChecksum = .max
        source.counts.malformed = .max
        #expect(source.inputQuality?.hasPrefix("100 %") == true)
        var verdicts = VerdictCounts()
        verdicts.rejected = [.outlier: .max, .nullIsland: .max]
        #expect(verdicts.totalRejected == -2)
    }
}
