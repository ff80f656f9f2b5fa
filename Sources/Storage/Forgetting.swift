public import GNSS

/// The removal of what a person wants forgotten, a chunk at a time.
public struct Forgetting {
    /// What is to go.
    public let scope: RemovalScope
    /// Fixes that are gone.
    public internal(set) var fixes: Int64 = 0
    /// Marks that are gone.
    public internal(set) var marks: Int64 = 0
    /// Whether nothing is left to remove.
    public internal(set) var isDone = false

    /// Chunks before this one are done.
    var next: Int64 = 0
    /// The row that says what was removed.
    var audit: Int64?

    /// A removal that has not begun.
    public init(_ scope: RemovalScope) {
        self.scope = scope
    }
}

extension TrackStore {
    /// Goes on with a removal: one transaction, which takes at most a chunk of fixes.
    ///
    /// What waits is committed first. When ``Forgetting/isDone``, the bytes are in no page of the file, and in the
    /// write-ahead log only while ``isErasing``.
    ///
    /// - Parameter now: the host's clock, for the row that says what was removed.
    public func advance(_ work: inout Forgetting, now: UTCTime) throws(StoreError) {
        guard !work.isDone else { return }
        var next = work
        try remove(.isCut) { (removal, writer) throws(StoreError) in
            var outcome = Removal.Outcome()
            if next.next == 0 { outcome.marks = try removal.removeMarks(next.scope) }
            while outcome.fixes == 0 {
                guard let chunk = try writer.chunk(from: next.next, reaching: next.scope) else {
                    next.isDone = true
                    break
                }
                next.next = chunk + 1
                outcome.fixes = try removal.remove(fromChunk: chunk) { next.scope.covers($1) }
            }
            next.fixes += outcome.fixes
            next.marks += outcome.marks
            next.audit = try removal.audit(outcome, cause: "forget", at: now, in: next.audit)
            return outcome
        }
        work = next
        if work.isDone { erase() }
    }

    /// Whether bytes of something removed may still be in the write-ahead log, because a reader holds it.
    public var isErasing: Bool {
        needsErasing
    }

    /// Moves the log into the file and empties it, so that no bytes of what was removed are left.
    func erase() {
        guard let database = writer?.database else { return }
        if (try? database.checkpoint(truncating: true)) == true { needsErasing = false }
    }

    /// Runs one transaction that removes, and takes the sums up again as they are then.
    func remove(
        _ track: Removal.Track,
        _ body: (Removal, Writer) throws(StoreError) -> Removal.Outcome
    ) throws(StoreError) {
        try commit()
        guard let writer else { return }
        let database = writer.database
        do throws(StoreError) {
            try writer.ensureTransaction()
            let outcome = try body(Removal(database: database, track: track), writer)
            try writer.commit()
            guard outcome != Removal.Outcome() else { return }
            needsErasing = true
            self.writer = try Writer(database)
            try takeUpNumbers(of: database)
        } catch {
            fail(error)
            throw error
        }
    }

    /// Ends the hole that a removal left at the end of the track.
    func end(_ open: (id: Int64, gap: Gap), at fix: Fix) {
        openGap = nil
        var gap = open.gap
        gap.end = fix.time
        if let begin = gap.begin, let end = gap.end {
            gap.duration = max(0, end.milliseconds &- begin.milliseconds)
        }
        put(.gap(open.id, run: run, gap))
    }

    /// Goes on from the numbers that a removal gave to segments and holes.
    private func takeUpNumbers(of database: Database) throws(StoreError) {
        let greatest = Int32(clamping: try database.greatest("id", of: "segment"))
        if greatest > ids.segment {
            segmentBase &+= greatest &- ids.segment
            ids.segment = greatest
        }
        ids.gap = max(ids.gap, try database.greatest("id", of: "gap"))
        openGap = try database.openGap()
    }
}

extension Database {
    /// The hole that a removal left at the end of the track.
    func openGap() throws(StoreError) -> (id: Int64, gap: Gap)? {
        let open = try Statement(
            """
            SELECT id, after_sequence, time_from FROM gap WHERE id = (SELECT max(id) FROM gap)
            AND time_to IS NULL AND reason = \(GapReason.forgotten.rawValue)
            """, on: self)
        guard try open.step() else { return nil }
        let begin = open.optional(2).map(UTCTime.init(milliseconds:))
        return (
            open.number(0),
            Gap(after: open.optional(1), begin: begin, end: nil, duration: 0, reason: .forgotten)
        )
    }
}

extension Writer {
    /// The first chunk from a number on that a removal may reach; the one that is not full yet is the last.
    func chunk(from: Int64, reaching scope: RemovalScope) throws(StoreError) -> Int64? {
        let chunks = try Statement(
            "SELECT \(ChunkRow.columns) FROM chunk WHERE id >= ? ORDER BY id", on: database)
        chunks.bind(1, from)
        while try chunks.step() {
            let chunk = ChunkRow(chunks)
            if scope.mayReach(chunk) { return chunk.id }
        }
        guard let open = ledger.chunk, open >= from else { return nil }
        return open
    }
}
