import GNSS
import Testing

@Suite struct UTCTimeTests {
    // Expected values: date -u -d … +%s of coreutils.
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2026-05-01T10:00:00.000Z", 1_777_629_600_000),
            ("1980-01-06T00:00:13.799Z", 315_964_813_799),
            ("2000-02-29T23:59:59.999Z", 951_868_799_999),
            ("1969-12-31T23:59:59.999Z", -1), ("2100-03-01T00:00:00.000Z", 4_107_542_400_000),
        ] as [(String, Int64)])
    func `a time is printed and read as RFC 3339`(text: String, milliseconds: Int64) {
        #expect(UTCTime(milliseconds: milliseconds).description == text)
        #expect(UTCTime(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("2026-05-01", "2026-05-01T00:00:00.000Z"),
        ("2026-05-01 14:00", "2026-05-01T14:00:00.000Z"),
        ("2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00.000Z"),
        ("2026-05-01T12:00:00.5-0130", "2026-05-01T13:30:00.500Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ])
    func `short forms and zones are read`(text: String, expected: String) {
        #expect(UTCTime(text)?.description == expected)
    }

    @Test(arguments: [
        "", "yesterday", "2026-13-01", "2026-02-30", "2026-05-01T", "2026-05-01T25:00",
        "2026-05-01T10:00:00.Z",
        "2026-05-01T10:00:00Zx", "２０２６-05-01",
    ])
    func `what is no time is refused`(text: String) {
        #expect(UTCTime(text) == nil)
    }
}
