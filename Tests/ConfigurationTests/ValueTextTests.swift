import GNSS
import Scheduling
import Testing

@testable import Configuration

@Suite struct ValueTextTests {
    // The spellings and lengths are those of systemd.time(7), "Parsing time spans".
    @Test(
        arguments: [
            ("10s", 10_000), ("5min", 300_000), ("1h30m", 5_400_000), ("90", 90_000),
            ("1.5h", 5_400_000),
            ("250ms", 250), ("2 h", 7_200_000), ("1h 30 min", 5_400_000), ("1d", 86_400_000),
            ("0", 0),
            ("2 weeks", 1_209_600_000),
        ] as [(String, Int64)])
    func `a duration is read`(text: String, milliseconds: Int64) {
        #expect(DurationText.parse(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", " ", "s", "-5s", "5x", "1e3s", "5s3", "inf", "nan", "0x10", "1..5s", ".",
        "99999999999999999w",
        "9e18", "300y", "５s",
    ])
    func `what is no duration is refused`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: ["10s", "5min", "1h30min", "1d2h3min4s5ms", "0s"])
    func `a duration is written as it is read`(text: String) throws {
        #expect(DurationText.format(try #require(DurationText.parse(text))) == text)
    }

    @Test(
        arguments: [
            ("512", 512), ("64K", 65_536), ("10M", 10_485_760), ("1.5GiB", 1_610_612_736),
            ("1kB", 1024),
            ("0", 0),
        ] as [(String, Int64)])
    func `a size counts in powers of 1024`(text: String, bytes: Int64) {
        #expect(SizeText.parse(text) == bytes)
    }

    @Test(arguments: ["", "K", "-1", "1X", "1e9", "99999999999T"])
    func `what is no size is refused`(text: String) {
        #expect(SizeText.parse(text) == nil)
    }

    // `date -u -d '2026-03-02 15:00' +%s` = 1772463600.
    private let now = UTCTime(milliseconds: 1_772_463_600_000)

    @Test(arguments: [
        ("2026-03-01", "2026-03-01T00:00:00.000Z"),
        ("2026-03-01 14:00", "2026-03-01T14:00:00.000Z"),
        ("2026-03-01T14:00:00+02:00", "2026-03-01T12:00:00.000Z"),
        ("yesterday", "2026-03-01T00:00:00.000Z"),
        ("today", "2026-03-02T00:00:00.000Z"),
        ("now", "2026-03-02T15:00:00.000Z"),
        ("14:30", "2026-03-02T14:30:00.000Z"),
        ("-2h", "2026-03-02T13:00:00.000Z"),
        ("2h ago", "2026-03-02T13:00:00.000Z"),
        ("+5min", "2026-03-02T15:05:00.000Z"),
        ("@1772463600", "2026-03-02T15:00:00.000Z"),
    ])
    func `a time is read`(text: String, expected: String) {
        #expect(TimeText.parse(text, now: now)?.description == expected)
    }

    @Test(arguments: [
        ("2026-03-01 14:00", "2026-03-01T12:00:00.000Z"),
        ("2026-03-01 14:00Z", "2026-03-01T14:00:00.000Z"),
        ("today", "2026-03-01T22:00:00.000Z"),
        ("14:30", "2026-03-02T12:30:00.000Z"),
    ])
    func `a zone holds for times that name none`(text: String, expected: String) {
        let east = TimeText.parse(text, now: now, offset: { _ in 7_200_000 })
        #expect(east?.description == expected)
    }

    @Test(arguments: [
        "", "tomorrowish", "2026-02-30", "25:00", "-", "-2 parsecs", "@", "2026-13-01",
    ])
    func `what is no time is refused`(text: String) {
        #expect(TimeText.parse(text, now: now) == nil)
    }

    /// Paris changed at 01:00 UTC on 2024-03-31 and 2024-10-27 (tzdata, EU rules).
    @Test(arguments: [
        ("2024-10-27 02:30", "2024-10-27T00:30:00.000Z", "2024-10-27T01:30:00.000Z"),
        ("2024-10-27 01:59", "2024-10-26T23:59:00.000Z", "2024-10-26T23:59:00.000Z"),
        ("2024-10-27 03:00", "2024-10-27T02:00:00.000Z", "2024-10-27T02:00:00.000Z"),
        ("2024-03-31 02:30", "2024-03-31T01:00:00.000Z", "2024-03-31T01:00:00.000Z"),
        ("2024-03-31 03:00", "2024-03-31T01:00:00.000Z", "2024-03-31T01:00:00.000Z"),
        ("2024-03-31", "2024-03-30T23:00:00.000Z", "2024-03-30T23:00:00.000Z"),
    ])
    func `a time that clocks show twice begins with the first, one they never show is their change`(
        text: String, first: String, last: String
    ) throws {
        let changes = try [("2024-03-31T01:00:00Z", 2), ("2024-10-27T01:00:00Z", 1)].map {
            (try #require(UTCTime($0)), Int64($1) * 3_600_000)
        }
        let offset: (UTCTime) -> Int64 = { time in
            changes.last { $0.0 <= time }?.1 ?? 3_600_000
        }
        #expect(TimeText.parse(text, now: now, offset: offset)?.description == first)
        #expect(TimeText.parse(text, now: now, isEnd: true, offset: offset)?.description == last)
    }

    @Test(
        arguments: [
            ("pgx", "gpx"), ("GEOJSON", "geojson"), ("geo", "geojson"), ("k", nil),
            ("jsonlines", nil), ("", nil),
        ] as [(String, String?)])
    func `the nearest word is named only when it is near`(word: String, nearest: String?) {
        #expect(
            Spelling.nearest(to: word, among: ["gpx", "geojson", "csv", "jsonl", "kml"]) == nearest)
    }
}
