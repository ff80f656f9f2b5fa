import GNSS
import Quality
import Scheduling
import Testing

/// The verdicts that `corpus/bugs` asks for, on fixes as its files hold them.
@Suite struct QualityGateTests {
    @Test func `B028 dead reckoning is estimated and the fixes around it are kept`() {
        var feed = Feed()
        let flags = (0..<5).map { second in
            var fix = Fix.sample(Double(second), 51 + Double(second) / 6e5, speed: 5.1)
            fix.status = (1...3).contains(second) ? .deadReckoning : .gps
            return feed.judge(fix)
        }
        #expect(flags.map { $0.contains(.estimated) } == [false, true, true, true, false])
        #expect(flags.map(\.isKept) == [true, false, false, false, true])
    }

    @Test func `B030 zeros everywhere are neither a place nor a time`() {
        var feed = Feed()
        var zero = Fix(
            time: UTCTime(year: 2005, month: 5, day: 5), latitude: 0, longitude: 0, mode: .threeD)
        zero.speed = 0
        let flags = feed.judge(zero)
        #expect(flags.isSuperset(of: [.nullIsland, .untrustedTime]))
        #expect(feed.judge(.sample(0, 51, 0.166, speed: 5.1, hdop: nil)) == [])
    }

    @Test(arguments: [(0.9, true), (25.4, false), (99.99, false), (nil, true)])
    func `B034 a large HDOP is low accuracy and an unknown one is not`(
        hdop: Double?, isKept: Bool
    ) {
        var feed = Feed()
        let flags = feed.judge(.sample(0, hdop: hdop))
        #expect(flags == (isKept ? [] : .lowAccuracy))
    }

    @Test func `a HDOP that was not computed does not reject a corrected position`() {
        var feed = Feed()
        var fix = Fix.sample(0, hdop: 99.99)
        fix.status = .dgps
        #expect(feed.judge(fix) == [])
        fix.time = .start.after(1)
        fix.dop.hdop = 25.4
        #expect(feed.judge(fix) == .lowAccuracy)
    }

    @Test func `B037 the 180th meridian is no jump`() {
        var feed = Feed()
        for (second, longitude) in [179.99983, 180, -180, -179.99983].enumerated() {
            #expect(feed.judge(.sample(Double(second), 0, longitude, speed: 15)).isKept)
        }
    }

    @Test func `B044 a power-on date is not trusted and the next fix is`() {
        var feed = Feed()
        var first = Fix.sample(0)
        first.time = UTCTime(year: 1980, month: 1, day: 6, timeOfDay: 13_799)
        #expect(feed.judge(first) == .untrustedTime)
        first.time = UTCTime(year: 2019, month: 4, day: 7)
        first.rolloverEras = 2
        #expect(feed.judge(first) == .untrustedTime)
        #expect(feed.judge(.sample(0)) == [])
    }

    @Test func `B050 the leap second and the second after it are two fixes`() {
        var feed = Feed()
        let midnight = UTCTime(year: 2017, month: 1, day: 1)
        let flags = [-1.0, 0, 0].enumerated().map { index, offset in
            var fix = Fix.sample(0)
            fix.time = midnight.after(offset)
            if index == 1 { fix.notes = .leapSecond }
            return feed.judge(fix)
        }
        #expect(flags == [[], .leapSecond, []])
    }

    @Test func `B053 fixes without a time get the host's when it is trusted`() {
        var gate = QualityGate()
        let at = BootTime(milliseconds: 5000)
        var fix = Fix(time: nil, latitude: 51, longitude: 0.5, mode: .threeD)
        #expect(gate.judge(&fix, at: at) == [])
        gate.setClock(.start, at: at)
        #expect(gate.judge(&fix, at: at + .seconds(3)) == .timeFromHost)
        #expect(fix.time == .start.after(3))
    }

    @Test(arguments: [true, false])
    func `B065 one fix from the future is refused and nothing after it`(hasClock: Bool) {
        var feed = Feed()
        if hasClock { feed.gate.setClock(.start.after(86_400), at: feed.at) }
        let flags = (0..<9).map { second in
            var fix = Fix.sample(Double(second), 51 + Double(second) * 1e-5, speed: 1.1)
            if second == 3 { fix.time = UTCTime(year: 2080, month: 1, day: 6) }
            return feed.judge(fix)
        }
        #expect(flags.enumerated().allSatisfy { $1 == ($0 == 3 ? .futureTime : []) })
    }

    @Test func `a clock that followed a fix from the future makes no step of the next one`() {
        var gate = QualityGate()
        var flags: [FixFlags] = []
        for second in 0..<6 {
            var fix = Fix.sample(Double(second))
            if second == 3 { fix.time = UTCTime(year: 2080, month: 1, day: 6) }
            let years: Int64 = second >= 3 ? 54 * 366 * 86_400 : 0
            let at = BootTime(milliseconds: (years + Int64(second)) * 1000)
            flags.append(gate.judge(&fix, at: at))
        }
        #expect(flags == [[], [], [], .futureTime, [], []])
    }

