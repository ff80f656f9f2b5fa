public import GNSS

extension TrackReader {
    /// The points that a person asked to keep, in the order they were made.
    ///
    /// - Parameters:
    ///   - since: only those made from then on.
    ///   - until: only those made up to and including then.
    public func marks(since: UTCTime? = nil, until: UTCTime? = nil) throws(StoreError) -> [Mark] {
        guard schema >= 2 else { return [] }
        let statement = try Statement(
            """
            SELECT id, sequence, time, lat, lon, title, note, photo FROM mark
            WHERE (?1 IS NULL OR time >= ?1) AND (?2 IS NULL OR time <= ?2) ORDER BY id
            """, on: database)
        statement.bind(1, since?.milliseconds)
        statement.bind(2, until?.milliseconds)
        var marks: [Mark] = []
        while try statement.step() {
            var mark = Mark(
                at: nil, time: statement.optional(2).map(UTCTime.init(milliseconds:)),
                title: statement.text(5) ?? "", note: statement.text(6), photo: statement.text(7))
            mark.id = statement.number(0)
            mark.sequence = statement.optional(1)
            mark.latitude = statement.optional(3).map { Double($0) / 1e7 }
            mark.longitude = statement.optional(4).map { Double($0) / 1e7 }
            marks.append(mark)
        }
        return marks
    }

    /// The name of the database, made by chance with it: with the sequence it names a fix for ever.
    ///
    /// `nil` in databases of a version that had none.
    public func storeID() throws(StoreError) -> String? {
        guard schema >= 2 else { return nil }
        let statement = try Statement("SELECT id FROM store", on: database)
        return try statement.step() ? statement.text(0) : nil
    }
}
