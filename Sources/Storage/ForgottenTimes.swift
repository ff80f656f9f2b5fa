public import GNSS

/// The times of which fixes were forgotten, as the holes in the track tell them.
///
/// Nothing else of what was forgotten is known, so a log that has it brings it back: whoever stores one says so. What was
/// forgotten before the first fix that is left has no hole, and is not among them.
public struct ForgottenTimes: Sendable {
    private let holes: [Range<Int64>]

    fileprivate init(of database: Database) throws(StoreError) {
        // A hole at the end of the track lasts until it was made.
        let statement = try Statement(
            """
            SELECT time_from, coalesce(time_to, (SELECT max(time) FROM removal)) FROM gap
            WHERE reason = ? AND time_from NOT NULL
            """, on: database)
        statement.bind(1, Int64(GapReason.forgotten.rawValue))
        var holes: [Range<Int64>] = []
        while try statement.step() {
            let (from, to) = (statement.number(0), statement.number(1))
            if from < to { holes.append(from..<to) }
        }
        self.holes = holes
    }

    /// Whether fixes of around that time were forgotten; not those at either end of the hole.
    public func contains(_ time: UTCTime) -> Bool {
        holes.contains { $0.contains(time.milliseconds) && $0.lowerBound != time.milliseconds }
    }
}

extension TrackStore {
    /// Looks up what was forgotten, before anything is recorded.
    ///
    /// `nil` while the file cannot be read.
    public func forgottenTimes() throws(StoreError) -> ForgottenTimes? {
        guard let database = writer?.database else { return nil }
        return try ForgottenTimes(of: database)
    }
}
