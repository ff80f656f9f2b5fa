/// Goes through sealed fixes of a range of sequences in recording order, a block in memory at a time.
final class SealedCursor {
    private let blocks: Statement
    private let path: String
    private let range: ClosedRange<Int64>
    private var rows: [SealedRow] = []
    private var next = 0

    /// `nil` when no block reaches into the range.
    init?(_ database: Database, from: Int64, through: Int64) throws(StoreError) {
        guard from <= through, database.hasBlocks else { return nil }
        path = database.path
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
        next < rows.count ? rows[next] : nil
    }

    func advance() throws(StoreError) {
        next += 1
        if next == rows.count { try load() }
    }

    /// Reads blocks up to one that has rows of the range.
    private func load() throws(StoreError) {
        repeat {
            next = 0
            rows = []
            guard try blocks.step() else { return }
            rows = try Sealing.rows(blocks, path).filter { range.contains($0.sequence) }
        } while rows.isEmpty
    }
}
