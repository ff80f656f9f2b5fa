import GNSS
import Scheduling
import Testing
import Tracking

@Suite struct TrackerTests {
    /// A recorder that has followed a fix a second from 0 to 30.
    static func moving() -> Recorder {
        var recorder = Recorder()
        for second in 0...30 { recorder.follow(.sample(Double(second))) }
        return recorder
    }

    @Test func `the first kept fix begins the first segment and no hole`() {
        var recorder = Recorder()
        let rejected = recorder.follow(.sample(0), flags: .lowAccuracy)
        #expect(rejected.segment == 0 && !rejected.beganSegment)
        let first = recorder.follow(.sample(600))
        #expect(first.segment == 1 && first.beganSegment)
        #expect(recorder.gaps.isEmpty)
    }

    @Test func `a hole is longer than the limit`() {
        var recorder = Self.moving()
        #expect(recorder.follow(.sample(40)).gap == nil)
        for second in 41...60 { recorder.follow(.sample(Double(second))) }
        let step = recorder.follow(.sample(70.001))
        #expect(step.segment == 2 && step.beganSegment)
        #expect(
            step.gap
                == Gap(
                    after: 52, begin: .start.after(60), end: .start.after(70.001),
                    duration: 10_001, reason: .noData))
    }

    @Test func `a position to which no way led begins a segment and no hole`() {
        var recorder = Self.moving()
        let step = recorder.follow(.sample(31), flags: .positionStep)
        #expect(step.segment == 2 && step.beganSegment && step.gap == nil)
        #expect(recorder.follow(.sample(32)).segment == 2)
    }

    @Test func `another correction begins a segment and no hole`() {
        var recorder = Self.moving()
        recorder.tracker.part()
        #expect(!recorder.follow(.sample(31), flags: .lowAccuracy).beganSegment)
        let step = recorder.follow(.sample(32))
        #expect(step.segment == 2 && step.beganSegment && step.gap == nil)
        #expect(recorder.follow(.sample(33)).segment == 2)
    }

    @Test(arguments: [2.0, 15, 60, 600])
    func `the usual interval of a slow source is no hole`(interval: Double) {
        var recorder = Recorder()
        for index in 0..<50 { recorder.follow(.sample(Double(index) * interval)) }
        // Ten minutes are taken for one hole before they are known to be usual.
        #expect(recorder.gaps.count == (interval > 120 ? 1 : 0))
        recorder.follow(.sample(49 * interval + max(20, 3.5 * interval)))
        #expect(recorder.gaps.last?.begin == .start.after(49 * interval))
    }

    @Test func `epochs without a fix make a hole without sky`() {
        var recorder = Self.moving()
        for second in 31..<60 { recorder.tracker.noFix(at: Recorder.at(Double(second))) }
        #expect(recorder.follow(.sample(60)).gap?.reason == .noSky)
    }

    @Test func `rejected fixes make a rejected hole`() {
        var recorder = Self.moving()
        recorder.tracker.noFix(at: Recorder.at(31))
        for second in 32..<60 { recorder.follow(.sample(Double(second)), flags: .outlier) }
        #expect(recorder.follow(.sample(60)).gap?.reason == .rejected)
    }

    @Test(arguments: GapReason.allCases)
    func `what was told is the reason`(reason: GapReason) {
        var recorder = Self.moving()
        recorder.tracker.tell(reason, at: Recorder.at(31))
        recorder.tracker.tell(nil, at: Recorder.at(55))
        recorder.tracker.noFix(at: Recorder.at(56))
        #expect(recorder.follow(.sample(60)).gap?.reason == reason)
        #expect(recorder.follow(.sample(80)).gap?.reason == .noData)
    }

    @Test func `a zone that was passed in a second cuts the track all the same`() {
        var recorder = Self.moving()
        recorder.tracker.tell(.privateZone, at: Recorder.at(31))
        recorder.tracker.tell(nil, at: Recorder.at(32))
        let step = recorder.follow(.sample(32))
        #expect(step.segment == 2)
        #expect(step.gap?.reason == .privateZone)
        #expect(recorder.follow(.sample(33)).gap == nil)
    }

    @Test func `the state that lasted longest is the reason`() {
        var recorder = Self.moving()
        recorder.tracker.tell(.asleep, at: Recorder.at(31))
        recorder.tracker.tell(.sourceLost, at: Recorder.at(40))
        recorder.tracker.tell(nil, at: Recorder.at(59))
        #expect(recorder.follow(.sample(60)).gap?.reason == .sourceLost)
    }

    @Test func `fixes without a time are timed by the program`() {
        var recorder = Recorder()
        var fix = Fix.sample(0)
        fix.time = nil
        for second in [0.0, 1, 2] { recorder.follow(fix, at: Recorder.at(second)) }
        let gap = recorder.follow(fix, at: Recorder.at(62)).gap
        #expect(gap?.duration == 60_000)
        #expect(gap?.begin == nil && gap?.end == nil)
    }

    @Test func `a step of the receiver's clock is no hole`() {
        var recorder = Self.moving()
        let step = recorder.follow(
            .sample(5000), flags: .timeStep, at: Recorder.at(31))
        #expect(step.gap == nil)
    }

    @Test func `a straggler makes no hole and is not the end of the track`() {
        var recorder = Self.moving()
        recorder.follow(.sample(25), flags: .outOfOrder, at: Recorder.at(30))
        #expect(recorder.follow(.sample(38)).gap == nil)
    }

    @Test(arguments: [5.0, 600, 86400])
    func `where time steps back a segment begins and its fixes follow each other`(back: Double) {
        var recorder = Self.moving()
        let step = recorder.follow(.sample(30 - back), flags: .timeStep, at: Recorder.at(31))
        #expect(step.segment == 2 && step.beganSegment && step.gap == nil)
        #expect(recorder.follow(.sample(31 - back), at: Recorder.at(31)).segment == 2)
        #expect(recorder.follow(.sample(61 - back), at: Recorder.at(31)).gap?.reason == .noData)
    }

    @Test func `a step back is seen when the fix that it was noted of is rejected`() {
        var recorder = Self.moving()
        recorder.follow(.sample(20), flags: [.timeStep, .lowAccuracy], at: Recorder.at(31))
        #expect(recorder.follow(.sample(21), at: Recorder.at(31)).segment == 2)
    }

    @Test func `distance is summed on both sides of a step back`() {
        var recorder = Recorder()
        for part in [0.0, -3600] {
            for second in 0..<60 {
                recorder.follow(
                    .sample(part + Double(second), 51 + Double(second) * 0.0001, speed: 11),
                    flags: part < 0 && second == 0 ? .timeStep : [],
                    at: Recorder.at(part < 0 ? 59 : Double(second)))
            }
        }
        // 59 steps of 1e-4 degrees of a meridian at 51 N, 11.125 m each (WGS 84), twice.
        #expect(abs(recorder.statistics.distance - 2 * 59 * 11.125) < 3)
        #expect(recorder.statistics.movingTime > 110_000)
        #expect(recorder.statistics.segments == 2)
    }

    @Test func `the next run goes on with a hole while it was not running`() {
        let end = Tracker.End(sequence: 77, time: .start, segment: 4)
        var recorder = Recorder(Tracker(after: end))
        let step = recorder.follow(.sample(3600), at: BootTime(milliseconds: 9))
        #expect(step.segment == 5 && step.beganSegment)
        #expect(
            step.gap
                == Gap(
                    after: 77, begin: .start, end: .start.after(3600), duration: 3_600_000,
                    reason: .notRunning))
    }

    /// A run that started 30 s before the first fix, which waited for it without one.
    private func restarted(_ end: Tracker.End, fixAt second: Double) -> [Gap] {
        let fix = Recorder.at(second)
        var recorder = Recorder(
            Tracker(after: end, began: BootTime(milliseconds: fix.milliseconds - 30_000)))
        for ago in 1...20 {
            recorder.tracker.noFix(at: BootTime(milliseconds: fix.milliseconds - Int64(ago) * 1000))
        }
        let step = recorder.follow(.sample(second), at: fix)
        return step.earlier + [step.gap].compactMap(\.self)
    }

    private func gap(_ begin: Double, _ end: Double, _ reason: GapReason) -> Gap {
        Gap(
            after: 77, begin: .start.after(begin), end: .start.after(end),
            duration: Int64((end - begin) * 1000), reason: reason)
    }

    @Test func `what a new run waits for says nothing of the time before it`() {
        let end = Tracker.End(sequence: 77, time: .start, segment: 4)
        #expect(
            restarted(end, fixAt: 100) == [gap(0, 70, .notRunning), gap(70, 100, .noSky)])
        // Clocks that disagree by seconds make no time before the last fix.
        #expect(restarted(end, fixAt: 25) == [gap(0, 25, .noSky)])
    }

    @Test func `a short wait after the start belongs to the time before it`() {
        let end = Tracker.End(sequence: 77, time: .start, segment: 4)
        var recorder = Recorder(
            Tracker(after: end, began: BootTime(milliseconds: Recorder.at(95).milliseconds)))
        recorder.tracker.noFix(at: Recorder.at(96))
        let step = recorder.follow(.sample(100))
        #expect(step.gap == gap(0, 100, .notRunning) && step.earlier.isEmpty)
    }

    @Test func `nothing ran from the last sign of life, noted or told now`() {
        var end = Tracker.End(
            sequence: 77, time: .start, segment: 4, until: .start.after(40))
        #expect(
            restarted(end, fixAt: 100) == [gap(40, 70, .notRunning), gap(70, 100, .noSky)])
        end.reason = .asleep
        #expect(
            restarted(end, fixAt: 100)
                == [gap(0, 40, .asleep), gap(40, 70, .notRunning), gap(70, 100, .noSky)])
        end.until = .start.after(3)
        #expect(
            restarted(end, fixAt: 100) == [gap(0, 70, .notRunning), gap(70, 100, .noSky)])
    }

    @Test func `the end tells of a hole that lasts`() {
        var recorder = Self.moving()
        #expect(recorder.tracker.lasting(at: Recorder.at(35)) == [])
        recorder.tracker.tell(.paused, at: Recorder.at(31))
        #expect(
            recorder.tracker.lasting(at: Recorder.at(90)) == [
                Gap(
                    after: 31, begin: .start.after(30), end: nil, duration: 60_000,
                    reason: .paused)
            ])
    }
}
