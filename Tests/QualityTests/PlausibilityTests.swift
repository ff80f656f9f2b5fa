import Foundation
import GNSS
import Quality
import Testing

@Suite struct PlausibilityTests {
    @Test(arguments: [true, false])
    func `a bad first fix does not lock the track out`(hasDoppler: Bool) {
        var feed = Feed()
        _ = feed.judge(.sample(0, 48, 11, speed: hasDoppler ? 10 : nil))
        let flags = (1..<10).map { second in
            feed.judge(
                .sample(
                    Double(second), 51 + Double(second) * 9e-5, speed: hasDoppler ? 10 : nil))
        }
        #expect(flags.firstIndex(where: \.isKept) == (hasDoppler ? 1 : 2))
        #expect(flags.dropFirst(2).allSatisfy { $0.isKept })
    }

    @Test func `a wrong cluster that captured the track after a hole lets it go again`() {
        var feed = Feed()
        for second in 0..<30 { _ = feed.judge(.drive(second)) }
        // 5 km off after 60 s of silence: within what elapsed time allows.
        for second in 90..<120 {
            var fix = Fix.drive(second)
            fix.latitude += 0.05
            _ = feed.judge(fix)
        }
        let flags = (120..<130).map { feed.judge(.drive($0)) }
        #expect(flags.dropFirst(2).allSatisfy { $0.isKept })
    }

    @Test func `the track is taken up at once after a cluster that had overruled it`() {
        var feed = Feed()
        for second in 0..<30 { _ = feed.judge(.drive(second)) }
        for second in 30..<45 {
            var fix = Fix.drive(second)
            fix.latitude += 0.05
            _ = feed.judge(fix)
        }
        #expect(feed.judge(.drive(45)).isKept)
    }

    @Test(arguments: [83.0, 250, 680])
    func `trains, airliners and fighters pass at full speed`(speed: Double) {
        var feed = Feed()
        for second in 0..<60 {
            let latitude = 45 + speed * Double(second) / 111_200
            #expect(feed.judge(.sample(Double(second), latitude, speed: speed)).isKept)
        }
    }

    @Test func `an airliner without Doppler speed passes`() {
        var feed = Feed()
        for second in 0..<60 {
            let latitude = 45 + 250 * Double(second) / 111_200
            #expect(feed.judge(.sample(Double(second), latitude)).isKept)
        }
    }

    @Test func `a single jump is an outlier and the fix after it is kept`() {
        var feed = Feed()
        for second in 0..<30 {
            var fix = Fix.drive(second)
            if second == 20 { fix.longitude += 0.01 }
            #expect(feed.judge(fix) == (second == 20 ? .outlier : []))
        }
    }

    /// A cold start far away, or a receiver that takes up another place for good: no way was driven between.
    @Test(arguments: [1, 20])
    func `positions that overrule the track are told from those it leads to`(wrong: Int) throws {
        var feed = Feed()
        var steps: [Int] = []
        for second in 0..<60 {
            var fix = Fix.drive(second)
            if second < wrong { fix.latitude -= 10 }
            let flags = feed.judge(fix)
            if flags.contains(.positionStep) { steps.append(second) }
            #expect(flags.isKept || (wrong..<wrong + 4).contains(second))
        }
        #expect(steps.count == 1 && steps.allSatisfy((wrong..<wrong + 5).contains))
    }

    @Test func `a car that comes out of a tunnel two minutes later is kept`() {
        var feed = Feed()
        for second in 0..<30 { _ = feed.judge(.drive(second)) }
        #expect(feed.judge(.sample(150, 51.04, 0.53, speed: 25)).isKept)
    }

    /// The real tracks hold four fixes that left the road by 250 m and more within 3 s (car-mjolby).
    @Test func `real tracks lose less than one fix in a thousand`() throws {
        for file in Corpus.files("tracks", ending: ".csv") {
            let fixes = try Corpus.track(file)
            var feed = Feed()
            var rejected: [FixFlags: Int] = [:]
            for fix in fixes {
                if let reason = feed.judge(fix).reason { rejected[reason, default: 0] += 1 }
            }
            let outliers = rejected[.outlier] ?? 0
            #expect(outliers * 1000 <= fixes.count, "\(file.lastPathComponent) \(rejected)")
            // Points that repeat a time are in two of the sources.
            rejected[.outlier] = nil
            rejected[.duplicateEpoch] = nil
            #expect(rejected.isEmpty, "\(file.lastPathComponent) \(rejected)")
        }
    }

    /// One fix of all the logs is an outlier: the first of kotlin-garmin15h, 110 m from the 654 after it.
    @Test func `real logs lose no fix to the outlier test but one`() throws {
        var outliers: [String] = []
        for file in Corpus.files("nmea", ending: ".expect.jsonl") {
            var feed = Feed()
            for fix in try Corpus.expectedFixes(file) where feed.judge(fix).contains(.outlier) {
                outliers.append(file.lastPathComponent)
            }
        }
        #expect(outliers.isEmpty || outliers == ["kotlin-garmin15h.expect.jsonl"])
    }
}
