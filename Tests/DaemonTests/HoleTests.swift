import Correction
import DutyCycle
import Foundation
import GNSS
import Quality
import Scheduling
import Storage
import Testing
import Tracking

@testable import Daemon

/// Runs of a live pipeline on a virtual loop: what the database says of a hole while it lasts, and after a run's end.
@Suite struct HoleTests {
    private final class Bench {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        var path: String { folder.appending(path: "d.db").path }

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// From, to and reason of the holes, in seconds of the drive.
        func holes() throws -> [String] {
            try TrackReader(path: path).gaps().map { gap in
                func second(_ time: UTCTime?) -> String {
                    time.map { "\(($0 - Live.start) / 1000)" } ?? ""
                }
                return "\(second(gap.begin))-\(second(gap.end)) \(gap.reason.name)"
            }
        }
    }

    /// One run, from its start to its end or its death.
    private final class Live {
        static let start = UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000)
        static let boot = "6d6ff0ea3f5c4a6c9f0e8d1c2a4b5e6f"
        let loop: VirtualLoop
        let store: TrackStore
        let conductor: Conductor
        let pipeline: Pipeline

        /// A run that starts at that second.
        init(_ bench: Bench, from second: Int64 = 0) throws {
            let began = Live.at(second)
            loop = VirtualLoop(now: began)
            store = try TrackStore(path: bench.path)
            store.beginRun(
                Run(
                    bootID: Live.boot, started: Live.start, startedBoot: began.milliseconds,
                    source: "gpsd localhost:2947", configuration: "", version: "1"))
            conductor = Conductor(DutyCycle(DutyCycle.Settings()), on: loop)
            var settings = Tracker.Settings()
            settings.silence = .sourceLost
            let previous = try store.latest()
            try store.endHoles()
            let store = store
            let leave = try previous.flatMap { try store.leave(after: $0) }
            pipeline = Pipeline(
                store: store, conductor: conductor, gate: QualityGate(QualityGate.Settings()),
                chain: try CorrectionChain(CorrectionSettings()),
                tracker: Tracker(
                    settings,
                    after: previous.map {
                        .init(
                            sequence: $0.sequence, time: $0.fix.time, segment: 0,
                            until: leave?.until, reason: leave?.reason)
                    }, began: began), filter: nil, on: loop)
            conductor.tell(.started(nil))
        }

        static func at(_ second: Int64) -> BootTime {
            BootTime(milliseconds: 50_000 + second * 1000)
        }
        private func time(_ second: Int64) -> UTCTime {
            UTCTime(milliseconds: Live.start.milliseconds + second * 1000)
        }

        func fixes(_ seconds: ClosedRange<Int64>) {
            for second in seconds {
                loop.advance(to: Live.at(second))
                var epoch = Epoch.fix(
                    Fix(
                        time: time(second), latitude: 47 + Double(second) * 1e-4, longitude: 8.5,
                        mode: .threeD))
                pipeline.take(&epoch, at: loop.now)
            }
        }

        func tell(_ reason: GapReason?, at second: Int64) {
            loop.advance(to: Live.at(second))
            pipeline.tell(reason, at: loop.now)
        }

        /// A commit, as one is due while a hole lasts.
        func commit(at second: Int64) throws {
            loop.advance(to: Live.at(second))
            pipeline.noteHole(at: loop.now, time: time(second))
            try store.commit()
        }

