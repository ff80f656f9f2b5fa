import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct RetentionTests {
    private func keep(
        _ store: TrackStore, present: UTCTime? = nil, _ change: (inout Retention) -> Void
    ) throws -> Int {
        var limits = Retention()
        change(&limits)
        var steps = 0
        while try !store.keep(limits, present: present, now: ForgettingTests.now).isDone {
            steps += 1
        }
        return steps
    }

    @Test func `fixes, marks and all that came with them go when they are too old`() throws {
        let folder = try Folder()
        let records = ForgettingTests.drive(6000)
        let store = try ForgettingTests.store(records, in: folder)
        store.append(Mark(at: records[3000], title: "old"))
        store.append(Mark(at: records[5000], title: "new"))
        store.append(
            Gap(
                after: 1500, begin: records[1499].fix.time, end: records[1500].fix.time,
                duration: 1000, reason: .noSky))
        store.append(
            Gap(
                after: 4500, begin: records[4499].fix.time, end: records[4500].fix.time,
                duration: 1000, reason: .noSky))
        let steps = try keep(store, present: ForgettingTests.time(4000 + 3600)) {
            $0.age = 3_600_000
        }
        #expect(steps >= 4)
        let gone = records[..<4000]
        #expect(try Consistency.found(gone.map(\.bytes), in: folder.database) == 0)
        #expect(try Consistency.found(gone.compactMap(\.correctedBytes), in: folder.database) == 0)
        try Consistency.check(folder.database)
        let reader = try TrackReader(path: folder.database)
        var query = FixQuery()
        query.keptOnly = false
        #expect(try reader.all(query).map(\.fix) == records[4000...].map(\.fix))
        #expect(try reader.all(query).map(\.receivedAt) == records[4000...].map(\.receivedAt))
        #expect(try reader.marks().map(\.title) == ["new"])
        #expect(try reader.gaps().map(\.after) == [4500])
        let causes = try store.database {
            try $0.number("SELECT fixes FROM removal WHERE cause = 'keep_for'")
        }
        #expect(causes == 4000)
    }

    @Test func `without a clock to be trusted nothing grows old`() throws {
        let folder = try Folder()
        let store = try ForgettingTests.store(ForgettingTests.drive(100), in: folder)
        #expect(try keep(store, present: nil) { $0.age = 1 } == 0)
        #expect(store.counts.total == 100)
    }

    @Test func `an undated beginning goes with the first dated fixes after it`() throws {
        let folder = try Folder()
        var records = ForgettingTests.drive(3000)
        for index in 0..<1100 { records[index].fix.time = nil }
        let store = try ForgettingTests.store(records, in: folder)
        _ = try keep(store, present: ForgettingTests.time(1000 + 60)) { $0.age = 60_000 }
        #expect(store.counts.total == 3000)
        _ = try keep(store, present: ForgettingTests.time(2500 + 60)) { $0.age = 60_000 }
        #expect(store.counts.total == 500)
        try Consistency.check(folder.database)
    }

    @Test func `nothing is kept in order while a reader lets the log grow`() throws {
        let folder = try Folder()
        var options = TrackStore.Options()
        options.checkpointPages = 20
        options.heldLog = 300_000
        let store = try TrackStore(path: folder.database, options: options)
        store.beginRun(.sample)
        for second in 0..<9000 { store.append(.sample(second)) }
        try store.commit()
        try store.checkpoint()
        var limits = Retention()
        limits.rows = 1000
        func keep() throws {
            while try !store.keep(limits, present: nil, now: ForgettingTests.now).isDone {}
        }
        let reader = try Database(path: folder.database, access: .readOnly)
        try reader.execute("BEGIN")
        _ = try reader.number("SELECT count(*) FROM fix")
        try keep()
        #expect(store.isLogHeld && store.sizeOfLog < 900_000)
        #expect(store.counts.total > 3000)
        try reader.execute("COMMIT")
        for second in 9000..<9002 {
            store.append(.sample(second))
            try store.commit()
        }
        try keep()
        #expect(store.counts.total < 1100)
    }

    @Test func `the oldest rows go first and marks stay`() throws {
        let folder = try Folder()
        let records = ForgettingTests.drive(5000)
        let store = try ForgettingTests.store(records, in: folder)
        store.append(Mark(at: records[0], title: "first"))
        _ = try keep(store) { $0.rows = 2000 }
        #expect(store.counts.total == 2000)
        let reader = try TrackReader(path: folder.database)
        var query = FixQuery()
        query.keptOnly = false
        #expect(try reader.all(query).map(\.sequence) == Array(3001...5000))
        #expect(try reader.marks().count == 1)
        try Consistency.check(folder.database)
    }

    @Test func `bytes go back to the file system and recording goes on`() throws {
        let folder = try Folder()
        let store = try ForgettingTests.store(ForgettingTests.drive(40_000), in: folder)
        let before = store.sizeOnDisk
        let limit: Int64 = 1 << 20
        _ = try keep(store) { $0.bytes = limit }
        try store.checkpoint()
        #expect(before > 3 << 20)
        // The limit and the reserve of free pages.
        #expect(store.sizeOnDisk <= limit + 256 * 4096)
        #expect(store.counts.total > 3000)
        for index in 40_000..<41_000 { store.append(.sample(index, segment: 50)) }
        try store.close(ending: "stopped")
        try Consistency.check(folder.database)
        #expect(try TrackReader(path: folder.database).newestSequence() == 41_000)
    }

    @Test func `runs and cycles go with the last fix of theirs`() throws {
        let folder = try Folder()
        for part in 0..<3 {
            let store = try TrackStore(path: folder.database)
            store.beginRun(.sample)
            var cycle = Cycle(began: 6_000, because: "start")
            cycle.ended = 9_000
            for index in 0..<2000 { store.append(.sample(part * 2000 + index)) }
            store.record(cycle)
            try store.close(ending: "stopped")
        }
        let store = try TrackStore(path: folder.database)
        var limits = Retention()
        limits.rows = 3000
        while try !store.keep(limits, present: nil, now: ForgettingTests.now).isDone {}
        let reader = try TrackReader(path: folder.database)
        #expect(try reader.runs().map(\.id) == [2, 3])
        #expect(try reader.cycles().map(\.run) == [2, 3])
        #expect(try reader.all().first?.run == 2)
        #expect(try reader.all().first?.receivedAt == RecordedFix.sample(3000).receivedAt)
    }
}