    @Test func `a step of the receiver's clock against the host's is noted`() {
        var gate = QualityGate()
        let flags = [0.0, 1, 1000, 1001].enumerated().map { index, second in
            var fix = Fix.sample(second)
            return gate.judge(&fix, at: BootTime(milliseconds: Int64(index) * 1000))
        }
        #expect(flags == [[], [], .timeStep, []])
    }

    @Test func `B089 the second fix of one time is a duplicate, wherever it is`() {
        var feed = Feed()
        let fixes: [(Double, Double)] = [
            (0, 51), (0, 51), (5, 51.000083), (5, 51.000183), (10, 51.000167),
        ]
        let flags = fixes.map { feed.judge(.sample($0, $1, speed: 5.1)) }
        #expect(flags.map(\.isKept) == [true, false, true, false, true])
        #expect(flags[1] == .duplicateEpoch && flags[3] == .duplicateEpoch)
    }

    @Test func `B091 the scattered first fixes are low accuracy and the settled ones are kept`() {
        var feed = Feed()
        let epochs: [(Double, Double)] = [
            (9.5, 51.0027), (7.1, 51.00162), (4.0, 51.00054), (2.2, 51.00018), (1.2, 51.000045),
            (1.0, 51.000027),
        ]
        let flags = epochs.enumerated().map { second, epoch in
            feed.judge(.sample(Double(second), epoch.1, speed: 0.15, hdop: epoch.0))
        }
        #expect(flags.map(\.isKept) == [false, false, true, true, true, true])
        #expect(flags[0] == .lowAccuracy && flags[1] == .lowAccuracy)
    }

    @Test func `an estimated error over the limit is low accuracy and an unknown one is not`() {
        var settings = QualityGate.Settings()
        settings.maximumEPH = 25
        var feed = Feed(settings)
        for (second, eph) in [25, 25.1, nil].enumerated() {
            var fix = Fix.sample(Double(second))
            fix.errors.eph = eph
            #expect(feed.judge(fix).contains(.lowAccuracy) == (eph == 25.1))
        }
    }

    @Test func `the course is dropped below the speed that has one`() {
        var feed = Feed()
        for (second, speed) in [0.49, 0.5, nil].enumerated() {
            var fix = Fix.sample(Double(second), speed: speed)
            fix.course = 12
            _ = feed.judge(&fix)
            #expect((fix.course == nil) == (speed == 0.49))
        }
    }

    @Test func `a boat that sails over null island is believed`() {
        var feed = Feed()
        for second in 0..<400 {
            let away = Double(second - 200) * 1e-4
            #expect(feed.judge(.sample(Double(second), away, away, speed: 15)).isKept)
        }
    }

    @Test func `receivers are judged apart`() {
        var feed = Feed()
        for second in 0..<10 {
            var other = Fix.sample(Double(second) - 3, 51.5, speed: 0)
            other.device = 1
            #expect(feed.judge(.drive(second)).isKept)
            #expect(feed.judge(other).isKept)
        }
    }

    @Test func `the time is trusted from the third fix that agrees`() {
        var feed = Feed()
        let trusted = (0..<3).map { second in
            _ = feed.judge(.drive(second))
            return feed.gate.isTimeTrusted
        }
        #expect(trusted == [false, false, true])
    }

    @Test func `an old fix that is repeated live is stale`() {
        var settings = QualityGate.Settings()
        settings.maximumAge = .seconds(120)
        var feed = Feed(settings)
        feed.gate.setClock(.start, at: feed.at)
        #expect(feed.judge(.sample(-3600)) == .staleTime)
        #expect(feed.judge(.sample(0)) == [])
    }

    @Test func `a straggler is kept with a note and an older one is stale`() {
        var feed = Feed()
        #expect(feed.judge(.sample(100)) == [])
        #expect(feed.judge(.sample(98)) == .outOfOrder)
        #expect(feed.judge(.sample(50)) == .staleTime)
        #expect(feed.judge(.sample(101)) == [])
    }

    @Test func `the third fix of a track that goes on earlier is believed, and those before it`() {
        var feed = Feed()
        for second in 0..<3 { #expect(feed.judge(.sample(100_000 + Double(second))) == []) }
        #expect(feed.judge(.sample(0)) == .staleTime)
        #expect(feed.judge(.sample(1)) == .staleTime)
        #expect(feed.judge(.sample(2)) == [])
        #expect(feed.gate.revisions.map(\.ago) == [2, 1])
        #expect(feed.gate.revisions.map(\.flags) == [.timeStep, []])
        #expect(feed.judge(.sample(3)) == [])
    }

    @Test func `absurd values pass through without a trap`() {
        var feed = Feed()
        for time in [Int64.min, .max, 0, 1 << 61, -(1 << 61)] {
            for value in [1e308, -1e308, .infinity, 0] {
                var fix = Fix(
                    time: UTCTime(milliseconds: time), latitude: 51, longitude: value,
                    mode: .threeD)
                fix.altitudeMSL = value
                fix.speed = abs(value)
                fix.errors.eph = abs(value)
                fix.rolloverEras = .max
                _ = feed.judge(fix)
            }
        }
        for second in 0..<3 { _ = feed.judge(.drive(second)) }
        #expect(feed.judge(.drive(3)).isKept)
    }
}
