import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct ForgettingTests {
    static let now = UTCTime(milliseconds: 1_790_000_000_000)

    /// A drive with rejected fixes, rare values, corrections and three segments.
    static func drive(_ count: Int) -> [RecordedFix] {
        (0..<count).map { index in
            var record = RecordedFix.sample(
                index, flags: index % 17 == 5 ? .lowAccuracy : [], segment: Int32(1 + index / 1500))
            record.fix.latitude = Double(473_769_000 + index * 1000) / 1e7
            record.fix.longitude = Double(85_417_000 + index * 37) / 1e7
            if index % 10 == 0 { record.fix.heading = 12.5 }
            if record.flags.isKept {
                record.corrected = CorrectedPosition(
                    latitude: record.fix.latitude + 0.002, longitude: record.fix.longitude + 0.005,
                    correction: 1)
            }
            return record
        }
    }

    static func store(_ records: [RecordedFix], in folder: Folder) throws -> TrackStore {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for record in records { store.append(record) }
        try store.commit()
        return store
    }

    static func time(_ second: Int) -> UTCTime {
        UTCTime(milliseconds: 1_777_629_600_000 + Int64(second) * 1000)
    }

    static func forget(_ scope: RemovalScope, in store: TrackStore) throws -> Forgetting {
        var work = Forgetting(scope)
        while !work.isDone { try store.advance(&work, now: now) }
        return work
    }

    @Test(arguments: [(100, 200), (0, 50), (1000, 2100), (1024, 2047), (2900, 5000), (0, 5000)])
    func `a time that is forgotten leaves no byte of a place, and all else as it was`(
        from: Int, through: Int
    ) throws {
        let folder = try Folder()
        let records = Self.drive(4000)
        let store = try Self.store(records, in: folder)
        var scope = RemovalScope()
        scope.since = Self.time(from)
        scope.until = Self.time(through)
        let work = try Self.forget(scope, in: store)
        let gone = records.enumerated().filter { (from...through).contains($0.offset) }
            .map(\.element)
        let left = records.enumerated().filter { !(from...through).contains($0.offset) }
            .map(\.element)
        #expect(work.fixes == gone.count)
        #expect(try Consistency.found(gone.map(\.bytes), in: folder.database) == 0)
        #expect(try Consistency.found(gone.compactMap(\.correctedBytes), in: folder.database) == 0)
        #expect(
            try Consistency.found(left.suffix(100).map(\.bytes), in: folder.database)
                == min(100, left.count))
        try Consistency.check(folder.database)
        var query = FixQuery()
        query.keptOnly = false
        let read = try TrackReader(path: folder.database).all(query)
        #expect(read.map(\.fix) == left.map(\.fix))
        #expect(read.map(\.receivedAt) == left.map(\.receivedAt))
        let gaps = try TrackReader(path: folder.database).gaps()
        // A track that begins later has no hole.
        #expect(gaps.count == (from == 0 ? 0 : 1))
        for gap in gaps {
            #expect(gap.reason == .forgotten)
            #expect(
                gap.begin == left.last { $0.flags.isKept && $0.fix.time! < scope.since! }?.fix.time)
        }
        #expect(try store.database { try $0.number("SELECT count(*) FROM removal") } == 1)
        #expect(
            try store.database { try $0.number("SELECT fixes FROM removal") } == Int64(gone.count))
    }

    @Test(arguments: 1...6)
    func `whatever is removed in whatever order leaves no byte and no sum behind`(seed: Int) throws
    {
        let folder = try Folder()
        let records = Self.drive(6000)
        let store = try Self.store(records, in: folder)
        var random = Seeded(UInt64(seed))
        var left = Set(records.indices)
        for _ in 0..<9 {
            let from = Int.random(in: 0..<6000, using: &random)
            let through =
                from
                + Int.random(in: 0...[3, 90, 1500].randomElement(using: &random)!, using: &random)
            if Bool.random(using: &random) {
                var scope = RemovalScope()
                scope.since = Self.time(from)
                scope.until = Self.time(through)
                let work = try Self.forget(scope, in: store)
                let gone = left.filter { (from...through).contains($0) }
                #expect(work.fixes == gone.count)
                left.subtract(gone)
            } else {
                var limits = Retention()
                limits.rows = store.counts.total - Int64(through - from)
                while try !store.keep(limits, present: nil, now: Self.now).isDone {}
                left = Set(left.sorted().suffix(Int(store.counts.total)))
            }
            try Consistency.check(folder.database)
            let gone = records.indices.filter { !left.contains($0) }.map { records[$0] }
            #expect(try Consistency.found(gone.map(\.bytes), in: folder.database) == 0)
            #expect(
                try Consistency.found(gone.compactMap(\.correctedBytes), in: folder.database) == 0)
        }
        // Boxes are made of a fix's latitude and another's longitude: here of the same one.
        #expect(store.counts.total == left.count)
    }

    @Test func `a place that is forgotten is left out of each drive past it`() throws {
        let folder = try Folder()
        let records = Self.drive(4000)
        let store = try Self.store(records, in: folder)
        store.append(Mark(at: records[2000], title: "home"))
        store.append(Mark(at: records[10], title: "away"))
        var scope = RemovalScope()
        scope.within = RemovalScope.Circle(
            latitude: records[2000].fix.latitude, longitude: records[2000].fix.longitude,
            radius: 600)
        let work = try Self.forget(scope, in: store)
        let gone = records.filter {
            scope.within!.contains($0.fix.latitude, $0.fix.longitude)
        }
        // 600 m at 11.1 m a second, both ways (a degree of latitude is 111.2 km there).
        #expect(abs(gone.count - 108) <= 2)
        #expect(work.fixes == gone.count)
        #expect(work.marks == 1)
        #expect(try Consistency.found(gone.map(\.bytes), in: folder.database) == 0)
        try Consistency.check(folder.database)
        #expect(try TrackReader(path: folder.database).marks().map(\.title) == ["away"])
        let audit = try #require(try store.database { try $0.number("SELECT marks FROM removal") })
        #expect(audit == 1)
    }

    @Test func `the times of which fixes were forgotten are known, and no others`() throws {
        let folder = try Folder()
        let store = try Self.store(Self.drive(2000), in: folder)
        #expect(try store.forgottenTimes()?.contains(Self.time(1010)) == false)
        for (from, through) in [(1000, 1100), (1950, 1999)] {
            var scope = RemovalScope()
            scope.since = Self.time(from)
            scope.until = Self.time(through)
            _ = try Self.forget(scope, in: store)
        }
        let times = try #require(try store.forgottenTimes())
        let gone = (0..<2000).filter { times.contains(Self.time($0)) }
        #expect(gone == Array(1000...1100) + Array(1950...1999))
    }

    @Test func `recording goes on in new numbers, and the hole at the end is closed`() throws {
        let folder = try Folder()
        let records = Self.drive(2000)
        let store = try Self.store(Array(records[..<1800]), in: folder)
        var scope = RemovalScope()
        scope.since = Self.time(1200)
        _ = try Self.forget(scope, in: store)
        for record in records[1800...] { store.append(record) }
        try store.commit()
        try Consistency.check(folder.database)
        let reader = try TrackReader(path: folder.database)
        let gap = try #require(try reader.gaps().last)
        #expect(gap.begin == Self.time(1199) && gap.end == Self.time(1800))
        #expect(gap.duration == 601_000)
        #expect(try reader.newestSequence() == 2000)
        // Cut in the middle of the segment that lasts, then a new one of the tracker's.
        scope.since = Self.time(1900)
        scope.until = Self.time(1910)
        _ = try Self.forget(scope, in: store)
        var next = records[1999]
        next.segment = 3
        next.fix.time = Self.time(2100)
        store.append(next)
        try store.close(ending: "stopped")
        try Consistency.check(folder.database)
        #expect(try reader.segments().count == 4)
    }

    @Test
    func `no number is given twice after the newest fixes are gone and the program was restarted`()
        throws
    {
        let folder = try Folder()
        let store = try Self.store(Self.drive(100), in: folder)
        store.append(Mark(at: nil, time: Self.time(60), title: ""))
        var scope = RemovalScope()
        scope.since = Self.time(50)
        #expect(try Self.forget(scope, in: store).marks == 1)
        try store.close(ending: "stopped")
        let again = try TrackStore(path: folder.database)
        #expect(again.durableSequence == 100)
        again.beginRun(.sample)
        #expect(again.append(.sample(200)) == 101)
        #expect(again.append(Mark(at: nil, title: "")) == 2)
        try again.close(ending: "stopped")
        try Consistency.check(folder.database)
        #expect(try TrackReader(path: folder.database).gaps().map(\.end) == [Self.time(200)])
    }

    @Test func `bytes that a reader holds are erased when it lets go`() throws {
        let folder = try Folder()
        let records = Self.drive(500)
        let store = try Self.store(records, in: folder)
        let other = try Database(path: folder.database, access: .readOnly)
        try other.execute("BEGIN")
        _ = try other.number("SELECT count(*) FROM fix")
        _ = try Self.forget(RemovalScope(), in: store)
        #expect(store.isErasing)
        #expect(try Consistency.found(records.map(\.bytes), in: folder.database) > 0)
        try other.execute("COMMIT")
        try store.commit()
        #expect(!store.isErasing)
        #expect(try Consistency.found(records.map(\.bytes), in: folder.database) == 0)
    }

    @Test func `a removal that the disk refuses is told and leaves everything`() throws {
        let folder = try Folder()
        let store = try Self.store(Self.drive(500), in: folder)
        let other = try Database(path: folder.database, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        var work = Forgetting(RemovalScope())
        #expect(throws: StoreError.self) { try store.advance(&work, now: Self.now) }
        #expect(work.fixes == 0 && !work.isDone)
        try other.execute("ROLLBACK")
        try store.commit()
        #expect(store.counts.total == 500)
        try Consistency.check(folder.database)
    }
}

extension TrackStore {
    func database<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try body(try #require(writer?.database))
    }
}
