import Foundation
import GNSS
import Testing

@testable import Storage

/// Queries by time over full groups of chunks, chunks and what is not summed up yet.
@Suite struct TimeQueryTests {
    @Test func `a span gives the fixes in it, wherever it lies`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        // Two full groups of 65536 and the beginning of a third.
        let count = 140_000
        for index in 0..<count { store.append(.sample(index)) }
        try store.commit()
        let database = try Database(path: folder.database, access: .readWrite)
        #expect(try database.number("SELECT count(*) FROM chunk_group") == 2)
        let reader = try TrackReader(path: folder.database)
        func expect(_ range: Range<Int>) throws {
            var query = FixQuery()
            query.since = RecordedFix.sample(range.lowerBound).fix.time
            query.until = RecordedFix.sample(range.upperBound - 1).fix.time
            #expect(try reader.all(query).map(\.sequence) == range.map { Int64($0) + 1 })
            query.last = 3
            #expect(try reader.all(query).map(\.sequence) == range.suffix(3).map { Int64($0) + 1 })
        }
        try expect(0..<10)
        try expect(65_500..<65_600)
        try expect(60_000..<133_000)
        try expect(139_990..<140_000)
        let info = try reader.info()
        #expect(info.begin == RecordedFix.sample(0).fix.time)
        #expect(info.end == RecordedFix.sample(count - 1).fix.time)
        // Without the rows of the groups, as made by the step from version 1, they are the same.
        let before = try groups(database)
        try database.execute("DELETE FROM chunk_group; \(Schema.fillGroups); \(Schema.placeGroups)")
        #expect(try groups(database) == before)
    }

    private func groups(_ database: Database) throws -> [[Int64?]] {
        let rows = try Statement(
            "SELECT id, time_from, time_to, south, west, north, east FROM chunk_group ORDER BY id",
            on: database)
        var groups: [[Int64?]] = []
        while try rows.step() {
            groups.append((0..<7).map { rows.optional($0) })
        }
        return groups
    }
}
