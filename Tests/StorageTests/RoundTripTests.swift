import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct RoundTripTests {
    /// What the documentation of the schema promises for each field.
    private func expectSame(_ read: RecordedFix, _ written: RecordedFix) {
        func near(_ a: Double?, _ b: Double?, _ step: Double, _ name: String) {
            guard let a, let b else {
                #expect(a == nil && b == nil, "\(name) \(String(describing: b))")
                return
            }
            #expect(abs(a - b) <= step / 2 * (1 + 1e-6), "\(name) \(a) \(b)")
        }
        let (a, b) = (read.fix, written.fix)
        #expect(a.time == b.time)
        #expect(a.timeOfDay == (b.time == nil ? b.timeOfDay : nil))
        let isFine = b.status == .rtkFixed || b.status == .rtkFloat
        near(a.latitude, b.latitude, isFine ? 1e-9 : 1e-7, "latitude")
        near(a.longitude, b.longitude, isFine ? 1e-9 : 1e-7, "longitude")
        #expect(a.mode == b.mode)
        #expect(a.status == b.status)
        near(a.altitudeMSL, b.altitudeMSL, 1e-3, "altitudeMSL")
        near(a.altitudeHAE, b.altitudeHAE, 1e-3, "altitudeHAE")
        near(a.geoidSeparation, b.geoidSeparation, 1e-3, "geoidSeparation")
        near(a.speed, b.speed, 1e-3, "speed")
        near(
            a.course.map { $0 > 359.995 ? 0 : $0 }, b.course.map { $0 > 359.995 ? 0 : $0 }, 1e-2,
            "course")
        near(a.climb, b.climb, 1e-3, "climb")
        near(
            a.heading.map { $0 > 359.995 ? 0 : $0 }, b.heading.map { $0 > 359.995 ? 0 : $0 }, 1e-2,
            "heading")
        near(a.errors.eph, b.errors.eph, 2e-3, "eph")
        near(a.errors.epv, b.errors.epv, 2e-3, "epv")
        near(a.errors.eps, b.errors.eps, 2e-3, "eps")
        near(a.errors.epc, b.errors.epc, 2e-2, "epc")
        near(a.errors.ept, b.errors.ept, 2e-6, "ept")
        near(a.dop.hdop, b.dop.hdop, 2e-2, "hdop")
        near(a.dop.vdop, b.dop.vdop, 2e-2, "vdop")
        near(a.dop.pdop, b.dop.pdop, 2e-2, "pdop")
        near(a.dop.tdop, b.dop.tdop, 2e-2, "tdop")
        near(a.dop.gdop, b.dop.gdop, 2e-2, "gdop")
        #expect(a.satellitesUsed == b.satellitesUsed.map { min($0, 254) })
        #expect(a.satellitesSeen == b.satellitesSeen.map { min($0, 254) })
        #expect(a.rolloverEras == b.rolloverEras)
        #expect(a.device == b.device)
        #expect(read.flags == written.flags)
        #expect(read.receivedAt == written.receivedAt)
        #expect(read.segment == written.segment)
        near(read.corrected?.latitude, written.corrected?.latitude, 1e-9, "corrected latitude")
        near(read.corrected?.longitude, written.corrected?.longitude, 1e-9, "corrected longitude")
        near(read.corrected?.altitudeMSL, written.corrected?.altitudeMSL, 1e-3, "corrected MSL")
        near(read.corrected?.altitudeHAE, written.corrected?.altitudeHAE, 1e-3, "corrected HAE")
        #expect(read.corrected?.correction == written.corrected?.correction)
    }

    private func store(_ records: [RecordedFix], in folder: Folder) throws -> [RecordedFix] {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for record in records { store.append(record) }
        try store.close(ending: "stopped")
        var query = FixQuery()
        query.keptOnly = false
        return try TrackReader(path: folder.database).all(query)
    }

    @Test func `every field of any fix comes back to its stated resolution`() throws {
        var random = Seeded(1)
        let records = (0..<5000).map { RecordedFix.random($0, &random) }
        let read = try store(records, in: Folder())
        #expect(read.count == records.count)
        for (a, b) in zip(read, records) { expectSame(a, b) }
    }

    @Test func `extreme values come back and trap nothing`() throws {
        var records: [RecordedFix] = []
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, -0.0)] {
            var fix = Fix(
                time: UTCTime(milliseconds: -1), latitude: latitude, longitude: longitude,
                mode: .none)
            fix.altitudeMSL = -12_000
            fix.geoidSeparation = -106.9
            fix.altitudeHAE = 20_200_000
            fix.climb = -8000
            fix.speed = 30_000
            fix.course = 359.999
            fix.errors.eph = 1e9
            fix.dop.hdop = 1e6
            fix.satellitesUsed = 255
            fix.satellitesSeen = 0
            fix.device = 255
            fix.rolloverEras = -128
            records.append(
                RecordedFix(fix: fix, receivedAt: .max, flags: FixFlags(rawValue: .max)))
        }
        let read = try store(records, in: Folder())
        for (a, b) in zip(read, records) {
            expectSame(a, b)
            #expect(a.fix.satellitesUsed == 254)
        }
    }

    @Test func `what is no number is absent, never 0`() throws {
        var fix = Fix(time: nil, latitude: 47, longitude: 8, mode: .twoD)
        fix.altitudeMSL = .nan
        fix.speed = .infinity
        fix.errors.eph = .nan
        fix.errors.epv = 1e-9
        fix.dop.hdop = -1
        let read = try #require(
            try store([RecordedFix(fix: fix, receivedAt: 1, flags: [])], in: Folder()).first)
        #expect(read.fix.altitudeMSL == nil)
        #expect(read.fix.speed == nil)
        #expect(read.fix.errors.eph == nil)
        #expect(read.fix.errors.epv == 0.001)
        #expect(read.fix.dop.hdop == nil)
    }

    @Test func `an ordinary fix takes the 46 bytes that the page layout promises`() throws {
        // SQLite file format, section 1.6 and 2.1: cell pointer 2, payload length 1, key 3, header 13, the values.
        let folder = try Folder()
        var records: [RecordedFix] = []
        for index in 0..<40_000 {
            var record = RecordedFix.sample(0)
            record.fix.time = UTCTime(milliseconds: 1_777_629_600_000 + Int64(index) * 1000)
            record.receivedAt = Int64(index) * 1000
            record.fix.longitude = 8.5 + Double(index) * 1e-5
            record.fix.status = .gps
            record.fix.geoidSeparation = 47.4
            record.fix.altitudeHAE = 455.5
            record.fix.speed = 13.456
            record.fix.course = 278.12
            record.fix.dop.hdop = 0.91
            record.fix.dop.vdop = 1.37
            record.fix.dop.pdop = 1.64
            record.fix.satellitesUsed = 11
            record.fix.satellitesSeen = 14
            records.append(record)
        }
        let empty = try Folder()
        try TrackStore(path: empty.database).close(ending: "stopped")
        _ = try store(records, in: folder)
        let size = StoreFile.size(folder.database) - StoreFile.size(empty.database)
        #expect(Double(size) / 40_000 < 48)
    }
}

