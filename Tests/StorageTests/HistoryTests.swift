import GNSS
import Storage
import Testing

@Suite struct HistoryTests {
    @Test func `only what is durable is given, in pieces, each once`() throws {
        let folder = try Folder()
        let store = try TrackStore(path: folder.database)
        store.beginRun(.sample)
        for second in 0..<10 {
            store.append(.sample(second, flags: second == 4 ? .outlier : []))
        }
        var seen: [RecordedFix] = []
        #expect(store.history(after: 0, atMost: 4) { seen.append($0) } == 0)
        try store.commit()
        store.append(.sample(10))
        var reached: Int64 = 0
        while true {
            let next = store.history(after: reached, atMost: 4) { seen.append($0) }
            guard next > reached else { break }
            reached = next
        }
        #expect(seen.map(\.sequence) == Array(1...10))
        #expect(seen.map(\.fix.time) == (0..<10).map { RecordedFix.sample($0).fix.time })
        #expect(seen[4].flags == .outlier)
        #expect(reached == 10)
        let name = store.storeID
        try store.close(ending: "stopped")
        #expect(try TrackReader(path: folder.database).storeID() == name && name != nil)
    }
}
