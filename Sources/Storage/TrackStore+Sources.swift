public import GNSS

extension TrackStore {
    /// Replayed logs that were decoded with these settings, most bytes first.
    ///
    /// A new input continues the first of them whose ``StoredSource/bytes`` it begins with, told by the hash; its
    /// first ``StoredSource/fixes`` decoded fixes are stored already.
    public func storedSources(settings: String) throws(StoreError) -> [StoredSource] {
        guard let database = writer?.database else { return [] }
        let statement = try Statement(
            "SELECT id, bytes, hash, fixes FROM source WHERE settings = ? ORDER BY bytes DESC, id",
            on: database)
        statement.bind(1, text: settings)
        var sources: [StoredSource] = []
        while try statement.step() {
            sources.append(
                StoredSource(
                    id: Int32(truncatingIfNeeded: statement.number(0)),
                    bytes: statement.number(1), hash: UInt64(bitPattern: statement.number(2)),
                    fixes: statement.number(3)))
        }
        return sources
    }

    /// The rows at the end of the database that runs from that source have left when they were cut off; `nil` for none.
    ///
    /// To be asked before a run begins.
    public func interruptedRows(source: String) throws(StoreError) -> ClosedRange<Int64>? {
        guard let database = writer?.database else { return nil }
        let runs = try Statement("SELECT id, source, ended FROM run ORDER BY id DESC", on: database)
        var first: Int64?
        while try runs.step(), runs.text(1) == source, runs.text(2) == "interrupted" {
            let id = runs.number(0)
            first =
                try database.number("SELECT min(sequence) FROM clock WHERE run = \(id)") ?? first
        }
        guard let first, first <= durableSequence else { return nil }
        return first...durableSequence
    }

    /// Goes on with the segment in which the run before was cut off, where the track of this run goes on with it.
    ///
    /// To be asked before the run's first record. A segment is an unbroken run of rows: when anything else was recorded
    /// since, it stays ended.
    ///
    /// - Parameters:
    ///   - fix: the last kept one of the earlier run, as this run has it.
    ///   - segment: its segment by this run's numbers.
    /// - Returns: its sequence; `nil` when it is not the last of the track.
    public func takeUp(after fix: Fix, segment: Int32) throws(StoreError) -> Int64? {
        guard let writer, fixes.isEmpty,
            let last = try writer.lastSegment(), last.id > 0
        else { return nil }
        var records = try RecordCursor(writer.database, from: last.last, through: last.last)
        guard let record = try records.next(), record.fix.time == fix.time,
            (record.fix.latitude * 1e7).rounded() == (fix.latitude * 1e7).rounded(),
            (record.fix.longitude * 1e7).rounded() == (fix.longitude * 1e7).rounded()
        else { return nil }
        try writer.reopen(last)
        segmentBase = last.id &- segment
        return last.last
    }

    /// The kept fixes that the track ends with, oldest first: of one segment, where the latest fix is the last of it.
    public func ending(atMost count: Int) throws(StoreError) -> [RecordedFix] {
        guard let latest = try latest(), let writer else { return [] }
        guard let last = try writer.lastSegment(), last.last == latest.sequence else {
            return [latest]
        }
        // Rejected ones lie between.
        let first = max(last.first, last.last - 8 * Int64(count))
        var records = try RecordCursor(writer.database, from: first, through: last.last)
        var found: [RecordedFix] = []
        while let record = try records.next() {
            if record.flags.isKept { found.append(record) }
        }
        return found.suffix(count)
    }

    /// Lets the next fix begin a segment, where rows of another run lie between it and the track of this one.
    ///
    /// - Parameter segment: the fix's segment by this run's numbers.
    public func setApart(_ segment: Int32) {
        segmentBase = ids.segment &- segment &+ 1
        lastSegment = (0, 0)
    }

    /// Whether an earlier run from the same source stored a cycle that began then.
    public func hasCycle(began: Int64) -> Bool {
        guard let database = writer?.database, let source = introduction?.source,
            let find = try? Statement(
                """
                SELECT 1 FROM cycle WHERE began = ?1 AND run IN
                (SELECT id FROM run WHERE source = ?2 AND id <> ?3)
                """, on: database)
        else { return false }
        find.bind(1, began)
        find.bind(2, text: source)
        find.bind(3, Int64(run))
        return (try? find.step()) == true
    }

    /// Registers a log that is replayed for the first time.
    ///
    /// - Returns: its number for ``updateSource(_:bytes:hash:fixes:)``.
    public func addSource(kind: String, name: String, settings: String) -> Int32 {
        ids.source &+= 1
        put(.source(ids.source, kind: kind, name: name, settings: settings))
        return ids.source
    }

    /// Says how far a log was taken; durable together with the fixes.
    public func updateSource(_ id: Int32, bytes: Int64, hash: UInt64, fixes: Int64) {
        put(.progress(id, bytes: bytes, hash: hash, fixes: fixes))
    }
}
