import DutyCycle
import GNSS
import Scheduling
import Testing

/// The interval policy on a virtual loop, in a world of `reference/power.md`, section 3.
@Suite struct IntervalTests {
    static func settings(_ interval: Double) -> DutyCycle.Settings {
        var settings = DutyCycle.Settings()
        settings.policy = .interval
        settings.interval = .seconds(interval)
        return settings
    }

    @Test(
        arguments: [(10.0, 1), (30, 2), (60, 3), (60, 4), (300, 5), (900, 6)] as [(Double, UInt64)])
    func `under open sky 95 of 100 recorded periods are within a second of the interval`(
        interval: Double, seed: UInt64
    ) {
        let world = World(Self.settings(interval), seed: seed) { _ in true }
        world.run(until: interval * 400)
        let periods = zip(world.chosen.dropFirst(), world.chosen).map { $0 - $1 }
        let good = periods.count { abs($0 - interval) <= 1.001 }
        #expect(periods.count >= 385)
        #expect(Double(good) >= 0.95 * Double(periods.count))
    }

    /// Errors that change from second to second leave a better fix early in the window, again and again.
    @Test(arguments: [10.0, 20, 60])
    func `a receiver that is on all the time gives one fix an interval, whatever their errors`(
        interval: Double
    ) {
        var duty = DutyCycle(Self.settings(interval))
        var random = SplitMix(state: 11)
        var chosen: [Int64] = []
        _ = duty.tell(.started(nil), at: BootTime(milliseconds: 0))
        _ = duty.tell(.held(true), at: BootTime(milliseconds: 0))
        for second in 1...2000 {
            var fix = Fix(
                time: UTCTime(milliseconds: Int64(second) * 1000), latitude: 51, longitude: 0.5,
                mode: .threeD)
            fix.errors.eph = 10 + 9 * random.uniform()
            let report = FixFact(fix, flags: [], sequence: Int64(second))
            let command = duty.tell(.fix(report), at: BootTime(milliseconds: Int64(second) * 1000))
            if let number = command?.chosen { chosen.append(number) }
        }
        let periods = zip(chosen.dropFirst(2), chosen.dropFirst()).map { $0 - $1 }
        #expect(periods.count >= 1900 / Int(interval))
        #expect(periods.allSatisfy { abs(Double($0) - interval) <= 1 })
    }

    @Test(arguments: [(60.0, 0.33), (300, 0.09), (900, 0.035)])
    func `the receiver is on for the start and no longer`(interval: Double, share: Double) {
        let world = World(Self.settings(interval), seed: 7) { _ in true }
        world.run(until: interval * 400)
        #expect(world.onTime <= share * interval * 400)
    }

    @Test(arguments: [true, false])
    func `ten thousand cycles under a hostile sky go on, sleep and wake no more than needed`(
        saysHeard: Bool
    ) {
        var random = SplitMix(state: 5)
        let sky = (0..<1009).map { _ in random.uniform() < 0.3 }
        let world = World(Self.settings(60), seed: 1, saysHeard: saysHeard) {
            sky[Int($0 / 45) % 1009]
        }
        world.run(until: 1e9, cycles: 10_000)
        #expect(world.cycles.count == 10_000)
        // One fix is chosen in each quarter, up to the last.
        for quarter in 1...4 {
            let end = world.now * Double(quarter) / 4
            #expect(world.chosen.contains { $0 > end - world.now / 8 && $0 <= end })
        }
        #expect(world.dues <= 4 * world.cycles.count)
        #expect(world.onTime <= 0.4 * world.now)
    }

    @Test(arguments: [(true, 0.07), (false, 0.21)])
    func `a day without sky is slept through`(saysHeard: Bool, share: Double) {
        let world = World(Self.settings(60), seed: 1, saysHeard: saysHeard) { _ in false }
        world.run(until: 86_400)
        #expect(world.onTime <= share * 86_400)
        #expect(world.dues <= 2 * world.cycles.count + 2)
        #expect(world.cycles.allSatisfy { $0.endedBecause == "timeout" })
    }

    @Test func `sky that comes back is used within the longest pause`() {
        let world = World(Self.settings(60), seed: 1) { $0 < 600 || $0 > 20_000 }
        world.run(until: 22_000)
        let first = world.chosen.first { $0 > 20_000 }
        #expect(first.map { $0 < 20_700 } == true)
    }

    /// A time-out under a warm start never gets a fix again once the ephemeris is stale (power.md, point 6).
    @Test(arguments: [5.0, 20])
    func `a short time-out does not lock out stale starts`(timeout: Double) {
        var settings = Self.settings(5 * 3600)
        settings.fixTimeout = .seconds(timeout)
        let world = World(settings, seed: 3) { _ in true }
        world.run(until: 10 * 86_400)
        #expect(world.chosen.count >= 40)
    }

    /// The first guess of a start, 21 s, would leave no room for being off.
    @Test func `a receiver that starts at once is found out and sleeps between close fixes`() {
        var duty = DutyCycle(Self.settings(30))
        var (isOn, onSince, wake, seconds) = (false, 0, Int64.max, 0)
        func obey(_ command: Command?, _ second: Int) {
            guard let command else { return }
            if command.isOn, !isOn { onSince = second }
            isOn = command.isOn
            wake = command.wake?.milliseconds ?? .max
        }
        obey(duty.tell(.started(nil), at: BootTime(milliseconds: 0)), 0)
        for second in 1...1200 {
            let now = BootTime(milliseconds: Int64(second) * 1000)
            if wake <= now.milliseconds { obey(duty.tell(.due, at: now), second) }
            guard isOn else { continue }
            if second > 600 { seconds += 1 }
            var fact = Fact.noFix(heard: 5)
            if second - onSince >= 2 {
                var fix = Fix(
                    time: UTCTime(milliseconds: now.milliseconds), latitude: 51, longitude: 0.5,
                    mode: .threeD)
                fix.errors.eph = 4
                fact = .fix(FixFact(fix, flags: [], sequence: Int64(second)))
            }
            obey(duty.tell(fact, at: now), second)
        }
        #expect(seconds < 150)
    }

    @Test func `what was learnt survives as text`() {
        let first = World(Self.settings(120), seed: 9) { _ in true }
        first.run(until: 12_000)
        let text = first.duty.learned.text
        let learned = Learned(text)
        #expect(learned.text == text)
        #expect(learned.hot == first.duty.learned.hot)
        #expect(learned.reopen == first.duty.learned.reopen)
        #expect(learned.hot.recent.count == Learned.Times.limit)
    }

    @Test(arguments: [3600.0, -7200, 619_315_200, -619_315_200])
    func `a clock that steps while the receiver is off moves no cycle`(step: Double) {
        var settings = DutyCycle.Settings()
        settings.policy = .interval
        settings.interval = .seconds(120)
        let world = World(settings, seed: 5, hasSky: { _ in true })
        world.run(until: 3600)
        while world.duty.phase != .off { world.run(until: world.now + 1) }
        world.clockIsOff = step
        world.run(until: 7200)
        let times = world.chosen.filter { $0 > 1200 }
        let periods = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(periods.count >= 48)
        #expect(periods.allSatisfy { abs($0 - 120) <= 15 }, "\(periods)")
    }
}
