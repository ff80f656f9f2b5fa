/// Sealed blocks that were found: whole ones are kept, of the others nothing is believed.
enum SalvagedBlocks {
    /// Removes blocks whose bytes are not what was sealed, and puts the sums of the others right.
    ///
    /// The check sum tells; a fix that is in a whole block is not believed a second time from a page that was left over.
    static func dropDamaged(
        _ database: Database, _ outcome: inout Salvage.Outcome
    ) throws(StoreError) {
        guard database.hasBlocks else { return }
        let list = try Statement("SELECT id, fixes FROM block ORDER BY id", on: database)
        var blocks: [(id: Int64, fixes: Int64)] = []
        while try list.step() { blocks.append((list.number(0), list.number(1))) }
        for block in blocks {
            guard let rows = try wholeRows(block.id, database), let first = rows.first,
                let last = rows.last
            else {
                try database.execute("DELETE FROM block WHERE id = \(block.id)")
                // As many as it said, which is damaged too perhaps.
                outcome.lostRows += min(max(1, block.fixes), 1 << Sealing.shift)
                outcome.rows -= 1
                continue
            }
            try Sealing.put(rows, asBlock: block.id, in: database)
            for table in ["fix", "detail", "corrected"] {
                try database.execute(
                    """
                    DELETE FROM \(table) WHERE sequence
                    BETWEEN \(first.sequence) AND \(last.sequence)
                    """)
            }
        }
    }

    /// The fixes of a block, `nil` when it is not as it was sealed.
    private static func wholeRows(
        _ block: Int64, _ database: Database
    ) throws(StoreError) -> [SealedRow]? {
        do {
            let rows = try Sealing.rows(ofBlock: block, in: database)
            let isInOrder = zip(rows, rows.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
            let fits = rows.allSatisfy { Sealing.range(block).contains($0.sequence) }
            return isInOrder && fits ? rows : nil
        } catch {
            guard error.kind == .damaged else { throw error }
            return nil
        }
    }
}
