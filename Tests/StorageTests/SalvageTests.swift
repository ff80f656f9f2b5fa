import Foundation
import GNSS
import Testing

@testable import Storage

/// Row "random damage" of the figures: salvage reads at least 95 % of what is not damaged, and invents nothing.
@Suite struct SalvageTests {
    private static let count = 20_000

    /// A database whose last fixes are in the write-ahead log alone.
    private func database(_ folder: Folder) throws -> (file: Data, log: Data) {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        let correction = try store.correction(
            digest: "d", text: String(repeating: "t", count: 9000))
        for index in 0..<Self.count {
            var record = RecordedFix.sample(index)
            if index % 100 == 0 {
                record.corrected = CorrectedPosition(
                    latitude: 47, longitude: 8, correction: correction)
            }
            if index == 10_000 {
                store.append(
                    Gap(after: 10_000, begin: nil, end: nil, duration: 60_000, reason: .noSky))
            }
            store.append(record)
            if index % 500 == 499 { try store.commit() }
        }
        try store.commit()
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.database + "-wal"))
        return (file, log)
    }

    /// Salvages damaged bytes; gives what was found and the fixes by sequence.
    private func salvage(
        _ file: Data, _ log: Data, in folder: Folder
    ) throws -> (Salvage.Outcome, [Int64: RecordedFix]) {
        let damaged = folder.path + "/damaged.db"
        let target = folder.path + "/rescued.db"
        try file.write(to: URL(fileURLWithPath: damaged))
        try log.write(to: URL(fileURLWithPath: damaged + "-wal"))
        let outcome = try Salvage.run(from: damaged, to: target, replaces: true) { _, _ in }
        let reader = try TrackReader(path: target)
        #expect(reader.checkup { _, _ in }.isSound)
        var query = FixQuery()
        query.keptOnly = false
        let found = try reader.all(query)
        #expect(Int64(found.count) == outcome.fixes)
        #expect(try reader.counts().total == outcome.fixes)
        return (outcome, Dictionary(uniqueKeysWithValues: found.map { ($0.sequence, $0) }))
    }

    private func truth(_ folder: Folder) throws -> [Int64: RecordedFix] {
        var query = FixQuery()
        query.keptOnly = false
        return Dictionary(
            uniqueKeysWithValues: try TrackReader(path: folder.database).all(query).map {
                ($0.sequence, $0)
            })
    }

    @Test func `a sound database comes out as it was, its log included`() throws {
        let folder = try Folder()
        let (file, log) = try database(folder)
        let (outcome, found) = try salvage(file, log, in: folder)
        #expect(found == (try truth(folder)))
        #expect(outcome.lostRows == 0 && outcome.lostPages == 0)
        #expect(outcome.pagesFromLog > 0)
        let reader = try TrackReader(path: folder.path + "/rescued.db")
        #expect(try reader.correction(1)?.text == String(repeating: "t", count: 9000))
        #expect(try reader.gaps() == TrackReader(path: folder.database).gaps())
        #expect(
            try reader.segments().map(\.fixes)
                == TrackReader(path: folder.database).segments().map(\.fixes))
        let store = try TrackStore(path: folder.path + "/rescued.db")
        #expect(store.durableSequence == Int64(Self.count))
    }

    @Test(arguments: ["header", "first page", "half", "no log", "log header", "interior"])
    func `the rows that a damage did not meet are there`(kind: String) throws {
        let folder = try Folder()
        let store = try database(folder)
        var (file, log) = store
        let truth = try truth(folder)
        var share = 0.95
        func overwrite(_ data: inout Data, _ range: Range<Int>) {
            data.replaceSubrange(range, with: Data(repeating: 0x5A, count: range.count))
        }
        switch kind {
        case "header": overwrite(&file, 0..<100)
        case "first page": overwrite(&file, 0..<4096)
        case "half":
            file.removeLast(file.count / 2)
            share = 0.4
        case "no log":
            log = Data()
            share = 0.9
        case "log header": overwrite(&log, 0..<32)
        default:
            // Every page that leads to others.
            for page in 1..<file.count / 4096 where file[page * 4096] == 5 {
                overwrite(&file, page * 4096..<page * 4096 + 4096)
            }
        }
        let (_, found) = try salvage(file, log, in: folder)
        #expect(Double(found.count) >= share * Double(truth.count), "\(found.count)")
        let wrong = found.values.filter { record in
            guard var right = truth[record.sequence] else { return true }
            // Of another table, whose rows may be among the lost.
            right.segment = record.segment
            if record.corrected == nil { right.corrected = nil }
            return right != record
        }
        #expect(wrong.isEmpty, "\(wrong.count)")
    }

    @Test
    func `whatever bytes are overwritten, 95 of 100 sound rows are found and none is made up`()
        throws
    {
        let folder = try Folder()
        let (file, log) = try database(folder)
        let truth = try truth(folder)
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = Seeded(seed)
            var (file, log) = (file, log)
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let length = Int.random(in: 1...600, using: &random)
                let inLog = Bool.random(using: &random)
                let start = Int.random(
                    in: 0..<(inLog ? log.count : file.count) - length, using: &random)
                let junk = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
                if inLog {
                    log.replaceSubrange(start..<start + length, with: junk)
                } else {
                    file.replaceSubrange(start..<start + length, with: junk)
                }
            }
            let (_, found) = try salvage(file, log, in: folder)
            #expect(Double(found.count) >= 0.95 * Double(truth.count), "seed \(seed)")
            let moved = found.values.filter { record in
                guard let true_ = truth[record.sequence] else { return true }
                return abs(true_.fix.latitude - record.fix.latitude) > 0.5
                    || abs(true_.fix.longitude - record.fix.longitude) > 0.5
            }
            #expect(moved.isEmpty, "seed \(seed): \(moved.count) fixes at places that never were")
        }
    }

    /// SQLite, "Database File Format", section 1.3.4: pages give that many bytes to extensions, ours none.
    @Test func `reserved bytes that the header was damaged to name cost no sealed fix`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<9000 { store.append(RecordedFix.sample(index)) }
        try store.commit()
        var limits = Retention()
        limits.sealAge = 0
        let late = UTCTime(milliseconds: 4_000_000_000_000)
        while try !store.keep(limits, present: late, now: late).isDone {}
        try store.close(ending: "stopped")
        var file = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        file[20] = 8
        let (outcome, _) = try salvage(file, Data(), in: folder)
        #expect(outcome.fixes == 9000)
    }

    @Test(
        arguments: [
            [1300], [1300, 1400, 1499], [1500], [3, 1498], [700, 701, 702], [1499, 1500],
        ] as [[Int64]])
    func `a place that no receiver could reach is left out where no chunk tells`(
        wrong: [Int64]
    ) throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<1500 { store.append(RecordedFix.sample(index)) }
        try store.commit()
        try store.close(ending: "stopped")
        var right = try truth(folder)
        let damaged = try Database(path: folder.database, access: .readWrite)
        try damaged.execute("DELETE FROM chunk; PRAGMA wal_checkpoint(TRUNCATE)")
        for sequence in wrong {
            // Neighbours are led astray each for itself.
            let off = 60_000_000 + 20_000_000 * (sequence % 3)
            try damaged.execute("UPDATE fix SET lat = lat - \(off) WHERE sequence = \(sequence)")
            right[sequence] = nil
        }
        let target = folder.path + "/rescued.db"
        let outcome = try Salvage.run(from: folder.database, to: target, replaces: true) { _, _ in }
        #expect(outcome.lostRows == Int64(wrong.count))
        let reader = try TrackReader(path: target)
        #expect(Set(try reader.all().map(\.sequence)) == Set(right.keys))
        #expect(reader.checkup { _, _ in }.isSound)
    }

    @Test func `a damaged block costs its own fixes, never those of others`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        var random = Seeded(7)
        for index in 0..<9000 { store.append(.random(index, &random)) }
        try store.commit()
        var limits = Retention()
        limits.sealAge = 0
        while try !store.keep(limits, present: ForgettingTests.now, now: ForgettingTests.now).isDone
        {}
        try store.close(ending: "stopped")
        let truth = try truth(folder)
        let reader = try Database(path: folder.database, access: .readOnly)
        #expect(try reader.number("SELECT count(*) FROM block") == 2)
        // The map of the file that SQLite itself gives.
        let page = try #require(
            try reader.number(
                """
                SELECT pageno FROM dbstat WHERE name = 'block' AND pagetype = 'overflow'
                ORDER BY path LIMIT 1 OFFSET 3
                """))
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let (_, whole) = try salvage(file, Data(), in: folder)
        #expect(whole == truth)
        var hurt = file
        hurt[Int(page - 1) * 4096 + 1234] ^= 0x10
        let (outcome, found) = try salvage(hurt, Data(), in: folder)
        // The first block ends at 4095, where sequences begin at 1.
        #expect(Set(found.keys) == Set(4096...9000))
        #expect(outcome.lostRows == 4095)
        #expect(found.allSatisfy { truth[$0.key]?.fix == $0.value.fix })
        // Without its first page nothing says where the blocks are.
        hurt = file
        hurt.replaceSubrange(0..<4096, with: Data(repeating: 0x5A, count: 4096))
        #expect(try salvage(hurt, Data(), in: folder).1.keys.count == truth.count)
    }

    @Test func `rows that were removed on purpose do not come back`() throws {
        let folder = try Folder()
        _ = try database(folder)
        let database = try Database(path: folder.database, access: .readWrite)
        try database.execute("PRAGMA secure_delete = ON; DELETE FROM fix WHERE sequence > 100")
        let (_, found) = try salvage(
            Data(contentsOf: URL(fileURLWithPath: folder.database)),
            Data(contentsOf: URL(fileURLWithPath: folder.database + "-wal")), in: folder)
        #expect(found.keys.max() == 100)
    }

    @Test func `what is no database of ours gives nothing`() throws {
        let folder = try Folder()
        try Data(repeating: 0x41, count: 100_000).write(to: URL(fileURLWithPath: folder.database))
        let error = #expect(throws: StoreError.self) {
            try Salvage.run(from: folder.database, to: folder.path + "/rescued.db") { _, _ in }
        }
        #expect(error?.kind == .notADatabase)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/rescued.db"))
    }
}
