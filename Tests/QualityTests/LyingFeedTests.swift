import Foundation
import GNSS
import Quality
import Testing

/// The lying feeds of `faults/gpsdsim.py`: nothing outside the truth is kept, and an honest fix is taken
/// again at the second at the latest.
@Suite struct LyingFeedTests {
    /// The drive with lies put in, from the tenth second on.
    static func run(_ seconds: Int = 120, lie: (Int, inout Fix) -> Bool) -> (
        keptLies: Int, longestLoss: Int
    ) {
        var feed = Feed()
        var keptLies = 0
        var lost = 0
        var longestLoss = 0
        for second in 0..<seconds {
            var fix = Fix.drive(second)
            let isLie = second >= 10 && lie(second, &fix)
            let isKept = feed.judge(fix).isKept
            if isLie {
                if isKept { keptLies += 1 }
                lost = 0
            } else {
                lost = isKept ? 0 : lost + 1
                longestLoss = max(longestLoss, lost)
            }
        }
        return (keptLies, longestLoss)
    }

    @Test func `teleport`() {
        let result = Self.run { second, fix in
            fix.latitude = second % 10 < 3 ? -33.9 : fix.latitude
            fix.longitude = second % 10 < 3 ? 18.4 : fix.longitude
            return second % 10 < 3
        }
        #expect(result.keptLies == 0)
        #expect(result.longestLoss <= 1)
    }

    @Test func `null island with good quality`() {
        let result = Self.run { second, fix in
            guard second % 7 == 3 else { return false }
            fix.latitude = 0
            fix.longitude = 0
            return true
        }
        #expect(result.keptLies == 0)
        #expect(result.longestLoss == 0)
    }

    @Test func `frozen time`() {
        let result = Self.run { _, fix in
            fix.time = .start.after(9)
            return true
        }
        #expect(result.keptLies == 0)
    }

    @Test func `frozen fix and time`() {
        let result = Self.run { _, fix in
            fix = .drive(9)
            return true
        }
        #expect(result.keptLies == 0)
    }

    @Test func `altitude that jumps 18 km`() {
        let result = Self.run { second, fix in
            guard second % 4 == 0 else { return false }
            fix.altitudeMSL = 18_000
            return true
        }
        #expect(result.keptLies == 0)
        #expect(result.longestLoss == 0)
    }

    @Test func `a speed of zero does not cost positions that are right`() {
        var feed = Feed()
        for second in 0..<60 {
            var fix = Fix.drive(second)
            if second >= 10 { fix.speed = 0 }
            #expect(feed.judge(fix).isKept)
        }
    }

    @Test func `times of 1970 before the clock is set`() {
        var feed = Feed()
        for second in 0..<20 {
            var fix = Fix.drive(second)
            if second < 10 { fix.time = UTCTime(milliseconds: Int64(second) * 1000) }
            #expect(feed.judge(fix) == (second < 10 ? .untrustedTime : []))
        }
    }

    @Test func `no time at all`() {
        var feed = Feed()
        for second in 0..<20 {
            var fix = Fix.drive(second)
            if second >= 10 { fix.time = nil }
            #expect(feed.judge(fix) == [])
        }
    }
}
