import GNSS
import Testing

@testable import Storage

@Suite struct ExplanationTests {
    /// When the sample fix of a second is valid.
    private func at(_ second: Double) -> UTCTime {
        UTCTime(milliseconds: 1_777_629_600_000 + Int64(second * 1000))
    }

    private func cycle(
        _ began: Int64, _ ended: Int64, kept: Int64, why: String, because: String = "interval"
    ) -> Cycle {
        var cycle = Cycle(began: 10_000 + began * 1000, because: because)
        cycle.ended = 10_000 + ended * 1000
        cycle.endedBecause = why
        cycle.kept = kept
        return cycle
    }

    @Test func `between two fixes of a segment a time is recorded, wherever it lies`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in 0..<3000 { store.append(.sample(second)) }
        for second in [0.0, 0.5, 1023, 1024.5, 2047.9, 2900, 2999] {
            let found = try #require(try store.explain(at(second)))
            #expect(found.isRecorded, "\(second)")
            #expect(found.before?.fix.time == at(second.rounded(.down)))
            #expect(found.after?.fix.time == at(second.rounded(.up)))
            #expect(found.reasons.isEmpty)
        }
        #expect(try store.explain(at(-1))?.before == nil)
        #expect(try store.explain(at(3000))?.after == nil)
        try store.close(ending: "stopped")
        #expect(try TrackReader(path: folder.database).explain(at(1500.5)).isRecorded)
    }

    @Test func `a time is looked up in tracks that were recorded in another order`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in 6000..<8000 { store.append(.sample(second)) }
        for second in 0..<2000 { store.append(.sample(second, segment: 2)) }
        for (second, segment) in [(7000.5, Int32(1)), (7999, 1), (0, 2), (1500.5, 2)] {
            let found = try #require(try store.explain(at(second)))
            #expect(found.isRecorded && found.before?.segment == segment, "\(second)")
        }
        let between = try #require(try store.explain(at(4000)))
        #expect(!between.isRecorded && between.reasons.isEmpty)
        #expect(between.before?.fix.time == at(1999) && between.after?.fix.time == at(6000))
    }

    @Test func `every reason of a hole is named in the order they began`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(.sample(0))
        store.record(cycle(-5, 1, kept: 1, why: "fix"))
        store.record(cycle(61, 91, kept: 0, why: "timeout"))
        store.append(.sample(125, flags: .lowAccuracy))
        store.append(.sample(126, flags: .outlier))
        store.append(.sample(127, flags: .lowAccuracy))
        store.record(cycle(121, 140, kept: 0, why: "paused"))
        store.append(
            Gap(after: 1, begin: at(0), end: at(300), duration: 300_000, reason: .asleep))
        store.append(.sample(300, segment: 2))
        store.record(cycle(290, 301, kept: 1, why: "fix", because: "resume"))
        let found = try #require(try store.explain(at(200)))
        #expect(!found.isRecorded)
        #expect(
            found.reasons.map(\.reason)
                == [.asleep, .noSky, .asleep, .rejected, .rejected, .paused])
        #expect(found.reasons.map(\.begin) == [1, 61, 91, 125, 126, 140].map { at($0) })
        #expect(found.reasons.map(\.end) == [61, 91, 121, 127, 126, 290].map { at($0) })
        #expect(found.reasons[3].detail == "low_accuracy" && found.reasons[3].count == 2)
        #expect(found.reasons[4].detail == "outlier" && found.reasons[4].count == 1)
        #expect(found.gaps.map(\.reason) == [.asleep])
    }

    @Test func `a hole over a restart has what was before and that nothing ran`() throws {
        let folder = try Folder()
        do {
            let store = try TrackStore(path: folder.database)
            store.beginRun(.sample)
            store.append(.sample(0))
            store.append(Gap(after: 1, begin: at(0), end: nil, duration: 20_000, reason: .noSky))
            try store.close(ending: "stopped")
        }
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(
            Gap(after: 1, begin: at(0), end: at(90), duration: 90_000, reason: .notRunning))
        store.append(.sample(90))
        let found = try #require(try store.explain(at(50)))
        #expect(found.reasons.map(\.reason) == [.noSky, .notRunning])
        #expect(found.gaps.map(\.end) == [nil, at(90)])
    }

    @Test
    func `a run that was killed asleep is known to its last sign of life, and not asleep since`()
        throws
    {
        let folder = try Folder()
        do {
            let store = try TrackStore(path: folder.database)
            store.beginRun(.sample)
            store.append(.sample(0))
            store.record(cycle(-5, 1, kept: 1, why: "fix"))
            store.record(cycle(61, 91, kept: 0, why: "timeout"))
            try store.commit()
        }
        let store = try TrackStore(path: folder.database)
        let last = try #require(try store.latest())
        #expect(try store.leave(after: last) == Leave(until: at(91), reason: .asleep))
        store.beginRun(.sample)
        store.append(Gap(after: 1, begin: at(0), end: at(91), duration: 91_000, reason: .asleep))
        store.append(
            Gap(after: 1, begin: at(91), end: at(200), duration: 109_000, reason: .notRunning))
        store.append(
            Gap(after: 1, begin: at(200), end: at(230), duration: 30_000, reason: .noSky))
        store.append(.sample(230))
        let found = try #require(try store.explain(at(150)))
        #expect(found.reasons.map(\.reason) == [.asleep, .noSky, .notRunning, .noSky])
        #expect(found.reasons.map(\.end) == [61, 91, 200, 230].map { at($0) })
        #expect(found.gap(at: at(150))?.reason == .notRunning)
        #expect(found.gap(at: at(220))?.reason == .noSky)
    }

    @Test func `a hole that a run noted at its end says until when it ran`() throws {
        let folder = try Folder()
        do {
            let store = try TrackStore(path: folder.database)
            store.beginRun(.sample)
            store.append(.sample(0))
            #expect(try store.leave(after: .sample(0)) == nil)
            store.append(Gap(after: 1, begin: at(0), end: nil, duration: 20_000, reason: .asleep))
            try store.close(ending: "stopped")
        }
        let store = try TrackStore(path: folder.database)
        let last = try #require(try store.latest())
        #expect(try store.leave(after: last) == Leave(until: at(20), reason: nil))
    }

    @Test func `an empty database knows nothing, and says so`() throws {
        let store = try TrackStore(path: Folder().database)
        let found = try #require(try store.explain(at(0)))
        #expect(found == Explanation())
        #expect(!found.isRecorded)
    }
}
