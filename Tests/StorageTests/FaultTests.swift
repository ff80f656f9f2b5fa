import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct FaultTests {
    /// Sequences in a database, rejected fixes included.
    private func sequences(_ path: String) throws -> [Int64] {
        var query = FixQuery()
        query.keptOnly = false
        return try TrackReader(path: path).all(query).map(\.sequence)
    }

    @Test func `what a killed process had acknowledged is there, and the next one goes on`() throws
    {
        let folder = try Folder()
        var acknowledged: Int64 = 0
        for round in 1...5 {
            let bench = try Bench([], [folder.database, "0", "7", "ack=\(folder.path)/acks"])
            // The moment differs from round to round: after so many lines, in the middle of the next batch.
            _ = try bench.waitForAcks(folder.path + "/acks", above: acknowledged + 200)
            bench.kill()
            acknowledged = try Bench.lastAck(folder.path + "/acks")
            let database = try Database(path: folder.database, access: .readWrite)
            let check = try Statement("PRAGMA integrity_check", on: database)
            #expect(try check.step() && check.text(0) == "ok")
            let stored = try sequences(folder.database)
            #expect(stored == Array(1...Int64(stored.count)))
            #expect(stored.count >= acknowledged)
            #expect(try TrackReader(path: folder.database).runs().count == round)
        }
        _ = try TrackStore(path: folder.database)
        let reader = try TrackReader(path: folder.database)
        #expect(try reader.runs().allSatisfy { $0.ended == "interrupted" })
        #expect(try reader.segments().allSatisfy { !$0.isOpen })
    }

    @Test func `a full disk is named, outlived, and stored to again when there is room`() throws {
        let folder = try Folder()
        // A file size limit acts as a full disk does; the limit is lifted for the second half.
        let bench = try Bench(
            ["/bin/bash", "-c", "ulimit -S -f 160; exec \"$0\" \"$@\""],
            [folder.database, "0", "50", "ack=\(folder.path)/acks"])
        try bench.waitForOutput("disk full")
        let before = try Bench.lastAck(folder.path + "/acks")
        try bench.liftFileSizeLimit()
        _ = try bench.waitForAcks(folder.path + "/acks", above: before + 5000)
        bench.terminate()
        #expect(bench.status() == 0)
        let reader = try TrackReader(path: folder.database)
        let stored = Set(try sequences(folder.database))
        let acks = try Bench.acks(folder.path + "/acks")
        #expect(acks.isSubset(of: stored))
        let lost = (1...(stored.max() ?? 0)).filter { !stored.contains($0) }
        let dropped = try reader.gaps().filter { $0.reason == .dropped }
        #expect(lost.isEmpty == dropped.isEmpty)
    }

    @Test func `records wait while another program holds the file and are written afterwards`()
        throws
    {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<5 { store.append(.sample(index)) }
        try store.commit()
        let other = try Database(path: folder.database, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        for index in 5..<10 { store.append(.sample(index)) }
        let cycle = store.record(Cycle(began: 1, because: "start"))
        #expect(store.failure?.kind == .busy)
        #expect(throws: StoreError.self) { try store.commit() }
        #expect(store.durableSequence == 5)
        #expect(store.waiting == 5)
        #expect(store.counts.kept == 5)
        try other.execute("ROLLBACK")
        #expect(try store.commit() == 10)
        #expect(store.failure == nil)
        let reader = try TrackReader(path: folder.database)
        #expect(try reader.all().map(\.sequence) == Array(1...10))
        #expect(try reader.cycles().map(\.id) == [cycle])
        #expect(try reader.segments().map(\.fixes) == [10])
        #expect(store.counts.kept == 10)
    }

    @Test func `when the queue overflows the newest are kept and a gap says so`() throws {
        let folder = try Folder()
        var options = TrackStore.Options()
        options.limit = 64
        let store = try TrackStore(path: folder.database, options: options)
        store.beginRun(.sample)
        store.append(.sample(0))
        try store.commit()
        let other = try Database(path: folder.database, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        for index in 1...200 { store.append(.sample(index)) }
        #expect(store.waiting <= 64)
        #expect(store.dropped == 200 - Int64(store.waiting))
        try other.execute("ROLLBACK")
        try store.commit()
        let reader = try TrackReader(path: folder.database)
        let stored = try reader.all().map(\.sequence)
        #expect(stored.last == 201)
        #expect(stored.count == 201 - Int(store.dropped))
        // From the fix before those that were lost to the first one after them.
        let gap = try #require(try reader.gaps().first)
        #expect(gap.reason == .dropped)
        #expect(gap.after == 1)
        #expect(gap.begin == RecordedFix.sample(0).fix.time)
        #expect(gap.end == RecordedFix.sample(Int(stored[1]) - 1).fix.time)
    }

    @Test func `what a failed commit left in the file after all is not written twice`() throws {
        let folder = try Folder()
        try TrackStore(path: folder.database).close(ending: "stopped")
        let options = TrackStore.Options()
        let entries: [Entry] = [
            .run(1, .sample),
            .gap(1, run: 1, Gap(after: 1, begin: nil, end: nil, duration: 1, reason: .noSky)),
        ]
        let records = (1...4).map { index in
            var record = RecordedFix.sample(index)
            record.sequence = Int64(index)
            record.run = 1
            return record
        }
        let first = try Writer(StoreFile.open(folder.database, options))
        try first.write(again: entries, records.dropLast())
        try first.commit()
        let second = try Writer(StoreFile.open(folder.database, options))
        try second.write(again: entries, records[...])
        try second.commit()
        let reader = try TrackReader(path: folder.database)
        #expect(try reader.all().map(\.sequence) == [1, 2, 3, 4])
        #expect(try reader.gaps().count == 1)
        #expect(try reader.runs().count == 1)
        #expect(try reader.segments().map(\.fixes) == [4])
        #expect(try reader.counts().kept == 4)
    }
}
