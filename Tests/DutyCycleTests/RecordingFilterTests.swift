import DutyCycle
import GNSS
import Scheduling
import Testing

@Suite struct RecordingFilterTests {
    static func fix(
        _ second: Double, metres: Double = 0, speed: Double? = nil, course: Double? = nil
    ) -> Fix {
        var fix = Fix(
            time: UTCTime(milliseconds: 1_777_629_600_000 + Int64(second * 1000)),
            // A metre of the meridian at 51° N: 111,238 m to the degree (WGS 84).
            latitude: 51 + metres / 111_238, longitude: 0.5, mode: .threeD)
        fix.speed = speed
        fix.course = course
        return fix
    }

    /// The seconds of the fixes that are recorded.
    static func recorded(_ fixes: [Fix], _ change: (inout RecordingFilter.Settings) -> Void)
        -> [Int]
    {
        var settings = RecordingFilter.Settings()
        change(&settings)
        var filter = RecordingFilter(settings)
        return fixes.filter { filter.admits($0, at: BootTime(nanoseconds: 0)) }.compactMap {
            $0.time.map { Int(($0.milliseconds - 1_777_629_600_000) / 1000) }
        }
    }

    @Test func `without limits everything is recorded`() {
        #expect(Self.recorded((0..<5).map { Self.fix(Double($0)) }) { _ in } == [0, 1, 2, 3, 4])
    }

    @Test func `time alone decides when nothing else is set`() {
        let fixes = (0..<10).map { Self.fix(Double($0)) }
        #expect(Self.recorded(fixes) { $0.minimumTime = .seconds(4) } == [0, 4, 8])
    }

    @Test func `time and distance must both be reached`() {
        let fixes = (0..<20).map { Self.fix(Double($0), metres: $0 < 10 ? 0 : Double($0 - 9) * 10) }
        let kept = Self.recorded(fixes) {
            $0.minimumTime = .seconds(2)
            $0.minimumDistance = 30
        }
        #expect(kept == [0, 12, 15, 18])
    }

    @Test func `silence ends whatever the distance is`() {
        let fixes = (0..<100).map { Self.fix(Double($0)) }
        let kept = Self.recorded(fixes) {
            $0.minimumDistance = 50
            $0.maximumSilence = .seconds(40)
        }
        #expect(kept == [0, 40, 80])
    }

    @Test func `the distance stretches with speed`() {
        let fixes = (0..<10).map { Self.fix(Double($0), metres: Double($0) * 30, speed: 30) }
        let kept = Self.recorded(fixes) {
            $0.minimumDistance = 30
            $0.distanceStretch = 2
        }
        #expect(kept == [0, 3, 6, 9])
    }

    @Test func `a turn over north is a small one`() {
        let courses: [Double?] = [359, 1, 19, nil, 40]
        let fixes = courses.enumerated().map { Self.fix(Double($0), course: $1) }
        #expect(Self.recorded(fixes) { $0.turnAngle = 20 } == [0, 2, 4])
    }

    @Test func `any one of distance, turn and speed is enough`() {
        let fixes = [
            Self.fix(0, speed: 10, course: 0), Self.fix(1, speed: 10, course: 90),
            Self.fix(2, speed: 4, course: 90), Self.fix(3, metres: 99, speed: 4, course: 90),
            Self.fix(4, metres: 99, speed: 4, course: 90),
        ]
        let kept = Self.recorded(fixes) {
            $0.minimumDistance = 50
            $0.turnAngle = 30
            $0.speedChange = 5
        }
        #expect(kept == [0, 1, 2, 3])
    }

    @Test func `a clock that goes back does not silence it`() {
        let fixes = [Self.fix(1000), Self.fix(0), Self.fix(1), Self.fix(5)]
        #expect(Self.recorded(fixes) { $0.minimumTime = .seconds(5) } == [1000, 0, 5])
    }
}
