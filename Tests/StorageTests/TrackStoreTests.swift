import Foundation
import GNSS
import Testing

@testable import Storage

@Suite struct TrackStoreTests {
    @Test func `what was committed is read back in recording order`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        let records = (0..<5).map { RecordedFix.sample($0) }
        for record in records { store.append(record) }
        #expect(try store.commit() == 5)
        let read = try TrackReader(path: folder.database).all()
        #expect(read.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(read.map(\.fix) == records.map(\.fix))
        #expect(read.map(\.receivedAt) == records.map(\.receivedAt))
        #expect(read.allSatisfy { $0.run == 1 && $0.segment == 1 })
    }
}
