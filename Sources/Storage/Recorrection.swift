public import GNSS

/// Computes the corrected positions of recorded fixes anew; what was received is never touched.
///
/// All of it is one transaction: a run that is cut short leaves the database as it was, and is simply
/// repeated. It needs the right to write, so no daemon may be recording into the file.
public final class Recorrection {
    /// What one run has done.
    public struct Outcome: Equatable, Sendable {
        /// Kept fixes that were looked at.
        public var fixes: Int64 = 0
        /// Those whose corrected position is another one now, or is gone.
        public var changed: Int64 = 0
    }

    private let path: String
    private let lock: StoreLock
    private let database: Database

    /// Takes the right to write a database that exists.
    public init(path: String) throws(StoreError) {
        // The reader's checks: a database of this program, of a schema it knows.
        _ = try TrackReader(path: path)
        // Whoever comes by a link meets the lock all the same.
        let path = NewDatabase.resolved(path)
        self.path = path
        let options = TrackStore.Options()
        lock = try StoreLock(database: path, mode: options.fileMode)
        database = try StoreFile.open(path, options)
    }

    /// Runs over the kept fixes in recording order.
    ///
    /// - Parameters:
    ///   - since: only fixes valid from then on; `nil` takes all.
    ///   - digest: names the correction.
    ///   - text: its canonical text.
    ///   - correct: the corrected position of a fix, `nil` for none; gets the number of the correction.
    ///   - progress: told now and then how many rows of how many were looked at.
    public func run(
        since: UTCTime?, digest: String, text: String,
        correct: (RecordedFix, _ correction: Int32) -> CorrectedPosition?,
        progress: (_ done: Int64, _ of: Int64) -> Void
    ) throws(StoreError) -> Outcome {
        var outcome = Outcome()
        try database.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let number = try correction(digest, text)
            try unseal(since)
            try rewrite(since, number, correct, progress, &outcome)
            try database.execute("COMMIT")
        } catch {
            try? database.execute("ROLLBACK")
            throw error
        }
        return outcome
    }

    /// Makes rows of the blocks whose corrected positions may change; the daemon seals them again.
    private func unseal(_ since: UTCTime?) throws(StoreError) {
        guard database.hasBlocks else { return }
        let list = try Statement(
            "SELECT id FROM block WHERE ?1 IS NULL OR coalesce(time_to, ?1) >= ?1 ORDER BY id",
            on: database)
        list.bind(1, since?.milliseconds)
        var blocks: [Int64] = []
        while try list.step() { blocks.append(list.number(0)) }
        for block in blocks { _ = try Sealing.unseal(block, in: database) }
    }

    private func correction(_ digest: String, _ text: String) throws(StoreError) -> Int32 {
        let known = try Statement("SELECT id FROM correction WHERE digest = ?", on: database)
        known.bind(1, text: digest)
        if try known.step() { return Int32(truncatingIfNeeded: known.number(0)) }
        let id = try (database.number("SELECT max(id) FROM correction") ?? 0) + 1
        let insert = try Statement("INSERT INTO correction VALUES (?, ?, ?)", on: database)
        insert.bind(1, id)
        insert.bind(2, text: digest)
        insert.bind(3, text: text)
        try insert.run()
        return Int32(truncatingIfNeeded: id)
    }

    private func rewrite(
        _ since: UTCTime?, _ number: Int32,
        _ correct: (RecordedFix, Int32) -> CorrectedPosition?,
        _ progress: (Int64, Int64) -> Void, _ outcome: inout Outcome
    ) throws(StoreError) {
        var query = FixQuery()
        query.since = since
        let last = try database.newestSequence()
        // A second connection sees the file as it was: rows are not read while they are written.
        let reader = try TrackReader(path: path)
        let put = try Statement(
            "INSERT OR REPLACE INTO corrected VALUES (?, ?, ?, ?, ?, ?)", on: database)
        let remove = try Statement("DELETE FROM corrected WHERE sequence = ?", on: database)
        var failure: StoreError?
        try reader.fixes(query) { record in
            outcome.fixes += 1
            let position = correct(record, number)
            if position?.stored != record.corrected?.stored { outcome.changed += 1 }
            do throws(StoreError) {
                if let position {
                    put.bind(position, record.sequence)
                    try put.run()
                } else if record.corrected != nil {
                    remove.bind(1, record.sequence)
                    try remove.run()
                }
            } catch {
                failure = error
                return false
            }
            if outcome.fixes & 0xFFFF == 0 { progress(record.sequence, last) }
            return true
        }
        if let failure { throw failure }
        progress(last, last)
    }
}

extension Statement {
    /// Sets the six parameters of a row of `corrected`.
    func bind(_ corrected: CorrectedPosition, _ sequence: Int64) {
        bind(1, sequence)
        for (index, number) in corrected.stored.enumerated() {
            bind(Int32(index) + 2, number)
        }
    }
}

extension CorrectedPosition {
    /// The columns of its row in `corrected`, without the sequence.
    fileprivate var stored: [Int64?] {
        [
            scaled(latitude, 1e9) ?? 0, scaled(longitude, 1e9) ?? 0, scaled(altitudeMSL, 1000),
            scaled(altitudeHAE, 1000), Int64(correction),
        ]
    }
}
