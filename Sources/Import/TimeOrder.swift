import GNSS

/// Brings the points of a file into the order of their times, each line of it for itself, in several readings.
///
/// Of a line that several receivers have drawn, as a service merges the phones of an account, each has a line of its own.
/// A file sorted newest first is read once for its times, 13 bytes a point, and then once for every ``window`` points.
public struct TimeOrder {
    /// So many points are held at a time.
    public static let window = 1 << 20

    private var times: [Int64] = []
    private var receivers: [UInt8] = []
    /// Where each point belongs.
    private var ranks: [UInt32] = []
    /// Where lines begin.
    private var starts: [Int] = []
    /// Whether the first line is one that the file begins.
    private var beginsAtFirst = false

    /// No points.
    public init() {}

    /// How many points there are.
    public var count: Int { max(times.count, ranks.count) }

    /// Takes note of the next point of the file.
    public mutating func add(_ point: ImportedPoint) {
        if times.isEmpty { beginsAtFirst = point.beginsSegment }
        if times.isEmpty || point.beginsSegment { starts.append(times.count) }
        let before = point.beginsSegment ? nil : times.last
        times.append(TimeOrder.time(of: point) ?? before ?? .min)
        receivers.append(TimeOrder.receiver(of: point))
    }

    /// Takes note of the end of the file.
    public mutating func settle() {
        ranks = [UInt32](repeating: 0, count: times.count)
        var order: [UInt32] = []
        var begins: [Int] = []
        for (line, start) in starts.enumerated() {
            let end = line + 1 < starts.count ? starts[line + 1] : times.count
            order.removeAll(keepingCapacity: true)
            for index in start..<end { order.append(UInt32(truncatingIfNeeded: index)) }
            order.sort { a, b in
                let (one, other) = (receivers[Int(a)], receivers[Int(b)])
                guard one == other else { return one < other }
                let (first, second) = (times[Int(a)], times[Int(b)])
                return first == second ? a < b : first < second
            }
            for (place, index) in order.enumerated() {
                if place == 0 || receivers[Int(index)] != receivers[Int(order[place - 1])] {
                    begins.append(start + place)
                }
                ranks[Int(index)] = UInt32(truncatingIfNeeded: start + place)
            }
        }
        starts = begins
        times = []
        receivers = []
    }

    /// Gives points in order.
    ///
    /// - Parameters:
    ///   - read: reads the file once and gives every point of it, in the order of the file.
    ///   - body: gets the points.
    public func forEach(
        window: Int = TimeOrder.window, read: ((ImportedPoint) throws -> Void) throws -> Void,
        _ body: (ImportedPoint) throws -> Void
    ) throws {
        var line = 0
        for start in stride(from: 0, to: ranks.count, by: window) {
            let end = min(start + window, ranks.count)
            var held = PackedPoints(count: end - start)
            var index = 0
            try read { point in
                // A file that grew meanwhile has more points than it had.
                guard index < ranks.count else { return }
                let rank = Int(ranks[index])
                if rank >= start, rank < end { held.put(point, at: rank - start) }
                index += 1
            }
            for offset in 0..<(end - start) {
                let begins = line < starts.count && starts[line] == start + offset
                if begins { line += 1 }
                guard var point = held.point(at: offset) else { continue }
                point.beginsSegment = begins && (line > 1 || beginsAtFirst)
                try body(point)
            }
        }
    }

    /// The time that says where a point belongs; `nil` for one that stays behind the one before it: one without a
    /// time, and one of whose time an export of this program knows that it is wrong.
    static func time(of point: ImportedPoint) -> Int64? {
        if let flags = point.flags, !flags.isKept || flags.contains(.outOfOrder) { return nil }
        return point.fix.time?.milliseconds
    }
}

extension TimeOrder {
    /// Which of several receivers a point is of; what a service says of visits belongs to the line between them.
    static func receiver(of point: ImportedPoint) -> UInt8 {
        point.fix.status == .surveyed || point.flags != nil ? 0 : point.fix.device
    }
}

/// Tells whether the points of each line of a file are in the order of their times, and of one receiver.
public struct OrderCheck {
    /// Whether they are, so far.
    public private(set) var isInOrder = true
    private var last: Int64?
    private var receiver: UInt8?

    /// A check that has seen nothing.
    public init() {}

    /// Takes note of the next point.
    public mutating func add(_ point: ImportedPoint) {
        if point.beginsSegment {
            last = nil
            receiver = nil
        }
        let receiver = TimeOrder.receiver(of: point)
        if let before = self.receiver, before != receiver { isInOrder = false }
        self.receiver = receiver
        guard let time = TimeOrder.time(of: point) else { return }
        if let last, time < last { isInOrder = false }
        last = time
    }
}
