import Foundation
import GNSS
import Testing
import Tracking

@Suite struct TrackStatisticsTests {
    /// `corpus/bugs/B086`: 30 s at 10 m/s, 20 min of V, the same place with 8 m of scatter, 30 s at 10 m/s.
    @Test func `B086 a pause adds no distance, one hole and no climb`() {
        var recorder = Recorder()
        let step = 0.00009
        for second in 0...30 {
            recorder.follow(.sample(Double(second), 51 + Double(second) * step, speed: 9.98))
        }
        for minute in 1...20 { recorder.tracker.noFix(at: Recorder.at(Double(minute) * 60)) }
        for second in 0...30 {
            let scatter = second == 1 || second == 3 ? 0.000072 : 0
            recorder.follow(
                .sample(
                    Double(1260 + second), 51.0027 + Double(second) * step + scatter,
                    speed: 9.98))
        }
        #expect(abs(recorder.statistics.distance - 600) <= 30)
        #expect(recorder.gaps.map(\.reason) == [.noSky])
        #expect((recorder.statistics.ascent ?? 0) < 20)
        #expect(recorder.statistics.movingTime >= 55_000)
        #expect(recorder.statistics.duration == 1_290_000)
    }

    /// GeographicLib 2.1.2, `corpus/coordinates/geodesic.csv`, gs001: 0.2° of the equator across 180°.
    @Test func `a line of known length has that length, across the 180th meridian too`() throws {
        var recorder = Recorder()
        for index in 0...2000 {
            let longitude = 179.9 + Double(index) * 1e-4
            recorder.follow(
                .sample(Double(index), 0, longitude > 180 ? longitude - 360 : longitude, speed: 11))
        }
        #expect(abs(recorder.statistics.distance - 22263.898159) < 1)
        let bounds = try #require(recorder.statistics.bounds)
        #expect(abs(bounds.west - 179.9) < 1e-9 && abs(bounds.east + 179.9) < 1e-9)
        #expect(bounds.south == 0 && bounds.north == 0)
        #expect(abs((recorder.statistics.topSpeed ?? 0) - 11) < 1e-9)
    }

    @Test func `two fixes are as far apart as they are, and drift is not`() {
        var recorder = Recorder()
        recorder.follow(.sample(0, 0, 0, speed: 11))
        recorder.follow(.sample(1, 0, 0.0001, speed: 11))
        // 1e-4° of the equator: 6378137 m · π/180 · 1e-4.
        #expect(abs(recorder.statistics.distance - 11.1319) < 1e-3)
        #expect(recorder.statistics.movingTime == 1000)
        var resting = Recorder()
        resting.follow(.sample(0, 0, 0, speed: 0))
        resting.follow(.sample(1, 0, 0.00001, speed: 0))
        #expect(resting.statistics.distance == 0)
    }

    /// 1e-5° of the equator: 6378137 m · π/180 · 1e-5 = 1.11319 m; walked at that, driven at ten times it.
    @Test(arguments: [(1e-5, 3), (1e-5, 20), (1e-4, 2), (1e-4, 3), (1e-4, 4), (1e-4, 30)])
    func `a short way is as long as it is, with speeds and without`(step: Double, steps: Int) {
        for speed in [nil, step * 111_319] {
            var recorder = Recorder()
            for index in 0...steps {
                recorder.follow(.sample(Double(index), 0, Double(index) * step, speed: speed))
            }
            let way = Double(steps) * step * 111_319.49
            #expect(abs(recorder.statistics.distance - way) < max(2, way / 100))
            #expect(recorder.statistics.movingTime == Int64(steps) * 1000)
        }
    }

    @Test func `who turns back or says that he stands has not gone a short way`() {
        for (east, speed) in [
            ([0, 3, 6, 5], nil), ([0, 3, 6, 9], 0.2), ([0, 0.4, 0.8, 2.1], nil),
        ] as [([Double], Double?)] {
            var recorder = Recorder()
            for (second, metres) in east.enumerated() {
                recorder.follow(.sample(Double(second), 0, metres / 111_319.49, speed: speed))
            }
            #expect(recorder.statistics.distance == 0)
        }
    }

    @Test func `a line without times is as long as it is`() {
        var statistics = TrackStatistics()
        // 1e-4° of the equator: 6378137 m · π/180 · 1e-4.
        for index in 0...3 {
            var fix = Fix.sample(0, 0, Double(index % 3) * 1e-4)
            fix.time = nil
            var record = RecordedFix(fix: fix, receivedAt: 5, flags: [])
            record.segment = index < 3 ? 1 : 2
            statistics.add(record)
        }
        #expect(abs(statistics.distance - 2 * 11.1319) < 1e-3)
        #expect(statistics.segments == 2 && statistics.movingTime == 0)
    }

