import GNSS
import Quality
import Scheduling
import Testing

/// Times are believed when three in a row agree, and what was said before that is set right.
///
/// Three is what gpsd_json(5) asks for: `time` may be present and wrong before.
@Suite struct FirstTimesTests {
    /// The names of the last verdict on each fix of a drive, an epoch a second from the start of the program, whose
    /// receiver dates them as `times` says.
    static func verdicts(
        _ times: [UTCTime], _ change: (inout QualityGate) -> Void = { _ in }
    ) -> [FixFlags] {
        var gate = QualityGate()
        change(&gate)
        var verdicts: [FixFlags] = []
        for (second, time) in times.enumerated() {
            var fix = Fix.drive(second)
            fix.time = time
            verdicts.append(gate.judge(&fix, at: BootTime(milliseconds: Int64(second) * 1000)))
            for revision in gate.revisions {
                verdicts[verdicts.count - 1 - revision.ago] = revision.flags
            }
        }
        return verdicts
    }

    static func times(_ seconds: [Double]) -> [UTCTime] { seconds.map { .start.after($0) } }

    /// As an outside program or a receiver may have it before it knows better.
    static let defaults: [UTCTime] = [
        // The GPS epochs: weeks 1024 and 2048 (IS-GPS-200, 20.3.3.3.1.1), and a firmware's own first day.
        UTCTime(year: 1999, month: 8, day: 22), UTCTime(year: 2019, month: 4, day: 7),
        UTCTime(year: 2015, month: 1, day: 1),
    ]

    @Test(arguments: defaults, [1, 2])
    func `a default date before the right one is untrusted, and no right one is lost`(
        date: UTCTime, count: Int
    ) {
        let wrong = (0..<count).map { date.after(Double($0)) }
        let right = (0..<8).map { UTCTime.start.after(Double(count + $0)) }
        let verdicts = Self.verdicts(wrong + right)
        #expect(verdicts[..<count].allSatisfy { $0 == .untrustedTime })
        #expect(verdicts[count...].allSatisfy { $0 == [] })
    }

    @Test func `a date ahead of the right one at a cold start is untrusted`() {
        let year = 365 * 86_400.0
        let verdicts = Self.verdicts(Self.times([year, 1, 2, 3, 4, 5]))
        #expect(verdicts == [.untrustedTime, [], [], [], [], []])
    }

    @Test func `one of two dates that no third one bears out is not chosen`() {
        let year = 365 * 86_400.0
        let verdicts = Self.verdicts(Self.times([0, year, 2, 3, 4]))
        #expect(verdicts == [[], .futureTime, [], [], []])
    }

    @Test func `a time that was believed stays so until three say otherwise`() {
        // Two of an hour before: a receiver that was reset. Three: the track was wrong.
        let two = Self.verdicts(Self.times([0, 1, 2, 3, -3596, -3595, 6, 7]))
        #expect(two == [[], [], [], [], .staleTime, .staleTime, [], []])
        let three = Self.verdicts(Self.times([0, 1, 2, 3, -3596, -3595, -3594, -3593]))
        #expect(three == [[], [], [], [], .timeStep, [], [], []])
    }

    @Test func `a step ahead that the next ones do not bear out is untrusted, and they are kept`() {
        let verdicts = Self.verdicts(Self.times([0, 1, 2, 3, 1204, 5, 6, 7, 8]))
        #expect(verdicts[4] == [.timeStep, .untrustedTime])
        #expect(verdicts.enumerated().allSatisfy { $0 == 4 || $1 == [] })
    }

    @Test func `verdicts are final when three agree`() {
        var gate = QualityGate()
        let states = (0..<5).map { second in
            var fix = Fix.drive(second)
            _ = gate.judge(&fix, at: BootTime(milliseconds: Int64(second) * 1000))
            return [gate.isUndecided, gate.isTimeTrusted]
        }
        #expect(
            states == [
                [true, false], [true, false], [false, true], [false, true], [false, true],
            ])
    }

    @Test func `a clock that agrees is a witness`() {
        var gate = QualityGate()
        gate.setClock(.start, at: BootTime(milliseconds: 0))
        var fix = Fix.drive(0)
        #expect(gate.judge(&fix, at: BootTime(milliseconds: 0)) == [])
        #expect(!gate.isUndecided)
        #expect(gate.isTimeTrusted)
    }

    @Test func `a receiver that is on once in five minutes proves its time too`() {
        var gate = QualityGate()
        for second in stride(from: 0, through: 600, by: 300) {
            var fix = Fix.drive(second)
            fix.speed = nil
            _ = gate.judge(&fix, at: BootTime(milliseconds: Int64(second) * 1000))
        }
        #expect(gate.isTimeTrusted)
    }

    @Test func `verdicts wait for ten seconds at most`() {
        var gate = QualityGate()
        for second in [0, 9, 11] {
            var fix = Fix.drive(second)
            // Each of another date.
            fix.time = .start.after(Double(second) * 86_400 * 100)
            _ = gate.judge(&fix, at: BootTime(milliseconds: Int64(second) * 1000))
            #expect(gate.isUndecided == (second < 10))
        }
        #expect(QualityGate.patience == .seconds(10))
    }

    @Test func `a live date before the program's release is untrusted`() {
        let early = (0..<5).map { UTCTime(year: 2025, month: 1, day: 1).after(Double($0)) }
        let floor = UTCTime(year: 2026, month: 1, day: 1)
        let verdicts = Self.verdicts(early + Self.times([5, 6, 7])) { $0.settings.floor = floor }
        #expect(verdicts[..<5].allSatisfy { $0 == .untrustedTime })
        #expect(verdicts[5...].allSatisfy { $0 == [] })
    }

    @Test func `where the machine was is judged again with the times`() {
        // The two of the wrong date were 50 km away.
        var gate = QualityGate()
        var verdicts: [FixFlags] = []
        for second in 0..<8 {
            var fix = Fix.drive(second)
            if second < 2 {
                fix.time = UTCTime(year: 2019, month: 4, day: 7).after(Double(second))
                fix.latitude += 0.45
            }
            verdicts.append(gate.judge(&fix, at: BootTime(milliseconds: Int64(second) * 1000)))
            for revision in gate.revisions {
                verdicts[verdicts.count - 1 - revision.ago] = revision.flags
            }
        }
        #expect(verdicts[..<2].allSatisfy { $0 == .untrustedTime })
        #expect(verdicts[2...].allSatisfy { $0 == [] })
    }
}