        func end(at second: Int64) throws {
            loop.advance(to: Live.at(second))
            pipeline.end(at: loop.now, time: time(second))
            try store.close(ending: "stopped")
        }
    }

    @Test func `a hole is in the database while it lasts, and ends with the next fix`() throws {
        let bench = try Bench()
        let run = try Live(bench)
        run.fixes(0...60)
        run.tell(.asleep, at: 61)
        try run.commit(at: 65)
        #expect(try bench.holes() == [])
        run.tell(.noSky, at: 100)
        try run.commit(at: 120)
        #expect(try bench.holes() == ["60-100 asleep", "100- no_sky"])
        run.tell(nil, at: 150)
        run.fixes(150...170)
        try run.store.commit()
        #expect(try bench.holes() == ["60-100 asleep", "100-150 no_sky"])
    }

    @Test func `what was noted of a hole that turns out to be none is taken back`() throws {
        let bench = try Bench()
        let run = try Live(bench)
        run.fixes(0...60)
        run.tell(.sourceLost, at: 61)
        try run.commit(at: 90)
        #expect(try bench.holes() == ["60- source_lost"])
        // What waited in gpsd's socket comes late, and is from then.
        run.tell(nil, at: 91)
        for second in 61...95 {
            var epoch = Epoch.fix(
                Fix(
                    time: UTCTime(milliseconds: Live.start.milliseconds + Int64(second) * 1000),
                    latitude: 47 + Double(second) * 1e-4, longitude: 8.5, mode: .threeD))
            run.pipeline.take(&epoch, at: run.loop.now)
        }
        run.loop.advance(to: Live.at(120))
        try run.store.commit()
        #expect(try bench.holes() == [])
    }

    @Test func `after a kill what was noted stands, and only the rest is not running`() throws {
        let bench = try Bench()
        do {
            let run = try Live(bench)
            run.fixes(0...60)
            run.tell(.asleep, at: 61)
            run.tell(.noSky, at: 100)
            try run.commit(at: 120)
        }
        let next = try Live(bench, from: 130)
        next.fixes(132...150)
        try next.store.commit()
        #expect(
            try bench.holes() == ["60-100 asleep", "100-120 no_sky", "120-132 not_running"])
        let told = try #require(
            try next.store.explain(UTCTime(milliseconds: Live.start.milliseconds + 110_000)))
        #expect(told.reason(at: Live.start)?.reason == nil)
        #expect(told.reasons.map(\.reason) == [.asleep, .noSky, .notRunning])
    }

    @Test func `a clean stop in a search says of each part what it was`() throws {
        let bench = try Bench()
        do {
            let run = try Live(bench)
            run.fixes(0...60)
            run.tell(.asleep, at: 61)
            run.tell(.noSky, at: 100)
            try run.end(at: 130)
        }
        #expect(try bench.holes() == ["60-100 asleep", "100-130 no_sky"])
        let reader = try TrackReader(path: bench.path)
        let later = UTCTime(milliseconds: Live.start.milliseconds + 900_000)
        let told = try reader.explain(later)
        #expect(told.reasons.map(\.reason) == [.asleep, .noSky, .notRunning])
        #expect(told.reason(at: later)?.reason == .notRunning && told.gap(at: later) == nil)
    }

    @Test func `a run that never had a fix leaves its part of the hole too`() throws {
        let bench = try Bench()
        do {
            let run = try Live(bench)
            run.fixes(0...60)
            try run.end(at: 62)
        }
        do {
            let run = try Live(bench, from: 200)
            run.tell(.noSky, at: 201)
            try run.end(at: 300)
        }
        let run = try Live(bench, from: 400)
        run.fixes(402...420)
        try run.store.commit()
        #expect(
            try bench.holes() == ["60-200 not_running", "200-300 no_sky", "300-402 not_running"])
    }

    @Test func `a pause that begins in a sleep is as long as it was`() throws {
        let bench = try Bench()
        let run = try Live(bench)
        run.fixes(0...60)
        run.tell(.asleep, at: 61)
        run.loop.advance(to: Live.at(100))
        run.pipeline.pause(true, at: run.loop.now)
        run.loop.advance(to: Live.at(140))
        #expect(
            run.pipeline.lastingHole(at: run.loop.now, time: nil).map(\.reason) == [
                .asleep, .paused,
            ])
        run.pipeline.pause(false, at: run.loop.now)
        run.tell(nil, at: 141)
        run.fixes(143...160)
        try run.store.commit()
        #expect(try bench.holes() == ["60-100 asleep", "100-143 paused"])
    }
}
