import GNSS
import Testing

@testable import Import

/// Dates and times of day of tables, which do not always say in which order they are.
@Suite struct DateTests {
    // 2024-03-05T09:00:00Z, by `date -u -d @1709629200`.
    private let nine = UTCTime(milliseconds: 1_709_629_200_000)
    /// 2026-01-01T00:00:00Z.
    private static let latest = UTCTime(milliseconds: 1_767_225_600_000)

    /// The times of a table, read as often as an import reads it, and what was assumed.
    private func read(_ text: String) throws -> (times: [UTCTime?], assumptions: [String]) {
        var dates = DateReading()
        var times: [UTCTime?] = []
        for _ in 1...2 {
            times = []
            var importer = TrackImporter(.csv, dates: dates)
            try importer.feed(Array(text.utf8)) { times.append($0.fix.time) }
            try importer.finish { times.append($0.fix.time) }
            if !dates.isSettled { dates = importer.dates.settled(latest: DateTests.latest) }
        }
        return (times, dates.assumptions)
    }

    private func rows(_ header: String, _ rows: [String]) -> String {
        "\(header),lat,lon\n" + rows.map { "\($0),47,8\n" }.joined()
    }

    @Test(arguments: [
        ("20240305", "90000"), ("20240305", "090000"), ("2024-03-05", "9:00:00"),
        ("05.03.2024", "9:00"), ("2024/3/5", "09:00:00.000Z"), ("13/03/2024", "9:00:00 AM"),
        ("2024-03-05 00:00:00", "09:00"), ("2024-03-05", "2024-03-05T09:00:00Z"),
        ("05-Mar-2024", "9:00"), ("5 march 24", "9:00"), ("Mar 5 2024", "9:00"),
        ("2024-Mar-05", "9:00"),
        ("2024-03-05", "1709629200"), ("240305", "10:00:00+01:00"),
    ])
    func `a date and a time of day in two columns are one instant`(
        date: String, clock: String
    ) throws {
        let day = date.hasPrefix("13") ? 8 : 0
        let time = UTCTime(milliseconds: nine.milliseconds + Int64(day) * 86_400_000)
        #expect(try read(rows("date,time", ["\(date),\(clock)"])).times == [time])
        #expect(try read(rows("time,date", ["\(clock),\(date)"])).times == [time])
    }

    @Test(arguments: [
        ("2024-03-05,256161", "a time of day that is none"),
        ("2024-03-05,99:00:00", "a time of day that is none"),
        ("2024-03-05,nonsense", "a time of day that is none"),
        ("20241305,090000", "a date that is none, or in another order than those before"),
        ("2024-02-30,090000", "a date that is none, or in another order than those before"),
        ("summer,090000", "a date that is none"), (",09:00:00", "a time of day without a date"),
    ])
    func `what cannot be a date or a time of day is named, with its line`(
        row: String, message: String
    ) {
        let text = rows("date,time", ["2024-03-05,090000", row])
        #expect(complaint(text, .csv) == ImportError(line: 3, message: message))
    }

    @Test func `a zero in front of a time of day may be lost, in all of a column or none`() throws {
        let early = rows("date,time", ["20240305,5", "20240305,959", "20240305,10000"])
        #expect(
            try read(early).times.map { $0?.timeOfDay } == [5000, 599_000, 3_600_000])
        let short = try read(rows("date,time", ["20240305,5", "20240305,959", "20240305,1030"]))
        #expect(short.times.map { $0?.timeOfDay } == [300_000, 35_940_000, 37_800_000])
        #expect(
            short.assumptions
                == ["times of day of four digits or fewer are taken as hours and minutes"])
    }

    @Test(arguments: [
        "Tue, 05 Mar 2024 09:00:00 GMT", "Tue, 05 Mar 2024 10:00:00 +0100", "05-MAR-2024 09:00:00",
        "March 5, 2024 9:00:00 AM", "05/Mar/2024 09:00", "Tue Mar 05 2024 09:00:00",
        "Tue Mar 05 2024 10:00:00 GMT+0100 (CET)",
    ])
    func `months have names`(text: String) throws {
        #expect(try read(rows("time", ["\"\(text)\""])).times == [nine])
    }

    @Test(arguments: ["date", "time", "Timestamp", "DateTime"])
    func `a column of bare dates is no count of seconds`(name: String) throws {
        let midnight = UTCTime(milliseconds: nine.milliseconds - 9 * 3_600_000)
        for text in ["20240305", "240305", "05032024", "2024-03-05"] {
            #expect(try read(rows(name, [text])).times == [midnight])
        }
    }

    /// 13 is no month and 32 no day, whichever row it is in.
    @Test(arguments: [
        ["05/03/2024 09:00:00", "13/03/2024 09:00:00"],
        ["050324 090000", "130324 090000", "320110 0"],
    ])
    func `one date tells the order of all others`(column: [String]) throws {
        let found = try read(rows("time", Array(column.prefix(2))))
        #expect(found.times.first == nine)
        let american = try read(rows("time", ["03/05/2024 09:00:00", "03/13/2024 09:00:00"]))
        #expect(american.times.first == nine && american.assumptions == [])
        let reversed = try read(rows("time", ["03/13/2024 09:00:00", "03/05/2024 09:00:00"]))
        #expect(reversed.times.last == nine && reversed.assumptions == [])
    }

    @Test func `dates of two orders in one file are refused`() {
        let text = rows("time", ["03/13/2024 09:00", "13/03/2024 09:00"])
        #expect(complaint(text, .csv)?.line == 3)
    }

    @Test func `an order that nothing proves is told`() throws {
        let day = try read(rows("time", ["05/03/2024 09:00:00"]))
        #expect(day.times == [nine])
        #expect(
            day.assumptions == [
                "dates are taken as day, month, year, which nothing in the file proves"
            ])
        // Who writes AM and PM puts the month first.
        #expect(try read(rows("time", ["3/5/2024 9:00:00 AM"])).times == [nine])
        // Of two orders that in which the days follow each other.
        let days = try read(rows("date,time", ["050324,90000", "060324,90000", "070324,90000"]))
        #expect(days.times.first == nine && days.assumptions.count == 1)
        // No fix is from later than now.
        #expect(try read(rows("date,time", ["050327,90000"])).times.first??.date.year == 2005)
        #expect(try read(rows("date,time", ["270305,90000"])).times.first??.date.year == 2005)
        // A logger that is known to put the year first.
        let logger = try read(
            "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W\n1,T,240305,90000,47N,8E\n")
        #expect(logger.times == [nine] && logger.assumptions == [])
        #expect(try read(rows("time", ["05/05/2024 09:00:00"])).assumptions == [])
    }

    @Test func `members of JSON are read as columns are`() throws {
        for members in [
            #""date":"2024-03-05","time":"09:00:00""#, #""date":20240305,"time":90000"#,
            #""date":"240305","time":"090000""#, #""date":"last summer","time":1709629200"#,
        ] {
            let found = try points("{\"lat\":47,\"lon\":8,\(members)}\n", .jsonl)
            #expect(found.map(\.fix.time) == [nine])
        }
    }
}
