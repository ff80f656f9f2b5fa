import GNSS
import Testing

@testable import Storage

@Suite struct StoredPlaceTests {
    private func fix(_ second: Int, _ change: (inout Fix) -> Void = { _ in }) -> Fix {
        var fix = RecordedFix.sample(second).fix
        change(&fix)
        return fix
    }

    private func store(_ folder: Folder, _ seconds: some Sequence<Int>) throws -> TrackStore {
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in seconds { store.append(.sample(second)) }
        try store.commit()
        return store
    }

    @Test func `a fix of the same time and place is known by its sequence`() throws {
        let folder = try Folder()
        let places = try store(folder, 0..<5000).storedPlaces()
        for second in [0, 1, 1023, 1024, 4999, 17] {
            #expect(try places.sequence(of: fix(second)) == Int64(second) + 1)
        }
    }

    @Test func `the same place at another time and another place at the same time are new`() throws
    {
        let folder = try Folder()
        let places = try store(folder, 0..<100).storedPlaces()
        for milliseconds in [-1, 1, 86_400_000] as [Int64] {
            let other = fix(50) {
                $0.time = UTCTime(milliseconds: $0.time!.milliseconds + milliseconds)
            }
            #expect(try places.sequence(of: other) == nil)
        }
        #expect(try places.sequence(of: fix(50) { $0.latitude += 2e-7 }) == nil)
        #expect(try places.sequence(of: fix(50) { $0.longitude -= 2e-7 }) == nil)
        #expect(try places.sequence(of: fix(50) { $0.time = nil }) == nil)
    }

    @Test func `what is recorded afterwards is not known`() throws {
        let folder = try Folder()
        let store = try store(folder, 0..<10)
        let places = try store.storedPlaces()
        store.append(.sample(20))
        try store.commit()
        #expect(try places.sequence(of: fix(20)) == nil)
        #expect(try places.sequence(of: fix(9)) == 10)
    }

    @Test func `rejected fixes are known, and those of a real-time kinematic receiver`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(.sample(0, flags: .outlier))
        var fine = RecordedFix.sample(1)
        fine.fix.status = .rtkFixed
        fine.fix.latitude += 0.123_4e-7
        store.append(fine)
        try store.commit()
        let places = try store.storedPlaces()
        #expect(try places.sequence(of: fix(0)) == 1)
        #expect(try places.sequence(of: fine.fix) == 2)
        // Another program has written its place without saying so, to 1e-7 degrees.
        #expect(try places.sequence(of: fix(1)) == 2)
    }

    @Test func `sealed fixes are known`() throws {
        let folder = try Folder()
        let store = try store(folder, 0..<9000)
        var limits = Retention()
        limits.sealAge = 0
        let late = UTCTime(milliseconds: 4_000_000_000_000)
        while try !store.keep(limits, present: late, now: late).isDone {}
        #expect(try store.storedPlaces().sequence(of: fix(5)) == 6)
    }
}
