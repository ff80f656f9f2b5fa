import Foundation
import GNSS
import Geodesy
import Testing

@testable import Storage

@Suite struct ThinningTests {
    /// A drive: 300 s straight at 10 m/s, a stop of 200 s, a quarter circle, and on; noise of a decimetre.
    private static func drive(_ count: Int) -> [RecordedFix] {
        var random = Seeded(4)
        var north = 0.0
        var east = 0.0
        return (0..<count).map { index in
            let second = index % 1000
            let angle = second < 500 ? 0.0 : min(.pi / 2, Double(second - 500) / 60)
            if !(300..<500).contains(second) {
                north += 10 * cos(angle)
                east += 10 * sin(angle)
            }
            var record = RecordedFix.sample(index, flags: index % 50 == 7 ? .outlier : [])
            // A degree of latitude is 111.2 km there, one of longitude 75.5 km.
            let noise = Double.random(in: -0.1...0.1, using: &random)
            record.fix.latitude = ((47 + (north + noise) / 111_200) * 1e7).rounded() / 1e7
            record.fix.longitude = ((8 + (east - noise) / 75_500) * 1e7).rounded() / 1e7
            return record
        }
    }

    private func thin(_ store: TrackStore, bound: Double, after seconds: Int) throws {
        var limits = Retention()
        limits.thinAge = 1000
        limits.thinBound = bound
        let present = ForgettingTests.time(seconds + 1)
        while try !store.keep(limits, present: present, now: ForgettingTests.now).isDone {}
    }

    @Test(arguments: [2.0, 10, 100])
    func `every fix was where the thinned track says, within the bound`(bound: Double) throws {
        let folder = try Folder()
        let records = Self.drive(8000)
        let store = try ForgettingTests.store(records, in: folder)
        store.append(
            Mark(
                at: {
                    var r = records[150]; r.sequence = 151; return r
                }(), title: "x"))
        try thin(store, bound: bound, after: 7000)
        try store.commit()
        try Consistency.check(folder.database)
        let left = try TrackReader(path: folder.database).all()
        // 6 full chunks are old enough; they held 6144 fixes.
        let old = left.filter { $0.sequence < 6144 }
        #expect(left.count - old.count == records[6143...].count(where: \.flags.isKept))
        #expect(old.count < 6144 / 20)
        #expect(old.contains { $0.sequence == 151 })
        var next = 0
        for (index, record) in records.prefix(6000).enumerated() where record.flags.isKept {
            while next + 1 < left.count, left[next + 1].sequence <= index + 1 { next += 1 }
            let (from, to) = (left[next].fix, left[next + 1].fix)
            let part = Double(record.fix.time! - from.time!) / Double(to.time! - from.time!)
            let distance = LocalDistance.between(
                from.latitude + part * (to.latitude - from.latitude),
                from.longitude + part * (to.longitude - from.longitude), record.fix.latitude,
                record.fix.longitude)
            #expect(distance <= bound + 0.02)
        }
        #expect(
            try store.database {
                try $0.number("SELECT count(*) FROM removal WHERE cause = 'thin'")
            } == 1)
        // Nothing is thinned twice.
        let count = store.counts.total
        try thin(store, bound: bound * 2, after: 7000)
        #expect(store.counts.total == count)
    }

    @Test func `a stop keeps its beginning and its end`() throws {
        let folder = try Folder()
        let store = try ForgettingTests.store(Self.drive(2100), in: folder)
        try thin(store, bound: 5, after: 3000)
        try store.commit()
        let times = try TrackReader(path: folder.database).all().map { Int($0.sequence) - 1 }
        #expect(times.contains { abs($0 - 300) <= 2 })
        #expect(times.contains { abs($0 - 500) <= 2 })
    }

    @Test func `what was removed is nowhere in the file`() throws {
        let folder = try Folder()
        let records = Self.drive(5000)
        let store = try ForgettingTests.store(records, in: folder)
        try thin(store, bound: 10, after: 6000)
        try store.commit()
        let left = Set(try TrackReader(path: folder.database).all().map(\.sequence))
        let gone = records.indices.filter { !left.contains(Int64($0) + 1) && $0 < 4095 }
        // A stop has the same place again and again.
        let places = Set(left.map { records[Int($0) - 1].bytes })
        let needles = gone.map { records[$0].bytes }.filter { !places.contains($0) }
        #expect(needles.count > 3000)
        #expect(try Consistency.found(needles, in: folder.database) == 0)
    }

    @Test func `young fixes, and all without a clock, stay`() throws {
        let folder = try Folder()
        let store = try ForgettingTests.store(Self.drive(3000), in: folder)
        try thin(store, bound: 100, after: 900)
        #expect(store.counts.total == 3000)
        var limits = Retention()
        limits.thinAge = 1
        #expect(try store.keep(limits, present: nil, now: ForgettingTests.now).isDone)
        #expect(store.counts.total == 3000)
    }
}
