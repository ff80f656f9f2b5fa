import GNSS
import Geodesy

/// Which points of a stretch of track say something that their neighbours do not.
///
/// Douglas and Peucker's cut by the distance to where the point would have been at its time on the straight line
/// (Meratnia and de By 2004, "Spatiotemporal compression techniques for moving point objects"): so that a stop keeps
/// its beginning and its end, and at every instant of a fix the thinned track is within the bound.
enum Thinning {
    /// A fix in degrees and milliseconds.
    struct Point {
        var sequence: Int64
        var time: Int64
        var latitude: Double
        var longitude: Double
        /// Whether it stays whatever its neighbours say.
        var isPinned = false
    }

    /// The points that stay: the first, the last, the pinned ones and those the bound asks for.
    static func staying(_ points: [Point], within bound: Double) -> [Bool] {
        var stays = points.map(\.isPinned)
        guard let last = points.indices.last else { return [] }
        stays[0] = true
        stays[last] = true
        var pending: [(from: Int, to: Int)] = []
        var from = 0
        for index in points.indices.dropFirst() where stays[index] {
            pending.append((from, index))
            from = index
        }
        while let (from, to) = pending.popLast() {
            guard to > from + 1 else { continue }
            var worst = (index: from, distance: bound)
            for index in (from + 1)..<to {
                let distance = distance(of: points[index], points[from], points[to])
                if distance > worst.distance { worst = (index, distance) }
            }
            guard worst.index > from else { continue }
            stays[worst.index] = true
            pending.append((from, worst.index))
            pending.append((worst.index, to))
        }
        return stays
    }

    /// Metres from a point to where it would have been on the way between two others.
    private static func distance(of point: Point, _ from: Point, _ to: Point) -> Double {
        let span = Double(to.time &- from.time)
        // A clock that stood still or went back tells no way: the point stays.
        guard span > 0, point.time >= from.time, point.time <= to.time else { return .infinity }
        let part = Double(point.time &- from.time) / span
        let east = (to.longitude - from.longitude).remainder(dividingBy: 360)
        var longitude = from.longitude + part * east
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        return LocalDistance.between(
            from.latitude + part * (to.latitude - from.latitude), longitude, point.latitude,
            point.longitude)
    }
}

extension TrackStore {
    /// Thins the next chunk whose fixes are all old enough; `nil` when there is none.
    ///
    /// - Returns: how many fixes went.
    func thin(
        _ limits: Retention, present: UTCTime?, now: UTCTime
    ) throws(StoreError) -> Int64? {
        guard let age = limits.thinAge, let present, let database = writer?.database else {
            return nil
        }
        let before = present.milliseconds &- age
        let next = try Statement(
            """
            SELECT \(ChunkRow.columns) FROM chunk WHERE id > (SELECT thinned FROM store)
            ORDER BY id LIMIT 1
            """, on: database)
        guard try next.step() else { return nil }
        let chunk = ChunkRow(next)
        next.reset()
        // Without a date there is no line in time to be near to: such a chunk stays as it is.
        guard chunk.all.timeTo.map({ $0 < before }) ?? true else { return nil }
        var removed = Removal.Outcome()
        try remove(.goesOn) { (removal, writer) throws(StoreError) in
            let staying = try removal.staying(in: chunk, within: limits.thinBound)
            removed.fixes = try removal.remove(fromChunk: chunk.id) { sequence, _ in
                !staying.contains(sequence)
            }
            try writer.database.execute("UPDATE store SET thinned = \(chunk.id)")
            let row = try writer.database.recentRemoval("thin", now)
            _ = try removal.audit(removed, cause: "thin", at: now, in: row)
            return removed
        }
        return removed.fixes
    }
}

extension Removal {
    /// The sequences of a chunk that thinning leaves: of each segment what the bound asks for, marks, undated fixes.
    fileprivate func staying(
        in chunk: ChunkRow, within bound: Double
    ) throws(StoreError) -> Set<Int64> {
        func numbers(_ sql: String) throws(StoreError) -> Set<Int64> {
            let statement = try Statement(sql, on: database)
            statement.bind(1, chunk.range.lowerBound)
            statement.bind(2, chunk.range.upperBound)
            var found: Set<Int64> = []
            while try statement.step() { found.insert(statement.number(0)) }
            return found
        }
        let marks = try numbers("SELECT sequence FROM mark WHERE sequence BETWEEN ? AND ?")
        let firsts = try numbers(
            "SELECT first_sequence FROM segment WHERE first_sequence BETWEEN ? AND ?")
        var staying: Set<Int64> = []
        var stretch: [Thinning.Point] = []
        func end() {
            for (point, stays) in zip(stretch, Thinning.staying(stretch, within: bound))
            where stays {
                staying.insert(point.sequence)
            }
            stretch.removeAll(keepingCapacity: true)
        }
        let rows = try RowCursor(
            database, from: chunk.range.lowerBound, through: chunk.range.upperBound)
        while let (sequence, row) = try rows.next() {
            guard row.isKept else { continue }
            guard let time = row.milliseconds else {
                staying.insert(sequence)
                continue
            }
            if firsts.contains(sequence) { end() }
            let scale = row.quality >> FixRow.Quality.fine & 1 == 1 ? 1e9 : 1e7
            stretch.append(
                Thinning.Point(
                    sequence: sequence, time: time, latitude: Double(row.latitude) / scale,
                    longitude: Double(row.longitude) / scale, isPinned: marks.contains(sequence)))
        }
        end()
        return staying
    }
}
