import GNSS
import Testing

@testable import Import

/// A file may be sorted newest first, or not at all.
@Suite struct TimeOrderTests {
    private func point(
        _ second: Int64?, begins: Bool = false, flags: FixFlags? = nil
    ) -> ImportedPoint {
        let time = second.map { UTCTime(milliseconds: 1_709_283_600_000 + $0 * 1000) }
        return ImportedPoint(
            Fix(time: time, latitude: 47, longitude: 8, mode: .twoD), beginsSegment: begins,
            flags: flags)
    }

    private func seconds(_ points: [ImportedPoint], window: Int) throws -> [Int64?] {
        var order = TimeOrder()
        for point in points { order.add(point) }
        order.settle()
        var found: [Int64?] = []
        try order.forEach(
            window: window, read: { take in for point in points { try take(point) } },
            { point in
                found.append(point.fix.time.map { ($0.milliseconds - 1_709_283_600_000) / 1000 })
            })
        return found
    }

    private func isInOrder(_ points: [ImportedPoint]) -> Bool {
        var check = OrderCheck()
        for point in points { check.add(point) }
        return check.isInOrder
    }

    @Test(arguments: [1, 2, 3, 1000])
    func `points come in the order of their times, however few are held`(window: Int) throws {
        let newestFirst = (0..<10).reversed().map { point($0) }
        #expect(!isInOrder(newestFirst))
        #expect(try seconds(newestFirst, window: window) == Array(0..<10))
        // 7 is prime: every number from 0 to 6 once.
        let shuffled = (0..<7).map { point($0 * 3 % 7) }
        #expect(try seconds(shuffled, window: window) == Array(0..<7))
    }

    /// A service merges the phones of an account by time: one stays at home, the other drives.
    @Test(arguments: [1, 3, 1000])
    func `each of several receivers has a line of its own`(window: Int) throws {
        var points = (0..<10).map { point($0, begins: $0 == 0) }
        for index in points.indices { points[index].fix.device = UInt8(2 - index % 2) }
        #expect(!isInOrder(points))
        var order = TimeOrder()
        for point in points { order.add(point) }
        order.settle()
        var found: [ImportedPoint] = []
        try order.forEach(
            window: window, read: { take in for point in points { try take(point) } },
            { found.append($0) })
        #expect(found.map(\.fix.device) == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
        #expect(found.map(\.beginsSegment).enumerated().filter(\.element).map(\.offset) == [0, 5])
        #expect(isInOrder(found))
    }

    @Test func `lines of the file stay where they are, each in its own order`() throws {
        let points = [
            point(12, begins: true), point(11), point(2, begins: true), point(1), point(3),
        ]
        #expect(!isInOrder(points))
        for window in [2, 100] {
            #expect(try seconds(points, window: window) == [11, 12, 1, 2, 3])
        }
        var order = TimeOrder()
        for point in points { order.add(point) }
        order.settle()
        var begins: [Bool] = []
        try order.forEach(
            read: { take in for point in points { try take(point) } },
            { begins.append($0.beginsSegment) })
        #expect(begins == [true, false, true, false, false])
        #expect(isInOrder([point(12, begins: true), point(1, begins: true), point(2)]))
    }

    @Test func `a point without a time stays behind the one before it`() throws {
        let points = [point(5), point(nil), point(4), point(4)]
        #expect(try seconds(points, window: 100) == [4, 4, 5, nil])
        #expect(isInOrder([point(nil), point(5), point(nil), point(5)]))
    }

    @Test func `a time that an export rejects says nothing of the order`() {
        #expect(isInOrder([point(5, flags: []), point(1, flags: .staleTime), point(6, flags: [])]))
        #expect(
            isInOrder([point(5, flags: []), point(4, flags: .outOfOrder), point(6, flags: [])]))
        #expect(!isInOrder([point(5, flags: []), point(4, flags: []), point(6, flags: [])]))
    }
}
