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

    /// Removes kept fixes that no receiver could reach from the ones before nor leave for the ones behind, where those
    /// follow each other: a damage may have made some of them in a row, which do not lead to each other either.
    static func drop(
        _ database: Database, _ outcome: inout Salvage.Outcome
    ) throws(StoreError) {
        var trail = Trail()
        let rows = try RowCursor(database, from: 1, through: try database.newestSequence())
        while let (sequence, row) = try rows.next() {
            guard row.isKept, let time = row.milliseconds else { continue }
            let (latitude, longitude) = row.coarsePosition
            // What is sealed has a checksum.
            trail.add(
                Row(
                    sequence: sequence, time: time, latitude: Double(latitude) / 1e7,
                    longitude: Double(longitude) / 1e7, isSealed: rows.sealed != nil))
        }
        for sequence in trail.strangers + trail.suspects.map(\.sequence) {
            try SalvagedSums.drop(sequence, database, &outcome)
        }
    }

    /// The rows on the way: what is right as far as is known, and what is doubted.
    private struct Trail {
        /// Two that are right.
        private var right: [Row] = []
        /// Those behind them that lie off, each of the one before too.
        private(set) var suspects: [Row] = []
        private(set) var strangers: [Int64] = []

        /// More than a page has: then it is the track that leaps.
        private static let most = 100

        mutating func add(_ row: Row) {
            guard let last = suspects.last else {
                if isOff(row) { suspects = [row] } else { right = right.suffix(1) + [row] }
                return
            }
            if !row.isBeyondReach(of: last) {
                right = [last, row]
            } else if !row.isBeyondReach(of: right[1]) {
                strangers += suspects.map(\.sequence)
                right = [right[1], row]
            } else if row.isSealed || suspects.count == Trail.most {
                right = [row]
            } else {
                suspects.append(row)
                return
            }
            suspects = []
        }

        private func isOff(_ row: Row) -> Bool {
            guard right.count == 2, !row.isSealed else { return false }
            return row.isBeyondReach(of: right[1]) && !right[1].isBeyondReach(of: right[0])
        }
    }
}
