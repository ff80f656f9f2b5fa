/// Goes through sealed fixes of a range of sequences in recording order, a block in memory at a time.
final class SealedCursor {
    private let blocks: Statement
    private let database: Database
    private let range: ClosedRange<Int64>
    private var rows: [SealedRow] = []
    /// Those of the range that are left.
    private var left = 0..<0

    /// `nil` when no block reaches into the range.
    init?(_ database: Database, from: Int64, through: Int64) throws(StoreError) {
        guard from <= through, database.hasBlocks else { return nil }
        self.database = database
        range = from...through
        blocks = try Statement(
            """
            SELECT id, format, checksum, data FROM block
            WHERE id BETWEEN ?1 AND ?2 ORDER BY id
            """, on: database)
        blocks.bind(1, from >> Sealing.shift)
        blocks.bind(2, through >> Sealing.shift)
        try load()
        if head == nil { return nil }
    }

    /// The row at hand; `nil` after the last.
    var head: SealedRow? {
        left.isEmpty ? nil : rows[left.lowerBound]
    }

    func advance() throws(StoreError) {
        left.removeFirst()
        if left.isEmpty { try load() }
    }

    /// Reads blocks up to one that has rows of the range.
    private func load() throws(StoreError) {
        repeat {
            left = 0..<0
            guard try blocks.step() else { return rows = [] }
            rows = try Sealing.rows(blocks, in: database)
            // They are in the order of their sequences.
            let first = rows.firstIndex { $0.sequence >= range.lowerBound } ?? rows.count
            let last = rows.lastIndex { $0.sequence <= range.upperBound } ?? -1
            left = first..<max(first, last + 1)
        } while left.isEmpty
    }
}
