import Foundation
import GNSS
import Testing

@testable import Storage

/// A box against looking at every fix, where an index that skips is most likely to skip too much: at the antimeridian,
/// the poles, in boxes of one point, in segments that span the world, among sealed, plain and just recorded fixes.
@Suite struct BoxQueryTests {
    /// How many fixes are recorded of each chunk: one full group with few in most, full ones on either side of its end,
    /// and an open one.
    private static let counts = [Int](repeating: 50, count: 62) + [1024, 1024, 1024, 1024, 300]

    /// The next place: near the last, or somewhere else altogether.
    private static func step(
        _ place: inout (latitude: Double, longitude: Double), _ random: inout Seeded
    ) {
        let edges = [
            (0.0, 180.0), (0.0, -180.0), (90.0, 0.0), (-90.0, 123.0),
            (89.999_999_9, -179.999_999_9),
            (0.0, 0.0), (47.0, 8.0),
        ]
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<5: place = edges.randomElement(using: &random) ?? place
        case 5..<8:
            place = (
                Double.random(in: -90...90, using: &random),
                Double.random(in: -180...180, using: &random)
            )
        default:
            place.latitude += Double.random(in: -0.001...0.001, using: &random)
            place.longitude += Double.random(in: -0.001...0.001, using: &random)
        }
        place.latitude = min(90, max(-90, place.latitude))
        if place.longitude > 180 { place.longitude -= 360 }
        if place.longitude < -180 { place.longitude += 360 }
    }

    /// Records a chunk after the other; what is missing of one was never given, as after fixes were forgotten.
    private static func record(
        _ path: String, _ random: inout Seeded
    ) throws -> [RecordedFix] {
        var place = (latitude: 0.0, longitude: 179.99)
        var records: [RecordedFix] = []
        for (chunk, count) in counts.enumerated() {
            if chunk > 0, counts[chunk - 1] < 1024 {
                try Database(path: path, access: .readWrite).execute(
                    "INSERT OR REPLACE INTO issued VALUES ('fix', \(chunk << 10 - 1))")
            }
            let store = try TrackStore(path: path)
            store.beginRun(.sample)
            for _ in 0..<count {
                step(&place, &random)
                var record = RecordedFix.sample(records.count)
                record.fix.latitude = (place.latitude * 1e7).rounded() / 1e7
                record.fix.longitude = (place.longitude * 1e7).rounded() / 1e7
                if records.count % 11 == 0 { record.fix.status = .rtkFixed }
                if records.count % 97 == 0 {
                    record.flags = .outlier
                    record.segment = 0
                }
                record.sequence = store.append(record)
                records.append(record)
            }
            try store.close(ending: "stopped")
        }
        return records
    }

    /// Boxes that have gone wrong elsewhere: points, lines, edges of the world, both ways around it.
    private static func boxes(_ records: [RecordedFix], _ random: inout Seeded) -> [StoredBounds] {
        var boxes = [
            StoredBounds(south: -90, west: 180, north: 90, east: -180),
            StoredBounds(south: -90, west: 179.99, north: 90, east: -179.99),
            StoredBounds(south: 90, west: -180, north: 90, east: 180),
            StoredBounds(south: -90, west: -180, north: -89.999, east: 180),
            StoredBounds(south: 10, west: 20, north: 9, east: 21),
            StoredBounds(south: -1e-7, west: -1e-7, north: 1e-7, east: 1e-7),
            StoredBounds(south: 0, west: 0.1, north: 0, east: 0),
        ]
        for side in [0, 1e-7, 1e-4, 0.01, 1] {
            for _ in 0..<2 {
                guard let fix = records.randomElement(using: &random)?.fix else { continue }
                var west = fix.longitude - side
                var east = fix.longitude + side
                if west < -180 { west += 360 }
                if east > 180 { east -= 360 }
                boxes.append(
                    StoredBounds(
                        south: fix.latitude - side, west: west, north: fix.latitude + side,
                        east: east))
            }
        }
        return boxes
    }

    private static func isInside(_ fix: Fix, _ box: StoredBounds) -> Bool {
        guard fix.latitude >= box.south, fix.latitude <= box.north else { return false }
        return box.west <= box.east
            ? fix.longitude >= box.west && fix.longitude <= box.east
            : fix.longitude >= box.west || fix.longitude <= box.east
    }

    @Test func `a box gives what looking at every fix gives`() throws {
        let folder = try Folder()
        var random = Seeded(1)
        let records = try Self.record(folder.database, &random)
        #expect(try TrackReader(path: folder.database).newestSequence() == 67_883)
        let boxes = Self.boxes(records, &random)
        func expectSame(_ state: String, _ most: Int) throws {
            let reader = try TrackReader(path: folder.database)
            for box in boxes {
                var query = FixQuery()
                query.bounds = box
                let right = records.filter { $0.flags.isKept && Self.isInside($0.fix, box) }
                guard right.count < most else { continue }
                #expect(
                    try reader.all(query).map(\.sequence) == right.map(\.sequence),
                    "\(state) \(box)")
                guard right.count < 1000 else { continue }
                query.last = 2
                #expect(
                    try reader.all(query).map(\.sequence) == right.suffix(2).map(\.sequence),
                    "the last two, \(state) \(box)")
                query.last = nil
                query.since = records[900].fix.time
                query.until = records[7000].fix.time
                let span = records[900].sequence...records[7000].sequence
                #expect(
                    try reader.all(query).map(\.sequence)
                        == right.map(\.sequence).filter(span.contains),
                    "in a time, \(state) \(box)")
            }
        }
        try expectSame("plain", .max)
        var limits = Retention()
        limits.sealAge = 0
        let store = try TrackStore(path: folder.database)
        while try !store.keep(limits, present: ForgettingTests.now, now: ForgettingTests.now).isDone
        {}
        let database = try Database(path: folder.database, access: .readOnly)
        #expect(try database.number("SELECT count(*) FROM block") == 16)
        #expect(try database.number("SELECT count(*) FROM chunk_group") == 1)
        try expectSame("sealed and plain", 2000)
    }

    @Test func `a group tells no place that only forgotten fixes had`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for index in 0..<67_000 {
            var record = RecordedFix.sample(index)
            record.fix.latitude = index == 30_000 ? -33.123_456_7 : 47
            store.append(record)
        }
        try store.commit()
        let database = try Database(path: folder.database, access: .readOnly)
        #expect(try database.number("SELECT south FROM chunk_group") == -331_234_567)
        var scope = RemovalScope()
        scope.since = RecordedFix.sample(30_000).fix.time
        scope.until = scope.since
        var work = Forgetting(scope)
        while !work.isDone { try store.advance(&work, now: ForgettingTests.now) }
        #expect(try database.number("SELECT south FROM chunk_group") == 470_000_000)
    }
}
