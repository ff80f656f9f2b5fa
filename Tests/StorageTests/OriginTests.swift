import Foundation
import GNSS
import Testing

@testable import Storage

/// The names of fixes: per database and sequence, kept by imported ones.
@Suite struct OriginTests {
    private let elsewhere = String(repeating: "ab", count: 16)

    /// A fix that an import brings, by its sequence there.
    private func imported(_ sequence: Int64, second: Int) -> RecordedFix {
        var record = RecordedFix.sample(second)
        record.origin = FixID(store: elsewhere, sequence: sequence)
        return record
    }

    private func names(_ path: String) throws -> [Int64?] {
        try TrackReader(path: path).all().map { $0.origin?.sequence }
    }

    @Test func `an imported fix keeps its name, one recorded here has none of elsewhere`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        let numbers: [Int64?] = [nil, 7, 8, nil, 9, 20, 21, 22, nil, 3]
        for (second, number) in numbers.enumerated() {
            store.append(number.map { imported($0, second: second) } ?? .sample(second))
            // Runs go on over commits.
            if second == 6 { try store.commit() }
        }
        try store.commit()
        #expect(try names(folder.database) == numbers)
        let database = try Database(path: folder.database, access: .readOnly)
        #expect(try database.number("SELECT count(*) FROM origin") == 4)
        let known = try TrackReader(path: folder.database).knownNames()
        for number: Int64 in [3, 7, 8, 9, 20, 21, 22] {
            #expect(try known.contains(FixID(store: elsewhere, sequence: number)))
        }
        for number: Int64 in [1, 2, 4, 6, 10, 19, 23] {
            #expect(try !known.contains(FixID(store: elsewhere, sequence: number)))
        }
        let own = try #require(store.storeID)
        #expect(try known.contains(FixID(store: own, sequence: 10)))
        #expect(try !known.contains(FixID(store: own, sequence: 11)))
    }

    @Test func `a name is known while its fix is there, sealed or not`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in 0..<9000 { store.append(imported(Int64(second) + 100, second: second)) }
        try store.commit()
        var scope = RemovalScope()
        scope.since = RecordedFix.sample(50).fix.time
        scope.until = RecordedFix.sample(59).fix.time
        var work = Forgetting(scope)
        while !work.isDone { try store.advance(&work, now: ForgettingTests.now) }
        func expectKnown() throws {
            let known = try TrackReader(path: folder.database).knownNames()
            #expect(try known.contains(FixID(store: elsewhere, sequence: 149)))
            #expect(try !known.contains(FixID(store: elsewhere, sequence: 150)))
            #expect(try !known.contains(FixID(store: elsewhere, sequence: 159)))
            #expect(try known.contains(FixID(store: elsewhere, sequence: 160)))
            #expect(try known.contains(FixID(store: elsewhere, sequence: 9099)))
        }
        try expectKnown()
        var limits = Retention()
        limits.sealAge = 0
        while try !store.keep(limits, present: ForgettingTests.now, now: ForgettingTests.now).isDone
        {}
        let database = try Database(path: folder.database, access: .readOnly)
        #expect(try database.number("SELECT count(*) FROM block") == 2)
        try expectKnown()
        #expect(try names(folder.database).first == 100)
        // What was forgotten may come back, under its old name.
        for second in 50..<60 { store.append(imported(Int64(second) + 100, second: second)) }
        try store.commit()
        let known = try TrackReader(path: folder.database).knownNames()
        for number: Int64 in [149, 150, 159, 160] {
            #expect(try known.contains(FixID(store: elsewhere, sequence: number)))
        }
    }

    @Test func `names outlive a disk that failed`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        store.append(imported(5, second: 0))
        store.append(imported(6, second: 1))
        store.fail(StoreError(.inputOutput, path: folder.database))
        store.append(imported(7, second: 2))
        try store.commit()
        #expect(try names(folder.database) == [5, 6, 7])
    }

    @Test func `only a database and a sequence are a name`() {
        #expect(FixID("\(elsewhere)-12") == FixID(store: elsewhere, sequence: 12))
        for text in [
            "", "12", "\(elsewhere)", "\(elsewhere)-", "\(elsewhere)-0", "\(elsewhere)--1",
            "\(elsewhere)-1-2", "\(elsewhere)0-1", "\(elsewhere.uppercased())-1",
            "\(elsewhere)-99999999999999999999",
        ] {
            #expect(FixID(text) == nil, "\(text)")
        }
        var text = TextBuffer()
        text.append(FixID(store: elsewhere, sequence: 12))
        #expect(text.string == "\(elsewhere)-12")
    }
}
