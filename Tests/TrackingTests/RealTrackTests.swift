import Foundation
import GNSS
import Testing
import Tracking

/// Recorded tracks against the lengths in the table of `corpus/tracks/README.md`.
@Suite struct RealTrackTests {
    static func record(_ name: String, _ change: (inout Fix) -> Void = { _ in }) throws
        -> Recorder?
    {
        guard let fixes = try Corpus.track(name) else { return nil }
        var recorder = Recorder()
        for var fix in fixes {
            change(&fix)
            recorder.follow(fix)
        }
        return recorder
    }

    @Test(
        arguments: [
            ("run-denver", 17.0), ("run-stavanger", 9), ("cycle-toronto-edge500", 93),
            ("cycle-toronto-2020", 67), ("cycle-big-sur", 123), ("car-boulder-rtk", 21),
            ("car-reno-night", 138), ("bus-limerick-304", 14), ("boat-greifswald-berth", 38),
            ("boat-finland-gll", 35), ("multi-norway-race", 58), ("car-mjolby", 159),
        ])
    func `the distance of a track in motion is that of its steps`(
        name: String, kilometres: Double
    ) throws {
        guard let recorder = try Self.record(name) else { return }
        let metres = recorder.statistics.distance + recorder.statistics.gapDistance
        // The table rounds to a kilometre and sums jitter at rest, up to 4 %.
        #expect(metres <= kilometres * 1000 + 600)
        #expect(metres >= kilometres * 1000 * 0.95 - 500)
    }

    @Test func `a night in one place is not the 7 km of its steps`() throws {
        guard let recorder = try Self.record("still-night-a") else { return }
        // The receiver jumped by up to 60 m now and then.
        #expect(recorder.statistics.distance < 700)
        #expect(recorder.statistics.movingTime < 600_000)
        #expect((recorder.statistics.ascent ?? 0) < 100)
    }

    @Test func `the length of a car's way with centimetre truth survives noise of 3 m`() throws {
        guard let truth = try Self.record("car-boulder-rtk") else { return }
        var noise = SplitMix(state: 2)
        var north = 0.0
        var east = 0.0
        let noisy = try Self.record("car-boulder-rtk") { fix in
            // First-order Gauss-Markov with 40 s, as multipath; the sum of uniforms is near normal.
            func normal() -> Double {
                (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &noise) }
            }
            let keep = exp(-1.0 / 40)
            north = north * keep + 3 * (1 - keep * keep).squareRoot() * normal()
            east = east * keep + 3 * (1 - keep * keep).squareRoot() * normal()
            fix.latitude += north / 111_200
            fix.longitude += east / 85_000
        }
        guard let noisy else { return }
        #expect(abs(truth.statistics.distance - 21_250) < 100)
        #expect(abs(noisy.statistics.distance / truth.statistics.distance - 1) < 0.03)
        let difference = noisy.statistics.movingTime - truth.statistics.movingTime
        #expect(abs(difference) < truth.statistics.movingTime / 10)
    }
}
