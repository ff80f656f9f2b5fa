import GNSS
import Geodesy

/// Tells a false row where no chunk does: the last ones of a database, and those whose chunk was lost.
enum SalvagedLeaps {
    /// Faster than anything that carries a receiver of a person, metres a second.
    private static let fastest = 1000.0
    /// What a receiver may be off, metres.
    private static let leeway = 1000.0

    private struct Row {
        let sequence: Int64
        let time: Int64
        let latitude: Double
        let longitude: Double
        let isSealed: Bool

        /// Whether nothing goes from here to there in the time.
        func isBeyondReach(of other: Row) -> Bool {
            let seconds = Double((other.time &- time).magnitude) / 1000
            // Half of the leeway at most, which most rows are within.
            let isNear =
                abs(other.latitude - latitude) < 0.004 && abs(other.longitude - longitude) < 0.004
            guard seconds < 86_400, !isNear else { return false }
            let metres = Geodesic.distance(
                latitude, longitude, other.latitude, other.longitude)
            return metres > leeway + fastest * seconds
        }
    }

    /// Removes kept fixes that no receiver could reach from the one before nor leave for the one behind, where those
    /// follow each other and what came before.
    static func drop(
        _ database: Database, _ outcome: inout Salvage.Outcome
    ) throws(StoreError) {
        var strangers: [Int64] = []
        // Two that are right as far as is known, and the one that is judged.
        var trail: [Row] = []
        func isOffTrail(_ row: Row) -> Bool {
            guard trail.count == 2, !row.isSealed else { return false }
            return row.isBeyondReach(of: trail[1]) && !trail[1].isBeyondReach(of: trail[0])
        }
        var judged: Row?
        let rows = try RowCursor(database, from: 1, through: try database.newestSequence())
        while let (sequence, row) = try rows.next() {
            guard row.isKept, let time = row.milliseconds else { continue }
            let (latitude, longitude) = row.coarsePosition
            // What is sealed has a checksum.
            let behind = Row(
                sequence: sequence, time: time, latitude: Double(latitude) / 1e7,
                longitude: Double(longitude) / 1e7, isSealed: rows.sealed != nil)
            defer { judged = behind }
            guard let row = judged else { continue }
            if isOffTrail(row), behind.isBeyondReach(of: row),
                !behind.isBeyondReach(of: trail[1])
            {
                strangers.append(row.sequence)
            } else {
                trail = trail.suffix(1) + [row]
            }
        }
        // The last one has nothing behind it.
        if let last = judged, isOffTrail(last) { strangers.append(last.sequence) }
        for sequence in strangers {
            try SalvagedSums.drop(sequence, database, &outcome)
        }
    }
}
