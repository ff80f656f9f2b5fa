public import GNSS

/// The track database, opened for writing.
///
/// Everything recorded is kept in memory until a commit has put it on the medium. When that fails (full disk, failed
/// sync, read-only file system) the connection is closed and the records wait, the newest up to a limit; the next
/// commit opens the file again and writes them again, so nothing is taken as stored that is not. What overflows
/// becomes a gap. ``durableSequence`` says what is safe.
public final class TrackStore {
    /// How the file is made and how much is held in memory.
    public struct Options: Sendable {
        /// Mode of a new file; the process's umask applies.
        public var fileMode: UInt32 = 0o640
        /// Mode of directories that are made for it.
        public var directoryMode: UInt32 = 0o750
        /// Fixes that are held in memory at most; a batch that reaches it is committed by itself.
        public var limit = 3600
        /// Pages of write-ahead log after which they are moved into the file.
        public var checkpointPages = 200
        /// Memory for pages, KiB.
        public var cacheKiB = 256
        /// Bytes a page of a new file.
        var pageSize = 4096

        /// The defaults.
        public init() {}
    }

    /// The database.
    public let path: String
    /// The sequence up to which every fix is on the medium, or is known to be missing.
    public private(set) var durableSequence: Int64
    /// Why the last write failed; `nil` while all is well.
    public private(set) var failure: StoreError?
    /// Fixes that were lost because the queue overflowed while the disk failed.
    public private(set) var dropped: Int64 = 0
    /// Number of the run; 0 before ``beginRun(_:)``.
    public private(set) var run: Int32 = 0

    private let options: Options
    private var lock: StoreLock?
    private var writer: Writer?
    private var fixes: [RecordedFix] = []
    private var entries: [Entry] = []
    private var nextSequence: Int64
    private var segmentBase: Int32 = 0
    private var pendingRun: Run?
    /// Whether the run has recorded anything yet.
    public private(set) var runIsKnown = false
    private var countsBeforeFailure = FixCounts()
    private var ids = Identifiers()
    /// When the first fix that was dropped since the last commit had been received.
    private var droppedSince: Int64?

    /// The greatest numbers given so far.
    private struct Identifiers {
        var run: Int32 = 0
        var segment: Int32 = 0
        var gap: Int64 = 0
        var cycle: Int64 = 0
        var correction: Int32 = 0
        var source: Int32 = 0
    }

    /// Opens a database for recording, and makes it when it is missing.
    ///
    /// A run that was cut off is marked `interrupted`, its segment ended.
    public init(path: String, options: Options = Options()) throws(StoreError) {
        self.path = path
        self.options = options
        try StoreFile.refuseOtherKinds(path)
        try StoreFile.makeDirectory(of: path, mode: options.directoryMode)
        lock = try StoreLock(database: path, mode: options.fileMode)
        let writer = try Writer(StoreFile.open(path, options))
        self.writer = writer
        func greatest(_ column: String, _ table: String) throws(StoreError) -> Int64 {
            try writer.database.number("SELECT max(\(column)) FROM \(table)") ?? 0
        }
        ids.run = Int32(clamping: try greatest("id", "run"))
        ids.segment = Int32(clamping: try greatest("id", "segment"))
        ids.gap = try greatest("id", "gap")
        ids.cycle = try greatest("id", "cycle")
        ids.correction = Int32(clamping: try greatest("id", "correction"))
        ids.source = Int32(clamping: try greatest("id", "source"))
        durableSequence = writer.newest
        nextSequence = writer.newest &+ 1
        segmentBase = ids.segment
        try writer.endSegment()
        if try writer.database.number("SELECT 1 FROM run WHERE ended IS NULL") != nil {
            try writer.ensureTransaction()
            try writer.database.execute("UPDATE run SET ended = 'interrupted' WHERE ended IS NULL")
        }
        try writer.commit()
    }

    /// Starts a run; its row is written with the first record, so a run that records nothing leaves no trace.
    ///
    /// Segment numbers of the records count within the run.
    ///
    /// - Returns: its number.
    @discardableResult
    public func beginRun(_ run: Run) -> Int32 {
        ids.run &+= 1
        self.run = ids.run
        segmentBase = ids.segment
        pendingRun = run
        runIsKnown = false
        return ids.run
    }

    /// Records a fix.
    ///
    /// It is safe when ``durableSequence`` has reached the result. A failure shows in ``failure`` and in the next
    /// ``commit()``; the fix waits meanwhile.
    @discardableResult
    public func append(_ record: RecordedFix) -> Int64 {
        announceRun()
        var record = record
        record.sequence = nextSequence
        record.run = run
        if record.segment != 0 {
            record.segment &+= segmentBase
            ids.segment = max(ids.segment, record.segment)
        }
        nextSequence &+= 1
        if fixes.count >= options.limit { makeRoom() }
        fixes.append(record)
        attempt { (writer) throws(StoreError) in try writer.write(record) }
        return record.sequence
    }

    /// Records a gap.
    public func append(_ gap: Gap) {
        ids.gap &+= 1
        put(.gap(ids.gap, run: run, gap))
    }

    /// Records a cycle, or what became of one that was recorded.
    ///
    /// - Parameters:
    ///   - cycle: the cycle as it is now.
    ///   - id: the number from recording it before; `nil` the first time.
    /// - Returns: its number.
    @discardableResult
    public func record(_ cycle: Cycle, id: Int64? = nil) -> Int64 {
        if id == nil { ids.cycle &+= 1 }
        let number = id ?? ids.cycle
        put(.cycle(number, run: run, cycle))
        return number
    }

