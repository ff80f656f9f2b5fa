import GNSS

extension TrackStore {
    private static let day: Int64 = 86_400_000

    /// Seals the oldest fixes that are not sealed yet, a block of closed days.
    ///
    /// - Returns: whether there were any.
    func seal(_ limits: Retention, present: UTCTime?) throws(StoreError) -> Bool {
        guard let age = limits.sealAge, let present, let database = writer?.database,
            let first = try database.number("SELECT min(sequence) FROM fix")
        else { return false }
        let block = first >> Sealing.shift
        let range = Sealing.range(block)
        let chunks = (
            range.lowerBound >> Schema.chunkShift, range.upperBound >> Schema.chunkShift
        )
        guard let full = try database.number("SELECT max(id) FROM chunk"), full >= chunks.1 else {
            return false
        }
        // What is of today, or of the day it was then, may still be looked at and changed by a person.
        let before =
            (present.milliseconds &- age).flooredDivision(by: TrackStore.day).quotient
            &* TrackStore.day
        let newest = try database.number(
            "SELECT max(time_to) FROM chunk WHERE id BETWEEN \(chunks.0) AND \(chunks.1)")
        guard newest.map({ $0 < before }) ?? true else { return false }
        // The latest fix stays a row, which is found without reading a block.
        if writer?.ledger.kept.fixes == 0 {
            let later = try database.number(
                "SELECT 1 FROM chunk WHERE id > \(chunks.1) AND kept > 0 LIMIT 1")
            guard later != nil else { return false }
        }
        // A sealed block does not shrink: what is to be thinned is thinned first.
        if limits.thinAge != nil {
            guard try database.number("SELECT thinned FROM store") ?? -1 >= chunks.1 else {
                return false
            }
        }
        try commit()
        guard let writer else { return false }
        do throws(StoreError) {
            try writer.ensureTransaction()
            let rows = try Sealing.gather(range, in: database)
            try Sealing.put(rows, asBlock: block, in: database)
            try Removal(database: database, track: .goesOn).delete(rows.map(\.sequence))
            try writer.commit()
        } catch {
            fail(error)
            throw error
        }
        return true
    }

    /// Makes rows of all blocks again, one transaction a block.
    ///
    /// - Parameter progress: told how many blocks of how many are done.
    /// - Returns: how many fixes there were.
    public func unseal(progress: (Int, Int) -> Void) throws(StoreError) -> Int64 {
        try commit()
        guard let writer else { return 0 }
        let database = writer.database
        let list = try Statement("SELECT id FROM block ORDER BY id", on: database)
        var blocks: [Int64] = []
        while try list.step() { blocks.append(list.number(0)) }
        var fixes: Int64 = 0
        do throws(StoreError) {
            for (index, block) in blocks.enumerated() {
                progress(index, blocks.count)
                try writer.ensureTransaction()
                fixes += try Sealing.unseal(block, in: database)
                try writer.commit()
            }
        } catch {
            fail(error)
            throw error
        }
        progress(blocks.count, blocks.count)
        return fixes
    }
}