/// A generator with a seed (SplitMix64), so that a failure can be repeated.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension RecordedFix {
    /// A fix with any mixture of fields; every hundredth begins a segment.
    static func random(_ index: Int, _ random: inout Seeded) -> RecordedFix {
        func maybe(_ range: Range<Double>) -> Double? {
            Bool.random(using: &random) ? .random(in: range, using: &random) : nil
        }
        /// Small values and large ones about as often.
        func spread(_ limit: Double) -> Double? {
            Bool.random(using: &random)
                ? exp(.random(in: log(1e-2)..<log(limit), using: &random)) : nil
        }
        let hasTime = Int.random(in: 0..<10, using: &random) > 0
        let milliseconds =
            1_777_629_600_000 + Int64(index) * 1000 + .random(in: 0..<1000, using: &random)
        var fix = Fix(
            time: hasTime ? UTCTime(milliseconds: milliseconds) : nil,
            latitude: .random(in: -90...90, using: &random),
            longitude: .random(in: -180...180, using: &random),
            mode: [FixMode.twoD, .threeD, .none].randomElement(using: &random) ?? .none)
        fix.timeOfDay = .random(in: 0..<86_401_000, using: &random)
        fix.status = (FixStatus.allCases + [nil]).randomElement(using: &random) ?? nil
        fix.altitudeMSL = maybe(-500..<9000).map { Bool.random(using: &random) ? $0.rounded() : $0 }
        fix.geoidSeparation = maybe(-110..<90)
        if let height = fix.altitudeMSL, let separation = fix.geoidSeparation,
            Bool.random(using: &random)
        {
            fix.altitudeHAE = height + separation
        } else {
            fix.altitudeHAE = maybe(-500..<9000)
        }
        fix.speed = spread(300)
        fix.course = maybe(0..<360)
        fix.heading = Int.random(in: 0..<5, using: &random) == 0 ? maybe(0..<360) : nil
        fix.climb = maybe(-30..<30)
        fix.errors.eph = spread(1000)
        fix.errors.epv = spread(1000)
        fix.errors.eps = spread(200)
        fix.errors.epc = maybe(0..<180)
        fix.errors.ept = spread(1)
        fix.dop.hdop = spread(50)
        fix.dop.vdop = spread(50)
        fix.dop.pdop = spread(50)
        fix.dop.tdop = spread(50)
        fix.dop.gdop = spread(50)
        fix.satellitesUsed = Bool.random(using: &random) ? .random(in: 0...80, using: &random) : nil
        fix.satellitesSeen =
            Bool.random(using: &random) ? .random(in: 0...140, using: &random) : nil
        fix.device = .random(in: 0..<3, using: &random)
        fix.rolloverEras = .random(in: -1...2, using: &random)
        let flags: [FixFlags] = [[], [], [], .outlier, [.lowAccuracy, .leapSecond], .outOfOrder]
        var record = RecordedFix(
            fix: fix,
            receivedAt: 10_000 + Int64(index) * 1000 + .random(in: 0..<400, using: &random),
            flags: flags.randomElement(using: &random) ?? [])
        record.segment = record.flags.isKept ? Int32(index / 100 + 1) : 0
        if Int.random(in: 0..<4, using: &random) == 0 {
            record.corrected = CorrectedPosition(
                latitude: .random(in: -90...90, using: &random),
                longitude: .random(in: -180...180, using: &random),
                altitudeMSL: maybe(-500..<9000), altitudeHAE: maybe(-500..<9000), correction: 1)
        }
        return record
    }
}