    /// The number of a correction, given on first sight.
    public func correction(digest: String, text: String) throws(StoreError) -> Int32 {
        guard let database = writer?.database else {
            throw failure ?? StoreError(.busy, path: path)
        }
        let known = try Statement("SELECT id FROM correction WHERE digest = ?", on: database)
        known.bind(1, text: digest)
        if try known.step() { return Int32(truncatingIfNeeded: known.number(0)) }
        ids.correction &+= 1
        put(.correction(ids.correction, digest: digest, text: text))
        return ids.correction
    }

    /// Makes everything recorded so far durable; opens the file again first when the last attempt failed.
    ///
    /// - Returns: ``durableSequence``.
    @discardableResult
    public func commit() throws(StoreError) -> Int64 {
        do {
            if writer == nil { try reopen() }
            try writer?.commit()
        } catch {
            fail(error)
            throw error
        }
        failure = nil
        durableSequence = nextSequence &- 1
        fixes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        return durableSequence
    }

    /// Moves the write-ahead log into the file, as far as readers permit; for moments when nothing else happens.
    ///
    /// - Returns: whether all was moved.
    @discardableResult
    public func checkpoint() throws(StoreError) -> Bool {
        guard let database = writer?.database else { return false }
        return try database.checkpoint(truncating: true)
    }

    /// Commits, ends the run and closes the file; the store takes nothing afterwards.
    ///
    /// - Parameter ending: how the run ended, as `stopped`.
    public func close(ending: String) throws(StoreError) {
        try commit()
        if runIsKnown {
            // Not before the commit: after a failure the fixes are written again, and end their segment.
            do {
                try writer?.endSegment()
            } catch {
                fail(error)
            }
            put(.runEnded(run, ending))
            try commit()
        }
        try checkpoint()
        writer = nil
        lock = nil
    }

    /// Fixes by verdict in the whole database, those that are not durable yet included.
    public var counts: FixCounts {
        writer?.ledger.counts ?? countsBeforeFailure
    }

    /// Fixes recorded and not durable yet.
    public var waiting: Int {
        fixes.count
    }

    /// Bytes of the file and its write-ahead log.
    public var sizeOnDisk: Int64 {
        StoreFile.size(path)
    }

    /// Bytes of the write-ahead log; it grows while a reader holds an old snapshot.
    public var sizeOfLog: Int64 {
        StoreFile.size(of: path + "-wal")
    }

    /// The kept fix with the latest time, for going on after a restart.
    public func latest() throws(StoreError) -> RecordedFix? {
        guard let database = writer?.database else { return nil }
        return try FixQuery.latest(database)
    }
}

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

extension TrackStore {
    /// Writes the run's row before its first record.
    private func announceRun() {
        guard !runIsKnown, let pendingRun else { return }
        runIsKnown = true
        put(.run(run, pendingRun))
    }

    private func put(_ entry: Entry) {
        switch entry {
        case .gap, .cycle: announceRun()
        default: break
        }
        entries.append(entry)
        attempt { (writer) throws(StoreError) in try writer.write(entry) }
    }

    /// Writes something now when all is well; after a failure it waits for the next commit.
    private func attempt(_ write: (Writer) throws(StoreError) -> Void) {
        guard let writer else { return }
        do {
            try write(writer)
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: StoreError) {
        failure = error
        if let writer { countsBeforeFailure = writer.ledger.counts }
        // Closing rolls back; what was recorded since the last commit is in memory.
        writer = nil
    }

    /// Commits a batch that reached the limit; when the disk fails, drops the oldest of it.
    private func makeRoom() {
        if writer != nil, (try? commit()) != nil { return }
        let count = max(1, options.limit / 16)
        droppedSince = droppedSince ?? fixes.first?.receivedAt
        fixes.removeFirst(min(count, fixes.count))
        dropped += Int64(count)
    }

    /// Opens the file again and writes again what is not known to be durable.
    ///
    /// The log of a failed commit may turn out to be whole. It is moved into the file and synced first, so that its
    /// rows count only when they are on the medium.
    private func reopen() throws(StoreError) {
        try StoreFile.makeDirectory(of: path, mode: options.directoryMode)
        let database = try StoreFile.open(path, options)
        try database.checkpoint(truncating: true)
        let writer = try Writer(database)
        if let droppedSince, let first = fixes.first {
            ids.gap &+= 1
            entries.append(
                .gap(ids.gap, run: run, try gap(in: database, from: droppedSince, to: first)))
            self.droppedSince = nil
        }
        try writer.write(again: entries, fixes[...])
        self.writer = writer
    }

    private func gap(
        in database: Database, from: Int64, to next: RecordedFix
    ) throws(StoreError) -> Gap {
        let last = try Statement(
            """
            SELECT sequence, time * 1000 + (ms_lag & 1023) FROM fix WHERE flags & 65535 = 0
            ORDER BY sequence DESC LIMIT 1
            """, on: database)
        let found = try last.step()
        return Gap(
            after: found ? last.number(0) : nil,
            begin: found ? last.optional(1).map(UTCTime.init(milliseconds:)) : nil,
            end: next.fix.time, duration: next.receivedAt &- from, reason: .dropped)
    }
}
