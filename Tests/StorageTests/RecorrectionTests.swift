import Foundation
import GNSS
import Storage
import Testing

@Suite struct RecorrectionTests {
    /// A database with that many kept fixes a second apart and one rejected one at the end.
    private static func database(in folder: borrowing Folder, fixes: Int) throws -> String {
        let path = folder.path + "/t.db"
        let store = try TrackStore(path: path)
        store.beginRun(
            Run(
                bootID: "", started: UTCTime(milliseconds: 0), startedBoot: 0, source: "",
                configuration: "", version: ""))
        for second in 0...fixes {
            let fix = Fix(
                time: UTCTime(milliseconds: Int64(second) * 1000), latitude: 10, longitude: 20,
                mode: .threeD)
            var record = RecordedFix(
                fix: fix, receivedAt: Int64(second) * 1000, flags: second == fixes ? .outlier : [])
            record.segment = second == fixes ? 0 : 1
            store.append(record)
        }
        try store.close(ending: "stopped")
        return path
    }

    private struct Folder: ~Copyable {
        let path = NSTemporaryDirectory() + "recorrection-" + UUID().uuidString
        init() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func positions(_ path: String) throws -> [CorrectedPosition?] {
        var all: [CorrectedPosition?] = []
        try TrackReader(path: path).fixes(keptOnly: false) {
            all.append($0.corrected)
            return true
        }
        return all
    }

    private static func run(
        _ path: String, since: Int64? = nil, digest: String, north: Double?
    ) throws -> Recorrection.Outcome {
        try Recorrection(path: path).run(
            since: since.map(UTCTime.init(milliseconds:)), digest: digest, text: digest,
            correct: { record, number in
                north.map {
                    CorrectedPosition(
                        latitude: record.fix.latitude + $0, longitude: record.fix.longitude,
                        correction: number)
                }
            },
            progress: { _, _ in })
    }

    @Test func `kept fixes get the new position and rejected ones none`() throws {
        let folder = try Folder()
        let path = try Self.database(in: folder, fixes: 3)
        let outcome = try Self.run(path, digest: "a", north: 1)
        #expect(outcome.fixes == 3 && outcome.changed == 3)
        let expected = CorrectedPosition(latitude: 11, longitude: 20, correction: 1)
        #expect(try Self.positions(path) == [expected, expected, expected, nil])
    }

    @Test func `a second run with one correction changes nothing, another one changes all`() throws
    {
        let folder = try Folder()
        let path = try Self.database(in: folder, fixes: 3)
        _ = try Self.run(path, digest: "a", north: 1)
        #expect(try Self.run(path, digest: "a", north: 1).changed == 0)
        #expect(try Self.run(path, digest: "b", north: 1).changed == 3)
        #expect(try Self.positions(path).compactMap { $0?.correction } == [2, 2, 2])
        #expect(try Self.run(path, digest: "none", north: nil).changed == 3)
        #expect(try Self.positions(path) == [nil, nil, nil, nil])
    }

    @Test func `only fixes since a time are computed anew`() throws {
        let folder = try Folder()
        let path = try Self.database(in: folder, fixes: 3)
        #expect(try Self.run(path, since: 2000, digest: "a", north: 1).changed == 1)
        #expect(try Self.positions(path).map { $0 != nil } == [false, false, true, false])
    }

    @Test func `a database that is recorded into is refused`() throws {
        let folder = try Folder()
        let path = try Self.database(in: folder, fixes: 1)
        let store = try TrackStore(path: path)
        #expect(throws: StoreError.self) { try Recorrection(path: path) }
        try store.close(ending: "stopped")
    }
}
