import GNSS
import Testing

@testable import Storage

/// What a run records in the midst of a hole that another left, as tracklog_schema(5), GAPS, has it.
@Suite struct HoleRepairTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    /// The samples' clock.
    private func at(_ second: Int) -> UTCTime {
        UTCTime(milliseconds: 1_777_629_600_000 + Int64(second) * 1000)
    }

    /// Fixes each second in one segment, in a run of their own, which ends with the holes repaired.
    private func record(_ seconds: Range<Int>, _ holes: [Gap] = []) throws {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in seconds { store.append(.sample(second)) }
        for hole in holes { store.append(hole) }
        try store.close(ending: "stopped", repairingHoles: 10_000)
    }

    private func holes() throws -> [String] {
        try TrackReader(path: folder.database).gaps()
            .sorted { ($0.begin ?? at(0)) < ($1.begin ?? at(0)) }.map { gap in
                let span = [gap.begin, gap.end].map { $0.map { "\(($0 - at(0)) / 1000)" } ?? "-" }
                return "\(span[0]) to \(span[1]) after \(gap.after ?? 0) \(gap.reason.name)"
            }
    }

    @Test func `a hole keeps the parts in which no fix came, with its reason`() throws {
        try record(
            0..<10, [Gap(after: 10, begin: at(9), end: at(900), duration: 891_000, reason: .noSky)])
        try record(300..<400)
        #expect(try holes() == ["9 to 300 after 10 no_sky", "399 to 900 after 110 no_sky"])
        try record(9..<301)
        #expect(try holes() == ["399 to 900 after 110 no_sky"])
    }

    @Test func `what is shorter than a hole is none`() throws {
        try record(
            0..<10, [Gap(after: 10, begin: at(9), end: at(100), duration: 91_000, reason: .noSky)])
        try record(15..<95)
        #expect(try holes() == [])
    }

    @Test func `a way through a private zone is a hole however short`() throws {
        try record(
            0..<10,
            [Gap(after: 10, begin: at(9), end: at(100), duration: 91_000, reason: .privateZone)])
        try record(15..<95)
        #expect(
            try holes() == ["9 to 15 after 10 private_zone", "94 to 100 after 90 private_zone"])
    }

    @Test func `a hole at the end goes on behind what was recorded in it`() throws {
        try record(
            0..<10, [Gap(after: 10, begin: at(9), end: nil, duration: 600_000, reason: .noSky)])
        try record(100..<200)
        #expect(try holes() == ["9 to 100 after 10 no_sky", "199 to - after 110 no_sky"])
    }

    @Test func `what a person had forgotten stays told`() throws {
        try record(
            0..<10,
            [Gap(after: 10, begin: at(9), end: at(900), duration: 891_000, reason: .forgotten)])
        try record(300..<400)
        #expect(try holes() == ["9 to 900 after 10 forgotten"])
    }

    @Test func `a hole that a segment goes on over stays, as one of fixes that were dropped`()
        throws
    {
        try record(
            0..<100,
            [Gap(after: 50, begin: at(49), end: at(70), duration: 21_000, reason: .dropped)])
        try record(200..<210)
        #expect(try holes().first == "49 to 70 after 50 dropped")
    }

    @Test func `between runs there is a hole, whichever came first`() throws {
        try record(1000..<1010)
        try record(500..<510)
        try record(0..<10)
        #expect(
            try holes() == ["9 to 500 after 30 no_data", "509 to 1000 after 20 no_data"])
    }

    @Test func `a pause as long as a slow source takes between two fixes is none`() throws {
        try record(0..<10)
        try record(120..<130)
        #expect(try holes() == [])
        try record(250..<260)
        #expect(try holes() == ["129 to 250 after 20 no_data"])
    }

    @Test func `a run without a dated fix changes nothing`() throws {
        let hole = Gap(after: 10, begin: at(9), end: at(900), duration: 891_000, reason: .noSky)
        try record(0..<10, [hole])
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        var record = RecordedFix.sample(0)
        record.fix.time = nil
        store.append(record)
        try store.close(ending: "stopped", repairingHoles: 10_000)
        #expect(try TrackReader(path: folder.database).gaps() == [hole])
    }
}
