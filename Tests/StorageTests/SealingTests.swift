import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct SealingTests {
    private func seal(_ store: TrackStore, _ change: (inout Retention) -> Void = { _ in }) throws {
        var limits = Retention()
        limits.sealAge = 0
        change(&limits)
        while try !store.keep(limits, present: ForgettingTests.now, now: ForgettingTests.now).isDone
        {}
    }

    private func all(_ path: String) throws -> [RecordedFix] {
        var query = FixQuery()
        query.keptOnly = false
        return try TrackReader(path: path).all(query)
    }

    @Test(arguments: 1...8)
    func `any numbers come back as they were`(seed: Int) throws {
        var random = Seeded(UInt64(seed))
        var columns: [[Int64]] = [
            [], [0], [.min], [.max, .min, .max], [5, 5, 5, 5], Array(repeating: -1, count: 5000),
        ]
        for _ in 0..<20 {
            let bits = Int64.random(in: 0...62, using: &random)
            columns.append(
                (0..<Int.random(in: 1...500, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? 0 : Int64.random(in: -(1 << bits)...(1 << bits), using: &random)
                })
        }
        var writer = BitWriter()
        for column in columns { ColumnCode.encode(column, to: &writer) }
        writer.finish()
        var reader = BitReader(writer.bytes)
        for column in columns {
            #expect(ColumnCode.decode(column.count, from: &reader) == column)
        }
        #expect(!reader.isOverrun)
    }

    @Test func `the check sum is that of gzip`() {
        // ITU-T V.42 and RFC 1952: the sum of the nine digits.
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test(arguments: 0..<200)
    func `bytes that are no block are refused`(seed: Int) {
        var random = Seeded(UInt64(seed))
        let rows = (0..<50).map { SealedRow(sequence: $0, row: FixRow()) }
        var bytes = SealedBlock.encode(rows)
        if seed % 2 == 0 {
            bytes = (0..<seed).map { _ in UInt8.random(in: 0...255, using: &random) }
            if bytes.count > 3 { (bytes[0], bytes[1], bytes[2]) = (0, 0, 1) }
        } else {
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        }
        // Whatever it makes of them, it ends.
        _ = SealedBlock.decode(bytes)
    }

    @Test func `what is said of a time does not change when its day is sealed`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in 0..<9000 where !(2000..<2100).contains(second) {
            store.append(.sample(second, flags: second == 1999 ? .outlier : []))
        }
        try store.commit()
        let reader = try TrackReader(path: folder.database)
        // The sample fix of a second is valid then.
        let times = [1000.5, 2050, 8999].map {
            UTCTime(milliseconds: 1_777_629_600_000 + Int64($0 * 1000))
        }
        let before = try times.map { try reader.explain($0) }
        #expect(before[0].isRecorded && before[0].after != nil)
        try seal(store)
        try store.checkpoint()
        #expect(try store.database { try $0.number("SELECT count(*) FROM block") } == 2)
        #expect(try times.map { try reader.explain($0) } == before)
    }

    @Test func `sealed fixes are read as before, by every query`() throws {
        let folder = try Folder()
        var random = Seeded(12)
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<9000 { store.append(.random(index, &random)) }
        try store.commit()
        let reader = try TrackReader(path: folder.database)
        let before = try all(folder.database)
        let (segments, counts, latest) = (
            try reader.segments(), try reader.counts(), try reader.latest()
        )
        try seal(store)
        try store.checkpoint()
        #expect(try store.database { try $0.number("SELECT count(*) FROM block") } == 2)
        #expect(try store.database { try $0.number("SELECT min(sequence) FROM fix") } == 8192)
        #expect(
            try store.database {
                try $0.number("SELECT count(*) FROM detail WHERE sequence < 8192")
            } == 0)
        let after = try all(folder.database)
        #expect(after == before)
        #expect(try reader.segments() == segments)
        #expect(try reader.counts() == counts)
        #expect(try reader.latest() == latest)
        var query = FixQuery()
        for last in [1, 900, 5000, 20_000] {
            query.last = last
            #expect(try reader.all(query) == Array(before.filter(\.flags.isKept).suffix(last)))
        }
        query.last = nil
        query.since = before[3000].fix.time
        query.until = before[8500].fix.time
        let times = try reader.all(query).map(\.sequence)
        #expect(
            times
                == before.filter {
                    $0.flags.isKept && $0.fix.time != nil && $0.fix.time! >= query.since!
                        && $0.fix.time! <= query.until!
                }.map(\.sequence))
        try Consistency.check(folder.database)
        #expect(try store.unseal { _, _ in } == 8191)
        #expect(try all(folder.database) == before)
        #expect(try store.database { try $0.number("SELECT count(*) FROM fix") } == 9000)
        try Consistency.check(folder.database)
        try store.close(ending: "stopped")
    }

    @Test func `the latest fix stays a row, and is found in a block when later ones are forgotten`()
        throws
    {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in 0..<5200 {
            store.append(.sample(second, flags: second < 4000 ? [] : .outlier))
        }
        try store.commit()
        try seal(store)
        #expect(try store.database { try $0.number("SELECT count(*) FROM block") } == 0)
        store.append(.sample(5200))
        try store.commit()
        try seal(store)
        try store.checkpoint()
        #expect(try store.database { try $0.number("SELECT min(sequence) FROM fix") } == 4096)
        let reader = try TrackReader(path: folder.database)
        var query = FixQuery()
        query.last = 2
        #expect(try reader.all(query).map(\.sequence) == [4000, 5201])
        for last in [5200, 3999] {
            var scope = RemovalScope()
            scope.since = ForgettingTests.time(last)
            scope.until = scope.since
            _ = try ForgettingTests.forget(scope, in: store)
            let left = min(last - 1, 3999)
            #expect(try reader.latest()?.fix.time == ForgettingTests.time(left))
            #expect(try store.latest()?.fix.time == ForgettingTests.time(left))
            // What a reader has at hand of a block is not what it says after some of it was forgotten.
            #expect(try reader.all(query).map(\.sequence) == [Int64(left), Int64(left) + 1])
        }
    }

    @Test func `recording, restarting and removal go on over sealed fixes`() throws {
        let folder = try Folder()
        let records = ForgettingTests.drive(11_000)
        let store = try ForgettingTests.store(records, in: folder)
        try seal(store)
        var scope = RemovalScope()
        scope.since = ForgettingTests.time(4000)
        scope.until = ForgettingTests.time(4200)
        #expect(try ForgettingTests.forget(scope, in: store).fixes == 201)
        try Consistency.check(folder.database)
        #expect(
            try all(folder.database).map(\.fix.time)
                == records.map(\.fix.time).enumerated().filter {
                    !(4000...4200).contains($0.offset)
                }.map(\.element))
        try store.close(ending: "stopped")
        let again = try TrackStore(path: folder.database)
        #expect(again.durableSequence == 11_000)
        again.beginRun(.sample)
        again.append(.sample(11_001))
        try again.commit()
        var limits = Retention()
        limits.rows = 5000
        while try !again.keep(limits, present: nil, now: ForgettingTests.now).isDone {}
        #expect(again.counts.total <= 5000 + 312)
        try Consistency.check(folder.database)
        #expect(try again.database { try $0.number("SELECT count(*) FROM block") } == 1)
        scope = RemovalScope()
        scope.until = ForgettingTests.time(9000)
        _ = try ForgettingTests.forget(scope, in: again)
        #expect(try again.database { try $0.number("SELECT count(*) FROM block") } == 0)
        try Consistency.check(folder.database)
    }

    @Test func `what was sealed leaves no plain byte, and what was forgotten no compressed one`()
        throws
    {
        let folder = try Folder()
        var random = Seeded(3)
        let records = ForgettingTests.drive(9000).map { record in
            var record = record
            record.fix.latitude += Double(Int.random(in: -400...400, using: &random)) / 1e7
            record.fix.longitude += Double(Int.random(in: -400...400, using: &random)) / 1e7
            return record
        }
        let store = try ForgettingTests.store(records, in: folder)
        try seal(store)
        try store.checkpoint()
        // But for corners of the boxes of chunks, segments and blocks.
        #expect(try Consistency.found(records[..<8000].map(\.bytes), in: folder.database) < 40)
        let blocks = try store.database { database in
            let statement = try Statement("SELECT data FROM block ORDER BY id", on: database)
            var found: [[UInt8]] = []
            while try statement.step() { found.append(statement.blob(0) ?? []) }
            return found
        }
        // What repeats from row to row looks alike in the block that stays.
        let other = Data(blocks[1])
        let pieces = stride(from: 0, to: blocks[0].count - 16, by: 16)
            .map { Array(blocks[0][$0..<$0 + 16]) }
            .filter { other.range(of: Data($0)) == nil }
        #expect(pieces.count > 500)
        #expect(try Consistency.found(pieces, in: folder.database) > pieces.count * 9 / 10)
        var scope = RemovalScope()
        scope.until = ForgettingTests.time(5000)
        _ = try ForgettingTests.forget(scope, in: store)
        #expect(try Consistency.found(pieces, in: folder.database) == 0)
    }

    @Test func `only closed days of full chunks are sealed, and only by a clock to be trusted`()
        throws
    {
        let folder = try Folder()
        // 86,400 seconds from 10:00 on: the day ends 50,400 fixes later.
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<60_000 { store.append(.sample(index)) }
        var limits = Retention()
        limits.sealAge = 0
        #expect(try store.keep(limits, present: nil, now: ForgettingTests.now).isDone)
        while try !store.keep(
            limits, present: ForgettingTests.time(60_000), now: ForgettingTests.now
        ).isDone {}
        #expect(try store.database { try $0.number("SELECT min(sequence) FROM fix") } == 12 << 12)
        try Consistency.check(folder.database)
    }

    @Test func `a damaged block is named`() throws {
        let folder = try Folder()
        let store = try ForgettingTests.store(ForgettingTests.drive(5000), in: folder)
        try seal(store)
        try store.database {
            try $0.execute("UPDATE block SET data = zeroblob(length(data))")
        }
        #expect(throws: StoreError.self) { try self.all(folder.database) }
    }

    @Test func `an ordinary drive takes ten bytes a fix at most, and a disk of its own size`()
        throws
    {
        let folder = try Folder()
        var random = Seeded(9)
        var (north, east, speed, course, height) = (0.0, 0.0, 15.0, 1.0, 410.0)
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<45_000 {
            speed = max(0, min(40, speed + .random(in: -0.5...0.5, using: &random)))
            course += .random(in: -0.05...0.05, using: &random)
            height += .random(in: -0.15...0.15, using: &random)
            north += speed * cos(course)
            east += speed * sin(course)
            var fix = Fix(
                time: ForgettingTests.time(index), latitude: 47 + north / 111_200,
                longitude: 8 + east / 75_500, mode: .threeD)
            fix.status = .gps
            fix.altitudeMSL = (height * 10).rounded() / 10
            fix.geoidSeparation = 47.4
            fix.altitudeHAE = fix.altitudeMSL! + 47.4
            fix.speed = (speed * 100 + .random(in: -5...5, using: &random)).rounded() / 100
            fix.course = ((course * 57.2958).truncatingRemainder(dividingBy: 360) + 360)
                .truncatingRemainder(dividingBy: 360)
            fix.dop.hdop = 0.8 + Double(index / 40 % 7) / 100
            fix.dop.vdop = 1.3 + Double(index / 55 % 9) / 100
            fix.dop.pdop = 1.6
            fix.satellitesUsed = UInt8(10 + index / 60 % 3)
            fix.satellitesSeen = UInt8(14 + index / 90 % 3)
            var record = RecordedFix(
                fix: fix, receivedAt: Int64(index) * 1000 + .random(in: 0...12, using: &random),
                flags: [])
            record.segment = 1
            store.append(record)
        }
        try store.commit()
        let before = store.sizeOnDisk
        try seal(store)
        let bytes = try store.database { try $0.number("SELECT sum(length(data)) FROM block") } ?? 0
        let fixes = try store.database { try $0.number("SELECT sum(fixes) FROM block") } ?? 1
        #expect(Double(bytes) / Double(fixes) <= 10)
        try store.close(ending: "stopped")
        // The reserve of free pages, and the tail that is not full.
        let after = StoreFile.size(folder.database)
        #expect(before > 2_000_000)
        #expect(Double(after - 256 * 4096) < 10.5 * Double(fixes) + 60 * 4200 + 100_000)
    }
}
