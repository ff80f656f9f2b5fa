import Foundation
import GNSS
import Testing

@testable import Storage

/// Queries by place: what they give is what looking at every fix gives, however the chunks lie.
@Suite struct PlaceQueryTests {
    private static let count = 6000

    /// A walk without aim over a part of the world, with rejected and RTK fixes.
    private func walk(_ folder: Folder, from: (Double, Double)) throws -> [RecordedFix] {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        var random = Seeded(3)
        var (latitude, longitude) = from
        var records: [RecordedFix] = []
        for index in 0..<Self.count {
            latitude += Double.random(in: -0.002...0.002, using: &random)
            longitude += Double.random(in: -0.002...0.002, using: &random)
            if longitude > 180 { longitude -= 360 }
            if longitude < -180 { longitude += 360 }
            var record = RecordedFix.sample(index)
            record.fix.latitude = (latitude * 1e7).rounded() / 1e7
            record.fix.longitude = (longitude * 1e7).rounded() / 1e7
            if index % 7 == 0 { record.fix.status = .rtkFixed }
            if index % 50 == 0 { record.flags = .outlier }
            record.sequence = store.append(record)
            records.append(record)
        }
        try store.commit()
        return records
    }

    private func expectSame(_ box: StoredBounds, _ records: [RecordedFix], _ folder: Folder) throws
    {
        var query = FixQuery()
        query.bounds = box
        let reader = try TrackReader(path: folder.database)
        let found = try reader.all(query).map(\.sequence)
        let right = records.filter {
            guard $0.flags.isKept, $0.fix.latitude >= box.south, $0.fix.latitude <= box.north else {
                return false
            }
            let longitude = $0.fix.longitude
            return box.west <= box.east
                ? longitude >= box.west && longitude <= box.east
                : longitude >= box.west || longitude <= box.east
        }.map(\.sequence)
        #expect(found == right)
        query.last = 5
        #expect(try reader.all(query).map(\.sequence) == Array(right.suffix(5)))
    }

    @Test func `a box gives the kept fixes inside, the last N of them on request`() throws {
        let folder = try Folder()
        let records = try walk(folder, from: (47, 8))
        for side in [0.0005, 0.01, 0.05, 10] {
            let middle = records[2500].fix
            try expectSame(
                StoredBounds(
                    south: middle.latitude - side, west: middle.longitude - side,
                    north: middle.latitude + side, east: middle.longitude + side), records, folder)
        }
        try expectSame(StoredBounds(south: 60, west: 8, north: 61, east: 9), records, folder)
    }

    @Test func `a box across the antimeridian has its west above its east`() throws {
        let folder = try Folder()
        let records = try walk(folder, from: (-17, 179.999))
        try expectSame(
            StoredBounds(south: -18, west: 179.98, north: -16, east: -179.98), records, folder)
    }

    @Test func `while the caller works on a fix nothing holds the write-ahead log`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<5000 { store.append(.sample(index)) }
        try store.commit()
        var seen = 0
        try TrackReader(path: folder.database).fixes(FixQuery()) { _ in
            seen += 1
            guard seen % 1000 == 0 else { return true }
            store.append(.sample(5000 + seen))
            #expect(throws: Never.self) {
                try store.commit()
                #expect(try store.checkpoint())
            }
            return true
        }
        #expect(seen == 5000)
    }

    @Test func `between two fixes of a place another one tells that it was left`() throws {
        let folder = try Folder()
        _ = try walk(folder, from: (47, 8))
        let reader = try TrackReader(path: folder.database)
        // Sequence 51 is rejected (index 50).
        #expect(try !reader.hasKept(after: 50, before: 52))
        #expect(try !reader.hasKept(after: 60, before: 61))
        #expect(try reader.hasKept(after: 50, before: 53))
    }
}
