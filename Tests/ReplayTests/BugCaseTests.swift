import Foundation
import GNSS
import NMEA
import Testing

/// The cases of public bug reports in `Fixtures/bugs`; what each is about stands in its
/// expectation's name in the corpus.
@Suite struct BugCaseTests {
    static let cases = [
        "B001", "B003", "B006", "B008", "B009", "B012", "B014", "B016", "B018", "B019", "B020",
        "B022", "B025", "B026", "B028", "B030", "B034", "B037", "B041", "B044", "B045", "B048",
        "B050", "B086", "B089", "B091", "B092", "B093", "B096",
    ]

    /// The floor date the cases are written for.
    static var settings: NMEADecoder.Settings {
        var settings = NMEADecoder.Settings()
        settings.floor = UTCTime(year: 2026, month: 1, day: 1)
        return settings
    }

    @Test(arguments: cases)
    func `the raw layer of each case is as expected, byte by byte too`(_ id: String) throws {
        let log = try Corpus.bug("\(id).nmea")
        let expected = try ExpectedFix.read(Corpus.bug("\(id).expect.jsonl"))
        let whole = Decoded(log, BugCaseTests.settings)
        let result = FixComparison(
            whole.fixes, expected, merges: !["B050", "B089"].contains(id))
        #expect(result.complaints == [])
        let required = expected.filter { $0.optional != true }.count
        #expect(result.matched == required)
        #expect(Decoded(log, BugCaseTests.settings, pieces: 1).epochs == whole.epochs)
    }

    @Test func `B014 a sentence without a checksum is refused and counted after one with`() throws {
        let counts = try Decoded(Corpus.bug("B014.nmea")).counts
        #expect(counts.missingChecksum == 1)
        #expect(counts.accepted == 2)
    }

    @Test func `B016 a short sentence with a right checksum is malformed`() throws {
        let counts = try Decoded(Corpus.bug("B016.nmea")).counts
        #expect(counts.malformed == 1)
    }

    @Test func `B019 a line that never ends is one rejection`() throws {
        let counts = try Decoded(Corpus.bug("B019.nmea")).counts
        #expect(counts.overlong == 1)
        #expect(counts.accepted == 2)
    }

    @Test func `B022 no satellite in view is nought and no error`() throws {
        let decoded = try Decoded(Corpus.bug("B022.nmea"))
        #expect(decoded.fixes.map(\.satellitesSeen) == [0, 0])
        #expect(decoded.counts.accepted == 5)
        #expect(decoded.sky.satellites.isEmpty)
    }

    @Test func `B025 a signal strength may have a decimal point`() throws {
        let decoded = try Decoded(Corpus.bug("B025.nmea"))
        #expect(decoded.sky.satellites.map(\.signal) == [35.5, 39.0])
        #expect(decoded.sky.satellites.map(\.prn) == [8, 13])
    }

    @Test func `B028 quality 6 and mode E are dead reckoning`() throws {
        let fixes = try Decoded(Corpus.bug("B028.nmea")).fixes
        #expect(
            fixes.map(\.status) == [
                .gps, .deadReckoning, .deadReckoning, .deadReckoning, .gps,
            ])
    }

    @Test func `B034 an empty HDOP is unknown, and poor ones are kept`() throws {
        let fixes = try Decoded(Corpus.bug("B034.nmea")).fixes
        #expect(fixes.map(\.dop.hdop) == [0.9, 25.4, 99.99, nil])
    }

    @Test func `B030 a fix at nought, nought never sets the date`() throws {
        let fixes = try Decoded(Corpus.bug("B030.nmea"), BugCaseTests.settings).fixes
        #expect(fixes.last?.time == UTCTime("2026-05-01T10:00:00Z"))
        #expect(fixes.allSatisfy { $0.rolloverEras == 0 })
    }

    @Test func `B044 the first day of GPS time is no date to repair`() throws {
        let fixes = try Decoded(Corpus.bug("B044.nmea"), BugCaseTests.settings).fixes
        #expect(fixes.map { $0.time?.date.year } == [1980, 2026])
    }

    @Test func `B045 1024 weeks are added and noted`() throws {
        let fixes = try Decoded(Corpus.bug("B045.nmea"), BugCaseTests.settings).fixes
        #expect(fixes.map(\.rolloverEras) == [1, 1])
        #expect(fixes.allSatisfy { $0.notes == .rolloverFixed })
        let raw = try Decoded(Corpus.bug("B045.nmea")).fixes
        #expect(
            raw.map(\.time) == [UTCTime("2006-09-15T10:00:00Z"), UTCTime("2006-09-15T10:00:10Z")])
    }

    @Test func `B050 the leap second is a fix of its own`() throws {
        let fixes = try Decoded(Corpus.bug("B050.nmea")).fixes
        #expect(fixes.map(\.timeOfDay) == [86_399_000, 86_400_000, 0])
        #expect(fixes.map(\.notes) == [[], .leapSecond, []])
        #expect(fixes[1].time == fixes[2].time)
    }

    @Test func `B089 two positions of one time are one fix with a note`() throws {
        let fixes = try Decoded(Corpus.bug("B089.nmea")).fixes
        #expect(fixes.map(\.notes) == [[], .conflict, []])
    }

    @Test func `B096 damaged sentences are counted`() throws {
        let counts = try Decoded(Corpus.bug("B096.nmea")).counts
        #expect(counts.badChecksum == 4)
        #expect(counts.accepted == 8)
    }
}
