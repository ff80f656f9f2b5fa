import GNSS
import Receiver
import Scheduling
import Testing

/// 1024 weeks are 7168 days (IS-GPS-200, section 20.3.3.3.1.1): 2006-09-15 and 2026-05-01, GNU date.
@Suite struct RolloverRepairTests {
    private static let era: Int64 = 7168 * 86_400_000
    private var repair = RolloverRepair(floor: UTCTime(year: 2026, month: 4, day: 1))

    /// The time and eras of a fix, after repair.
    private mutating func take(_ milliseconds: Int64, second: Double) -> (UTCTime?, Int8) {
        var fix = Fix(
            time: UTCTime(milliseconds: milliseconds), latitude: 51, longitude: 0.5, mode: .threeD)
        let at = BootTime(nanoseconds: Int64(second * 1e9))
        repair.repair(&fix, at: at, present: UTCTime(year: 2026, month: 5, day: 1))
        #expect(fix.notes.contains(.rolloverFixed) == (fix.rolloverEras != 0))
        return (fix.time, fix.rolloverEras)
    }

    @Test mutating func `a receiver that starts 1024 weeks back is set right`() {
        let old = UTCTime(year: 2006, month: 9, day: 15)
        let (time, eras) = take(old.milliseconds, second: 1)
        #expect(time == UTCTime(year: 2026, month: 5, day: 1))
        #expect(eras == 1)
    }

    @Test mutating func `a date that no era leads to the present is left as it is`() {
        let old = UTCTime(year: 2015, month: 1, day: 1)
        #expect(take(old.milliseconds, second: 1) == (old, 0))
    }

    @Test(arguments: [1, 2] as [Int64])
    mutating func `a receiver that falls back by eras is set right by the fixes before`(
        eras: Int64
    ) {
        let start = UTCTime(year: 2026, month: 5, day: 1).milliseconds
        _ = take(start, second: 10)
        let (time, repaired) = take(start + 5000 - eras * Self.era, second: 15)
        #expect(time == UTCTime(milliseconds: start + 5000))
        #expect(repaired == Int8(eras))
        #expect(take(start + 6000, second: 16) == (UTCTime(milliseconds: start + 6000), 0))
    }

    @Test mutating func `a step back that is no era is left to be judged`() {
        let start = UTCTime(year: 2026, month: 5, day: 1).milliseconds
        _ = take(start, second: 10)
        let back = start - Self.era - 86_400_000
        #expect(take(back, second: 11) == (UTCTime(milliseconds: back), 0))
    }

    @Test mutating func `a time no calendar has is left as it is`() {
        #expect(take(.max, second: 1) == (UTCTime(milliseconds: .max), 0))
        #expect(take(.min, second: 2) == (UTCTime(milliseconds: .min), 0))
    }
}
