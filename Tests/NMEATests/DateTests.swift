import GNSS
import NMEA
import Testing

@Suite struct DateTests {
    static func gga(_ time: String) -> String {
        sentence("GPGGA,\(time),5100.0000,N,00010.0000,E,1,08,0.9,50.0,M,47.0,M,,")
    }

    static func rmc(_ time: String, _ date: String, _ status: String = "A") -> String {
        sentence("GPRMC,\(time),\(status),5100.0000,N,00010.0000,E,1.0,2.0,\(date),,,A")
    }

    static func times(_ text: String, _ settings: NMEADecoder.Settings = .init()) -> [String?] {
        Outcome(text, settings).fixes.map { $0.time?.description }
    }

    @Test func `a date is carried over midnight by the time of day`() {
        let text =
            DateTests.rmc("235959", "310126") + DateTests.gga("000000") + DateTests.gga("120000")
            + DateTests.gga("235959") + DateTests.gga("000001")
        #expect(
            DateTests.times(text) == [
                "2026-01-31T23:59:59.000Z", "2026-02-01T00:00:00.000Z",
                "2026-02-01T12:00:00.000Z", "2026-02-01T23:59:59.000Z",
                "2026-02-02T00:00:01.000Z",
            ])
    }

    @Test func `a time some minutes back is the same day`() {
        let text =
            DateTests.rmc("100000", "310126") + DateTests.gga("095500")
            + DateTests.rmc("000010", "010226") + DateTests.gga("235959")
        #expect(
            DateTests.times(text) == [
                "2026-01-31T10:00:00.000Z", "2026-01-31T09:55:00.000Z",
                "2026-02-01T00:00:10.000Z", "2026-01-31T23:59:59.000Z",
            ])
    }

    @Test func `ZDA gives the date whatever its zone, with two digits of the year too`() {
        let text =
            sentence("GPZDA,100000,01,05,2026,-02,30") + DateTests.gga("100000")
            + sentence("GPZDA,100010,02,05,14,,") + DateTests.gga("100010")
        #expect(
            DateTests.times(text) == ["2026-05-01T10:00:00.000Z", "2014-05-02T10:00:10.000Z"])
    }

    @Test(arguments: [("98", 1998), ("80", 1980), ("79", 2079), ("00", 2000)])
    func `years from 80 on are of the last century`(_ year: String, _ full: Int) {
        let fixes = Outcome(DateTests.rmc("100000", "0101\(year)")).fixes
        #expect(fixes.map { $0.time?.date.year } == [full])
    }

    @Test(arguments: ["310226", "000126", "011326", "0105", "01052026", "abcdef", ""])
    func `a date that is none is no reason to lose the position`(_ date: String) {
        let fixes = Outcome(DateTests.rmc("100000", date)).fixes
        #expect(fixes.map(\.time) == [nil])
        #expect(fixes.map(\.timeOfDay) == [36_000_000])
    }

    @Test func `a date from before the first fix does not replace a known one`() {
        let text =
            DateTests.rmc("100000", "010526") + DateTests.rmc("100010", "060180", "V")
            + DateTests.gga("100020") + DateTests.rmc("100030", "150906", "V")
            + DateTests.gga("100040")
        #expect(
            DateTests.times(text) == [
                "2026-05-01T10:00:00.000Z", "2026-05-01T10:00:20.000Z",
                "2026-05-01T10:00:40.000Z",
            ])
    }

    @Test(arguments: [
        // 1024 weeks are 7168 days.
        ("150906", 1, "2026-05-01"), ("300187", 2, "2026-05-01"), ("160921", 0, "2021-09-16"),
        ("311216", 0, "2016-12-31"), ("010135", 0, "2035-01-01"),
    ])
    func `dates more than half a rollover before the floor are repaired`(
        _ date: String, _ eras: Int8, _ day: String
    ) throws {
        var settings = NMEADecoder.Settings()
        settings.floor = UTCTime(year: 2026, month: 1, day: 1)
        let text = DateTests.rmc("100000", date) + DateTests.gga("100001")
        for fix in Outcome(text, settings).fixes {
            #expect(fix.time?.description.hasPrefix(day) == true)
            #expect(fix.rolloverEras == eras)
            #expect(fix.notes == (eras > 0 ? .rolloverFixed : []))
        }
    }

    @Test func `without a floor every date is as received`() {
        #expect(DateTests.times(DateTests.rmc("100000", "150906")) == ["2006-09-15T10:00:00.000Z"])
    }

    @Test func `a log that begins without a date gets it from later`() throws {
        let text =
            DateTests.gga("235958") + DateTests.gga("000001") + DateTests.gga("120000")
            + DateTests.gga("000002") + DateTests.rmc("000003", "030526") + DateTests.gga("000004")
        var finder = StartDayFinder()
        var isDone = false
        for byte in text.utf8 {
            isDone = withUnsafeBytes(of: byte) { finder.scan($0) }
        }
        #expect(isDone)
        var settings = NMEADecoder.Settings()
        settings.startDay = finder.startDay
        let fixes = Outcome(text, settings).fixes
        #expect(
            fixes.map { $0.time?.description } == [
                "2026-05-01T23:59:58.000Z", "2026-05-02T00:00:01.000Z",
                "2026-05-02T12:00:00.000Z", "2026-05-03T00:00:02.000Z",
                "2026-05-03T00:00:03.000Z", "2026-05-03T00:00:04.000Z",
            ])
        #expect(
            fixes.map(\.notes) == [
                .dateBackfilled, .dateBackfilled, .dateBackfilled, .dateBackfilled, [], [],
            ])
    }

    /// A date that is told in a second of its own, or when the sky was lost.
    @Test(arguments: ["GPZDA,235959.00,01,05,2026,00,00", "GPRMC,235959.00,V,,,,,,,010526,,,N"])
    func `a date behind the last position dates the log`(last: String) {
        var finder = StartDayFinder()
        let text = DateTests.gga("235958") + sentence(last)
        _ = Array(text.utf8).withUnsafeBytes { finder.scan($0) }
        finder.finish()
        var settings = NMEADecoder.Settings()
        settings.startDay = finder.startDay
        #expect(Outcome(text, settings).fixes.map(\.time) == [UTCTime("2026-05-01T23:59:58Z")])
    }

    @Test func `a log without any date has none`() {
        var finder = StartDayFinder()
        let text = Array((DateTests.gga("235958") + DateTests.gga("000001")).utf8)
        #expect(!text.withUnsafeBytes { finder.scan($0) })
        finder.finish()
        #expect(finder.startDay == nil)
        #expect(DateTests.times(DateTests.gga("235958")) == [nil])
    }

    @Test func `the same time of day on another date is another epoch`() {
        let text = DateTests.rmc("100000", "010526") + DateTests.rmc("100000", "020526")
        #expect(
            DateTests.times(text) == ["2026-05-01T10:00:00.000Z", "2026-05-02T10:00:00.000Z"])
    }

    @Test(arguments: ["240000", "106000", "100061", "1000", "10:00:00", "-10000"])
    func `a time that is none refuses the sentence`(_ time: String) {
        let outcome = Outcome(DateTests.rmc(time, "010526"))
        #expect(outcome.epochs.isEmpty)
        #expect(outcome.counts.malformed == 1)
    }
}
