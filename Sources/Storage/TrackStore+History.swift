public import GNSS

extension TrackStore {
    /// Gives the durable records after a sequence, kept or not, in recording order.
    ///
    /// - Parameters:
    ///   - after: the sequence that was had already.
    ///   - count: how many at most.
    /// - Returns: the sequence up to which everything was given; `after` when there is nothing more, or while the
    ///   file cannot be read.
    public func history(
        after: Int64, atMost count: Int, _ body: (RecordedFix) -> Void
    ) -> Int64 {
        let through = durableSequence
        guard let database = writer?.database, after < through, count > 0 else { return after }
        var reached = after
        do throws(StoreError) {
            var records = try RecordCursor(database, from: after &+ 1, through: through)
            for _ in 0..<count {
                // Numbers that were removed or never on the disk are passed over.
                guard let record = try records.next() else { return through }
                body(record)
                reached = record.sequence
            }
        } catch {
            return reached
        }
        return reached
    }

    /// The name of the database, made by chance with it; `nil` while the file cannot be read.
    public var storeID: String? {
        writer == nil ? nil : name
    }
}
