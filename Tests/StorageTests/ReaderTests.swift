import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct ReaderTests {
    /// A database of many chunks in two runs, with clocks that step, and what went into it.
    private func make(_ folder: Folder, count: Int = 5000) throws -> [RecordedFix] {
        var random = Seeded(7)
        var records: [RecordedFix] = []
        for run in 1...2 as ClosedRange<Int32> {
            let store = try TrackStore(path: folder.database)
            #expect(store.beginRun(.sample) == run)
            for index in 0..<count {
                var record = RecordedFix.random(index, &random)
                // The second run hands in older fixes, as a replay does.
                if run == 2, let time = record.fix.time {
                    record.fix.time = UTCTime(milliseconds: time.milliseconds - 3_600_000)
                }
                record.sequence = store.append(record)
                record.run = run
                records.append(record)
                if index % 700 == 0 { try store.commit() }
            }
            try store.commit()
            if run == 2 { try store.close(ending: "stopped") }
        }
        return records
    }

    @Test func `a query gives what a look at every fix gives`() throws {
        let folder = try Folder()
        let records = try make(folder)
        let reader = try TrackReader(path: folder.database)
        var random = Seeded(3)
        for _ in 0..<60 {
            var query = FixQuery()
            let base = 1_777_629_600_000 + Int64.random(in: -4_000_000..<6_000_000, using: &random)
            if Bool.random(using: &random) { query.since = UTCTime(milliseconds: base) }
            if Bool.random(using: &random) {
                query.until = UTCTime(
                    milliseconds: base + .random(in: 0..<3_000_000, using: &random))
            }
            query.keptOnly = Bool.random(using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                query.run = .random(in: 1...3, using: &random)
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                query.last = .random(in: 0..<2000, using: &random)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                query.after = .random(in: 0..<11_000, using: &random)
            }
            var wanted = records.filter { record in
                (!query.keptOnly || record.flags.isKept)
                    && query.since.map { since in record.fix.time.map { $0 >= since } ?? false }
                        ?? true
                    && query.until.map { until in record.fix.time.map { $0 <= until } ?? false }
                        ?? true
                    && query.run.map { $0 == record.run } ?? true && record.sequence > query.after
            }
            if let last = query.last { wanted = wanted.suffix(last) }
            #expect(try reader.all(query).map(\.sequence) == wanted.map(\.sequence), "\(query)")
        }
    }

    @Test func `segments sum up their fixes, whether closed, cut off or lasting`() throws {
        let folder = try Folder()
        var records = try make(folder)
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<1500 {
            var record = RecordedFix.sample(index)
            record.sequence = store.append(record)
            records.append(record)
        }
        try store.commit()
        let reader = try TrackReader(path: folder.database)
        let segments = try reader.segments()
        #expect(segments.count == 101)
        #expect(segments.map(\.isOpen) == Array(repeating: false, count: 100) + [true])
        #expect(Set(segments.map(\.id)).count == segments.count)
        for segment in segments {
            var query = FixQuery()
            query.segment = segment.id
            let fixes = try reader.all(query)
            #expect(fixes.count == Int(segment.fixes))
            #expect(fixes.first?.sequence == segment.first)
            #expect(fixes.last?.sequence == segment.last)
            #expect(fixes.compactMap(\.fix.time).min() == segment.begin)
            #expect(fixes.compactMap(\.fix.time).max() == segment.end)
            let bounds = try #require(segment.bounds)
            #expect(abs(bounds.south - (fixes.map(\.fix.latitude).min() ?? 0)) < 1e-6)
            #expect(abs(bounds.east - (fixes.map(\.fix.longitude).max() ?? 0)) < 1e-6)
        }
    }

    @Test func `counts by reason are those of the fixes, before and after a restart`() throws {
        let folder = try Folder()
        let records = try make(folder)
        let counts = try TrackReader(path: folder.database).counts()
        #expect(counts.total == Int64(records.count))
        #expect(counts.kept == Int64(records.filter(\.flags.isKept).count))
        for reason in [FixFlags.outlier, .lowAccuracy] {
            #expect(counts[reason] == Int64(records.filter { $0.flags.reason == reason }.count))
        }
        let store = try TrackStore(path: folder.database)
        #expect(store.counts.kept == counts.kept)
        store.append(.sample(1, flags: .nullIsland))
        #expect(store.counts[.nullIsland] == 1)
    }

    @Test func `the latest fix is the kept one with the greatest time`() throws {
        let folder = try Folder()
        let records = try make(folder)
        let kept = records.filter(\.flags.isKept).compactMap(\.fix.time)
        #expect(try TrackReader(path: folder.database).latest()?.fix.time == kept.max())
        #expect(try TrackStore(path: folder.database).latest()?.fix.time == kept.max())
    }

    @Test func `a reader sees commits of a store that is open, and nothing before`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.commit()
        let reader = try TrackReader(path: folder.database)
        store.append(.sample(1))
        #expect(try reader.all().count == 1)
        try store.commit()
        #expect(try reader.all().count == 2)
    }

    @Test func `a write goes on while a reader is in the middle of a query`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<3000 { store.append(.sample(index)) }
        try store.commit()
        let reader = try TrackReader(path: folder.database)
        var seen = 0
        try reader.fixes(FixQuery()) { _ in
            seen += 1
            if seen % 1000 == 0 {
                store.append(.sample(3000 + seen))
                #expect(throws: Never.self) { try store.commit() }
            }
            return true
        }
        #expect(seen == 3000)
        #expect(try reader.all().count == 3003)
    }

    @Test func `cycles, gaps, runs and corrections come back`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        var cycle = Cycle(began: 1000, because: "start")
        let id = store.record(cycle)
        try store.commit()
        cycle.ended = 31_000
        cycle.endedBecause = "fix"
        cycle.timeToFirstFix = 27_500
        cycle.fixes = 4
        cycle.kept = 3
        cycle.bestEPH = 2.345
        #expect(store.record(cycle, id: id) == id)
        let gap = Gap(
            after: 7, begin: UTCTime(milliseconds: 5), end: nil, duration: 60_000, reason: .noSky)
        store.append(gap)
        let correction = try store.correction(digest: "ab12", text: "shift east=1 m")
        #expect(try store.correction(digest: "ab12", text: "shift east=1 m") == correction)
        try store.close(ending: "stopped")
        let reader = try TrackReader(path: folder.database)
        // Four seconds before the start of the run by the host's clock, as nothing else is known.
        let began = UTCTime(milliseconds: Run.sample.started.milliseconds - 4000)
        #expect(try reader.cycles() == [StoredCycle(id: id, run: 1, cycle: cycle, time: began)])
        #expect(try reader.gaps() == [gap])
        #expect(try reader.runs() == [StoredRun(id: 1, run: .sample, ended: "stopped")])
        #expect(try reader.correction(correction)?.text == "shift east=1 m")
    }

    @Test func `a cycle of a replay lies among its fixes, years before the host's clock`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        var record = RecordedFix.sample(0)
        record.fix.time = UTCTime(milliseconds: 1_000_000_030_000)
        record.receivedAt = 35_000
        store.append(record)
        var cycle = Cycle(began: 5000, because: "start")
        cycle.ended = 36_000
        store.record(cycle)
        try store.close(ending: "stopped")
        let reader = try TrackReader(path: folder.database)
        #expect(try reader.cycles().first?.time == UTCTime(milliseconds: 1_000_000_000_000))
        let database = try Database(path: folder.database, access: .readOnly)
        let view = try Statement("SELECT began FROM cycles", on: database)
        #expect(try view.step())
        #expect(view.text(0) == "2001-09-09T01:46:40.000Z")
    }
}
