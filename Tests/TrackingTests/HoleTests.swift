import GNSS
import Scheduling
import Testing
import Tracking

/// The parts of a hole, each with the reason that held.
@Suite struct HoleTests {
    private func at(_ second: Double) -> BootTime { Recorder.at(second) }

    /// From, to and reason of the parts of the hole that a fix ends.
    private func parts(
        endedAt second: Double, _ happens: (inout Tracker) -> Void
    ) -> [String] {
        var recorder = TrackerTests.moving()
        happens(&recorder.tracker)
        let step = recorder.follow(.sample(second))
        #expect(step.segment == 2 && step.beganSegment)
        return Self.words(step.earlier + [step.gap].compactMap(\.self))
    }

    private static func words(_ gaps: [Gap]) -> [String] {
        gaps.map { gap in
            func second(_ time: UTCTime?) -> String { time.map { "\(($0 - .start) / 1000)" } ?? "" }
            if let begin = gap.begin, let end = gap.end { #expect(end - begin == gap.duration) }
            return "\(second(gap.begin))-\(second(gap.end)) \(gap.reason.name)"
        }
    }

    @Test func `a sleep and a search without sky after it are two parts`() {
        let found = parts(endedAt: 400) {
            $0.tell(.asleep, at: at(31))
            $0.tell(nil, at: at(300))
            $0.tell(.noSky, at: at(302))
        }
        #expect(found == ["30-300 asleep", "300-400 no_sky"])
    }

    @Test func `a start of less than ten seconds belongs to the sleep before it`() {
        let found = parts(endedAt: 308) {
            $0.tell(.asleep, at: at(31))
            $0.tell(nil, at: at(300))
            $0.noFix(at: at(303))
        }
        #expect(found == ["30-308 asleep"])
    }

    @Test func `a pause in a sleep is paused for as long as it was`() {
        let found = parts(endedAt: 200) {
            $0.tell(.asleep, at: at(31))
            $0.tell(.paused, at: at(60))
            $0.tell(.asleep, at: at(100))
        }
        #expect(found == ["30-60 asleep", "60-100 paused", "100-200 asleep"])
    }

    @Test func `what came is the reason of the time in which nothing was told`() {
        let found = parts(endedAt: 200) {
            for second in 31..<100 { $0.noFix(at: at(Double(second))) }
            $0.tell(.sourceLost, at: at(100))
            $0.tell(nil, at: at(150))
        }
        #expect(found == ["30-100 no_sky", "100-150 source_lost", "150-200 no_data"])
    }

    @Test func `a trouble that is told after a while began when the fixes ceased`() {
        let found = parts(endedAt: 49) { $0.tell(.oldFixRepeated, at: at(41)) }
        #expect(found == ["30-49 old_fix_repeated"])
    }

    @Test func `fixes that the policy passes over are no rejected ones`() {
        var recorder = TrackerTests.moving()
        for second in 31..<60 {
            recorder.follow(.sample(Double(second)), flags: .passedOver)
        }
        #expect(recorder.follow(.sample(60)).gap?.reason == .passedOver)
    }

    @Test func `a zone passed in a second keeps its part of a sleep`() {
        let found = parts(endedAt: 200) {
            $0.tell(.asleep, at: at(31))
            $0.tell(.privateZone, at: at(150))
            $0.tell(nil, at: at(151))
        }
        #expect(found == ["30-150 asleep", "150-151 private_zone", "151-200 no_data"])
    }

    @Test func `a night of tries takes a bounded number of parts, one after the other`() {
        var recorder = TrackerTests.moving()
        for index in 0..<5000 {
            recorder.tracker.tell(.asleep, at: at(100 + Double(index) * 100))
            recorder.tracker.tell(.noSky, at: at(160 + Double(index) * 100))
        }
        let step = recorder.follow(.sample(600_000))
        let gaps = step.earlier + [step.gap].compactMap(\.self)
        #expect((2...64).contains(gaps.count))
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0.end == $1.begin })
        #expect(gaps.first?.begin == .start.after(30) && gaps.last?.end == .start.after(600_000))
    }

    @Test func `the hole that lasts is told in the same parts, the last one open`() {
        var recorder = TrackerTests.moving()
        recorder.tracker.tell(.asleep, at: at(31))
        recorder.tracker.tell(.noSky, at: at(60))
        #expect(Self.words(recorder.tracker.lasting(at: at(64))) == ["30- asleep"])
        #expect(Self.words(recorder.tracker.lasting(at: at(80))) == ["30-60 asleep", "60- no_sky"])
    }

    @Test func `a run without a fix tells of its hole by a clock that is trusted`() {
        let end = Tracker.End(sequence: 77, time: .start, segment: 4, until: .start.after(40))
        var tracker = Tracker(after: end, began: at(100))
        tracker.tell(.noSky, at: at(101))
        #expect(tracker.lasting(at: at(160)).isEmpty)
        #expect(
            Self.words(tracker.lasting(at: at(160), time: .start.after(160)))
                == ["40-100 not_running", "100- no_sky"])
    }
}