    @Test func `a segment that goes on in another run is one`() {
        var statistics = TrackStatistics()
        for index in 0...20 {
            var record = RecordedFix(
                fix: .sample(Double(index), 0, Double(index) * 1e-4, speed: 11.1),
                receivedAt: Int64(index) * 1000, flags: [])
            record.segment = 1
            record.run = index < 10 ? 1 : 2
            statistics.add(record)
        }
        #expect(statistics.segments == 1)
        #expect(abs(statistics.distance - 20 * 11.1319) < 1e-2)
        #expect(statistics.gapDistance == 0)
    }

    @Test func `kept and rejected by reason are all fixes`() {
        var recorder = Recorder()
        let flags: [FixFlags] = [
            [], .outlier, [.outlier, .lowAccuracy], .duplicateEpoch, .outOfOrder, [],
        ]
        for (second, flags) in flags.enumerated() {
            recorder.follow(.sample(Double(second)), flags: flags)
        }
        let rejected = recorder.statistics.rejected
        #expect(recorder.statistics.kept == 3)
        #expect(recorder.statistics.total == 6)
        #expect(rejected.map(\.reason) == [.duplicateEpoch, .lowAccuracy, .outlier])
        #expect(rejected.map(\.count) == [1, 1, 1])
    }

    /// A change of period while it moves, while it stands, and between two segments.
    @Test(arguments: [7, 40, 300, 1500])
    func `periods sum up to the whole`(change: Int) {
        var whole = Recorder()
        var parts = Recorder()
        var earlier = TrackStatistics()
        for second in 0..<2000 where !(1000..<1500).contains(second) {
            if second == change {
                earlier = parts.statistics
                parts.statistics.beginPeriod()
            }
            let moved = Double(min(second, 200) + max(0, second - 600))
            let fix = Fix.sample(
                Double(second), 51 + moved * 0.00009, speed: (200..<600).contains(second) ? 0 : 10,
                altitude: 100 + moved / 10)
            whole.follow(fix)
            parts.follow(fix)
        }
        let (later, all) = (parts.statistics, whole.statistics)
        #expect(abs(earlier.distance + later.distance - all.distance) < 1e-6)
        #expect(earlier.movingTime + later.movingTime == all.movingTime)
        #expect(earlier.gapDistance + later.gapDistance == all.gapDistance)
        #expect(earlier.kept + later.kept == all.kept)
        #expect(abs(earlier.ascent! + later.ascent! - all.ascent!) < 1e-6)
        #expect(later.segments >= 1 && all.segments == 2)
        #expect(max(earlier.topSpeed ?? 0, later.topSpeed ?? 0) == all.topSpeed)
    }

    @Test func `one wrong speed is not the top speed`() {
        var recorder = Recorder()
        for second in 0..<60 {
            let latitude = 51 + Double(second) * 0.00009
            recorder.follow(.sample(Double(second), latitude, speed: second == 30 ? 90 : 10))
        }
        #expect(recorder.statistics.topSpeed == 10)
    }

    @Test func `without Doppler speed the top speed comes from the positions`() throws {
        var recorder = Recorder()
        for second in 0..<60 {
            recorder.follow(.sample(Double(second), 0, Double(second) * 0.0001))
        }
        // 1e-4° of the equator: 6378137 m · π/180 · 1e-4.
        let top = try #require(recorder.statistics.topSpeed)
        #expect(abs(top - 11.1319) < 1e-3)
    }

    @Test func `noise of the height is no climb and a hill is`() throws {
        var recorder = Recorder()
        var noise = SplitMix(state: 1)
        for second in 0..<3600 {
            // Up 140 m and down again within the hour, as the ride of OpenTracks issue 2085.
            let hill = 70 - 70 * cos(Double(second) / 1800 * .pi)
            recorder.follow(
                .sample(
                    Double(second), 51 + Double(second) * 5e-5,
                    altitude: 100 + hill + .random(in: -4...4, using: &noise)))
        }
        let ascent = try #require(recorder.statistics.ascent)
        let descent = try #require(recorder.statistics.descent)
        #expect(abs(ascent - 140) <= 10)
        #expect(abs(descent - 140) <= 10)
    }

    @Test func `heights of two kinds are not mixed`() {
        var recorder = Recorder()
        for second in 0..<20 {
            var fix = Fix.sample(Double(second), 51 + Double(second) * 5e-5)
            fix.altitudeHAE = 147
            if second % 2 == 0 { fix.altitudeMSL = 100 }
            recorder.follow(fix)
        }
        #expect(recorder.statistics.ascent == 0)
    }

    @Test func `without heights there is no climb`() {
        var recorder = Recorder()
        recorder.follow(.sample(0))
        #expect(recorder.statistics.ascent == nil)
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
