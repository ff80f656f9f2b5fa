import GNSS
import Testing
import Tracking

@Suite struct DensifierTests {
    static let start = UTCTime(milliseconds: 1_777_593_600_000)

    /// A fix north of 51° N; 111,249 m to the degree there (WGS 84).
    static func record(
        _ sequence: Int64, at second: Int64, metres: Double, speed: Double? = 10,
        segment: Int32 = 1, flags: FixFlags = []
    ) -> RecordedFix {
        var fix = Fix(
            time: UTCTime(milliseconds: start.milliseconds + second * 1000),
            latitude: 51 + metres / 111_249, longitude: 0.5, mode: .threeD)
        fix.speed = speed
        fix.course = 0
        var record = RecordedFix(fix: fix, receivedAt: second * 1000, flags: flags)
        record.sequence = sequence
        record.segment = segment
        record.run = 1
        return record
    }

    static func gap(_ reason: GapReason, _ from: Int64 = 0, _ to: Int64 = 60) -> Gap {
        Gap(
            after: 1, begin: UTCTime(milliseconds: start.milliseconds + from * 1000),
            end: UTCTime(milliseconds: start.milliseconds + to * 1000),
            duration: (to - from) * 1000, reason: reason)
    }

    static func dense(_ records: [RecordedFix], _ gaps: [Gap]) -> [RecordedFix] {
        var densifier = Densifier(gaps: gaps)
        var out: [RecordedFix] = []
        for record in records { densifier.add(record) { out.append($0) } }
        return out
    }

    static func metres(_ record: RecordedFix) -> Double { (record.fix.latitude - 51) * 111_249 }

    @Test func `a sleep is filled along the way, marked, in one segment`() {
        let points = Self.dense(
            [
                Self.record(1, at: 0, metres: 0),
                Self.record(2, at: 60, metres: 600, segment: 2),
            ], [Self.gap(.asleep)])
        #expect(points.count == 61)
        #expect(points[1...59].allSatisfy { $0.flags == .interpolated && $0.sequence == 0 })
        #expect(Set(points.map(\.segment)) == [1])
        #expect(abs(Self.metres(points[30]) - 300) < 1)
    }

    @Test(arguments: [GapReason.noSky, .paused, .privateZone, .notRunning, .sourceLost])
    func `no other hole is filled`(reason: GapReason) {
        let records = [
            Self.record(1, at: 0, metres: 0), Self.record(2, at: 60, metres: 600, segment: 2),
        ]
        #expect(Self.dense(records, [Self.gap(reason)]) == records)
        #expect(Self.dense(records, [Self.gap(.asleep), Self.gap(reason)]) == records)
        #expect(Self.dense(records, []) == records)
    }

    @Test func `a rest is kept to its time and told by its ends`() {
        let rest = [Self.gap(.atRest, 0, 3600), Self.gap(.asleep, 3600, 3640)]
        let points = Self.dense(
            [
                Self.record(1, at: 0, metres: 0, speed: 0),
                Self.record(2, at: 3640, metres: 300, segment: 2),
            ], rest)
        #expect(points.count == 42)
        #expect(Self.metres(points[1]) == 0 && points[1].receivedAt == 3_600_000)
        #expect(Self.metres(points[20]) > 30)
    }

    @Test func `rejected fixes pass, and a hole too long or without velocities stays one`() {
        let rejected = Self.record(2, at: 30, metres: 9000, segment: 0, flags: .outlier)
        let far = [
            Self.record(1, at: 0, metres: 0), rejected,
            Self.record(3, at: 1000, metres: 9000, segment: 2),
        ]
        #expect(Self.dense(far, [Self.gap(.asleep)]).count == 3)
        let unknown = [
            Self.record(1, at: 0, metres: 0, speed: nil),
            Self.record(2, at: 60, metres: 600, segment: 2),
        ]
        #expect(Self.dense(unknown, [Self.gap(.asleep)]).count == 2)
    }

    @Test func `a sum over a dense track counts fixes once and the way along the curve`() {
        var sums = TrackStatistics()
        let records = [
            Self.record(1, at: 0, metres: 0), Self.record(2, at: 60, metres: 600, segment: 2),
        ]
        for point in Self.dense(records, [Self.gap(.asleep)]) { sums.add(point) }
        #expect(sums.kept == 2 && sums.segments == 1)
        #expect((570...601).contains(sums.distance))
    }

    @Test func `a hole is split where it stood, and no second is lost`() {
        func times(_ gaps: [Gap]) -> [Int64] { gaps.map { $0.duration / 1000 } }
        let hole = Self.gap(.asleep, 0, 1000)
        func rest(_ from: Int64, _ to: Int64) -> ClosedRange<UTCTime> {
            UTCTime(
                milliseconds: Self.start.milliseconds + from * 1000)...UTCTime(
                    milliseconds: Self.start.milliseconds + to * 1000)
        }
        #expect(times(hole.split(at: rest(100, 900))) == [100, 800, 100])
        #expect(hole.split(at: rest(100, 900)).map(\.reason) == [.asleep, .atRest, .asleep])
        #expect(times(hole.split(at: rest(-50, 900))) == [900, 100])
        #expect(times(hole.split(at: rest(2, 2000))) == [1000])
        #expect(hole.split(at: rest(2, 2000)).map(\.reason) == [.atRest])
        #expect(hole.split(at: rest(2000, 3000)) == [hole])
        #expect(Self.gap(.noSky, 0, 1000).split(at: rest(100, 900)).count == 1)
    }
}
