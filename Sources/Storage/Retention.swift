public import GNSS

/// What is kept at most; what goes first is the oldest, by the order of recording.
///
/// Age comes first, and takes marks along. Then rows and bytes, whose marks stay: they are few and a person made them.
/// Fixes kept and rejected go together, with all that was stored of them; cycles, holes and runs go when
/// every fix of their time is gone.
public struct Retention: Equatable, Sendable {
    /// Milliseconds that a fix is kept, by its own time.
    public var age: Int64?
    /// Fixes, kept and rejected; up to 1024 more for a while.
    public var rows: Int64?
    /// Bytes of the database file that hold something.
    public var bytes: Int64?
    /// Milliseconds after which fixes are thinned; `nil` for never.
    public var thinAge: Int64?
    /// How far the thinned track may be from any fix, metres.
    public var thinBound = 10.0
    /// Milliseconds after which closed days are sealed; `nil` for never.
    public var sealAge: Int64?

    /// Everything is kept.
    public init() {}

    /// Whether there is anything to look for.
    public var asksForAnything: Bool {
        age != nil || rows != nil || bytes != nil || thinAge != nil || sealAge != nil
    }
}

extension TrackStore {
    /// Free pages that stay in the file for what comes next; more of them go back to the file system.
    private static let reserve: Int64 = 256
    /// Pages that are given back at a time.
    private static let pagesTogether: Int64 = 64

    /// Does one bounded piece of what keeps the database within its limits.
    ///
    /// While a reader holds the write-ahead log it waits: it would make the log as large as all it changes.
    ///
    /// - Parameters:
    ///   - present: the time that ages count from; `nil`, when no clock can be trusted, lets nothing grow old.
    ///   - now: the host's clock, for the row that says what was removed.
    /// - Returns: how many fixes went, and whether there is nothing more to do.
    public func keep(
        _ limits: Retention, present: UTCTime?, now: UTCTime
    ) throws(StoreError) -> (removed: Int64, isDone: Bool) {
        guard !isLogHeld else { return (0, true) }
        var removed = Removal.Outcome()
        try remove(.isCut) { (removal, writer) throws(StoreError) in
            guard let cause = try cause(limits, present, writer) else { return removed }
            switch cause {
            case .age(let chunk, let before):
                removed.fixes = try removal.remove(fromChunk: chunk.id) { _, row in
                    row.milliseconds.map { $0 < before }
                        ?? (chunk.all.timeTo.map { $0 < before } ?? true)
                }
            case .marks: break
            case .rows(let count):
                var left = count
                removed.fixes = try removal.remove(fromChunk: oldest(writer.database)) { _, _ in
                    left -= 1
                    return left >= 0
                }
            case .bytes:
                removed.fixes = try removal.remove(fromChunk: oldest(writer.database)) { _, _ in
                    true
                }
            }
            if let present, let age = limits.age, cause.isAge {
                var scope = RemovalScope()
                scope.until = UTCTime(milliseconds: present.milliseconds &- age &- 1)
                removed.marks = try removal.removeMarks(scope)
            }
            try removal.pruneBeginning()
            let row = try writer.database.recentRemoval(cause.name, now)
            _ = try removal.audit(removed, cause: cause.name, at: now, in: row)
            return removed
        }
        if removed != Removal.Outcome() { return (removed.fixes, false) }
        if let thinned = try thin(limits, present: present, now: now) { return (thinned, false) }
        if try seal(limits, present: present) { return (0, false) }
        if needsErasing { erase() }
        return (0, try !giveBack())
    }

    /// Why something goes.
    private enum Cause {
        case age(ChunkRow, before: Int64)
        case marks
        case rows(Int64)
        case bytes

        var isAge: Bool {
            switch self {
            case .age, .marks: true
            default: false
            }
        }

        /// As the table `removal` has it.
        var name: String {
            switch self {
            case .age, .marks: "keep_for"
            case .rows: "keep_rows"
            case .bytes: "keep_bytes"
            }
        }
    }

    /// What is over its limit, the first thing first.
    private func cause(
        _ limits: Retention, _ present: UTCTime?, _ writer: Writer
    ) throws(StoreError) -> Cause? {
        let database = writer.database
        if let age = limits.age, let present {
            let before = present.milliseconds &- age
            if let chunk = try expired(before, writer) { return .age(chunk, before: before) }
            let marks = try database.number("SELECT 1 FROM mark WHERE time < \(before) LIMIT 1")
            if marks != nil { return .marks }
        }
        let total = writer.ledger.counts.total
        if let rows = limits.rows, total > rows, total - rows >= min(1024, max(1, rows / 16)) {
            return .rows(total - rows)
        }
        if let bytes = limits.bytes, try database.bytesUsed() > bytes,
            try oldest(database) != writer.newest >> Schema.chunkShift
        {
            return .bytes
        }
        return nil
    }

    /// The first chunk with a fix from before a time; one without any date goes before the next that has one.
    private func expired(_ before: Int64, _ writer: Writer) throws(StoreError) -> ChunkRow? {
        let chunks = try Statement(
            """
            SELECT \(ChunkRow.columns) FROM chunk WHERE id <=
            (SELECT min(id) FROM chunk WHERE time_from < ?1)
            AND (time_from < ?1 OR time_from IS NULL) ORDER BY id LIMIT 1
            """, on: writer.database)
        chunks.bind(1, before)
        if try chunks.step() { return ChunkRow(chunks) }
        guard let open = writer.ledger.chunk, let from = writer.ledger.all.timeFrom, from < before
        else { return nil }
        var chunk = ChunkRow(id: open)
        chunk.all = writer.ledger.all
        return chunk
    }

    private func oldest(_ database: Database) throws(StoreError) -> Int64 {
        try (database.firstSequence() ?? 0) >> Schema.chunkShift
    }

    /// Returns free pages to the file system; whether there are more.
    private func giveBack() throws(StoreError) -> Bool {
        guard let database = writer?.database,
            try database.number("PRAGMA auto_vacuum") == 2,
            let free = try database.number("PRAGMA freelist_count"), free > TrackStore.reserve
        else { return false }
        let count = min(TrackStore.pagesTogether, free - TrackStore.reserve)
        do throws(StoreError) {
            try database.execute("PRAGMA incremental_vacuum(\(count))")
        } catch {
            fail(error)
            throw error
        }
        return true
    }
}

extension Database {
    /// The row that says what was removed for a cause within the last day, to be added to.
    func recentRemoval(_ cause: String, _ now: UTCTime) throws(StoreError) -> Int64? {
        try number(
            """
            SELECT id FROM removal WHERE cause = '\(cause)'
            AND time > \(now.milliseconds &- 86_400_000) ORDER BY id DESC LIMIT 1
            """)
    }

    /// Bytes of the pages that hold something.
    func bytesUsed() throws(StoreError) -> Int64 {
        let pages = try number("PRAGMA page_count") ?? 0
        let free = try number("PRAGMA freelist_count") ?? 0
        return (pages - free) * (try number("PRAGMA page_size") ?? 4096)
    }
}
