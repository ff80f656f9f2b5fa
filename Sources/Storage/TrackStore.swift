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
        /// Whether a damaged file is moved to `NAME.damaged-N` and a new one begun, rather than refused.
        ///
        /// For a file that is the program's own by its place; a file that a person named may be something else.
        public var movesDamagedAside = false
        /// Whether recording begins in memory while the disk is full, failing or read-only, rather than not at all.
        public var outlivesFailures = false
        /// Bytes of write-ahead log that only a reader of an old state lets come together.
        var heldLog: Int64 = 8 << 20
        /// Bytes a page of a new file.
        var pageSize = 4096

        /// The defaults.
        public init() {}
    }

    /// The database.
    public let path: String
    /// The sequence up to which every fix is on the medium, or is known to be missing.
    public internal(set) var durableSequence: Int64 = 0
    /// How often the database was found removed or replaced since the start; ``movedAside`` is ``path`` then.
    public internal(set) var losses = 0
    /// Why the last write failed; `nil` while all is well.
    public internal(set) var failure: StoreError?
    /// Fixes that were lost because the queue overflowed while the disk failed.
    public internal(set) var dropped: Int64 = 0
    /// Number of the run; 0 before ``beginRun(_:)``.
    public private(set) var run: Int32 = 0
    /// Whether the run has recorded anything yet.
    public internal(set) var runIsKnown = false
    /// Where a damaged database was moved to, or ``path`` when it was removed or replaced under the program, until
    /// somebody says to have noticed; `nil` when it was sound.
    public internal(set) var movedAside: String? {
        get { DamageNote.read(path) ?? unnoted }
        set { unnoted = newValue }
    }
    /// The same where no word could be left on the disk.
    private var unnoted: String?
    /// Whether this process has moved a database aside that nobody has noticed yet; unlike ``movedAside`` it asks no disk.
    public var hasMoved: Bool { unnoted != nil }
    /// The name of the database, made by chance with it; `nil` while it is not known.
    var name: String?
    /// Whether the file that was written to is no longer at its path.
    var isLost = false

    /// Takes note that somebody has noticed the damage.
    public func acknowledgeDamage() throws(StoreError) {
        try DamageNote.acknowledge(path)
        unnoted = nil
    }

    /// What a person should know of the file: that it is a link, readable by others, somebody else's.
    public let remarks: [String]

    let options: Options
    var lock: StoreLock?
    /// Whether the file could not be opened for writing yet.
    var isForeseen = false
    /// The file as it can be read meanwhile; `nil` when there is none.
    var foreseen: TrackReader? {
        isForeseen ? try? TrackReader(path: path) : nil
    }
    /// The connection, with everything in it that was recorded; `nil` from a failure until the file is opened again.
    var writer: Writer? {
        get {
            writeFixes()
            return connection
        }
        set {
            connection = newValue
            written = fixes.count
        }
    }
    /// The connection, whatever waits for it.
    private(set) var connection: Writer?
    /// Fixes that are not durable.
    var fixes: [RecordedFix] = []
    /// How many of them the connection was given.
    private var written = 0
    /// How many may wait for it.
    ///
    /// At 1 Hz a fix by itself would find SQLite's code gone from the processor's caches, and cost ten times what it costs
    /// behind another.
    private static let waitsAtMost = 32
    /// Rows of small tables that are not durable.
    var entries: [Entry] = []
    /// The run as it introduced itself.
    private(set) var introduction: Run?
    /// Corrections that fixes of this process may refer to.
    private(set) var corrections: [Entry] = []
    /// The greatest numbers given so far.
    var ids = Identifiers()
    var countsBeforeFailure = FixCounts()
    /// When the first fix that was dropped since the last commit had been received.
    var droppedSince: Int64?
    /// Whether something was removed whose bytes may still be in the write-ahead log.
    var needsErasing = false
    /// The hole that a removal left at the end of the track, until the next fix ends it.
    var openGap: (id: Int64, gap: Gap)?
    /// The run of imported fixes that the last one belongs to, and whether it is written as it is.
    var origin: (run: Origin, isPut: Bool)?
    /// What the run records among the rows of others.
    var weaving = Weaving()
    private var nextSequence: Int64 = 1
    /// What is added to the run's own number of a segment that begins.
    var segmentBase: Int32 = 0
    /// The segment of the last kept fix, by the run's number and by the database's.
    var lastSegment: (own: Int32, stored: Int32) = (0, 0)

    /// Opens a database for recording, and makes it when it is missing.
    ///
    /// A run that was cut off is marked `interrupted`, its segment ended.
    public init(path: String, options: Options = Options()) throws(StoreError) {
        try StoreFile.refuseOtherKinds(path)
        // What lies beside the database lies beside the file that a link points to.
        self.path = NewDatabase.resolved(path)
        try StoreFile.refuseLostLink(path, to: self.path)
        self.options = options
        remarks = StoreFile.remarks(path, self.path)
        do {
            try begin()
        } catch {
            guard foresees(error) else { throw error }
            failure = error
            isForeseen = true
        }
    }

    /// Opens the file, ends what a run before left open, and goes on from its numbers.
    func takeOver() throws(StoreError) {
        let writer = try Writer(StoreFile.open(path, options))
        name = try writer.database.name()
        ids = try Identifiers(of: writer.database)
        try writer.endSegment()
        if try writer.database.number("SELECT 1 FROM run WHERE ended IS NULL") != nil {
            try writer.ensureTransaction()
            try writer.database.execute("UPDATE run SET ended = 'interrupted' WHERE ended IS NULL")
        }
        try writer.commit()
        durableSequence = max(writer.newest, try writer.database.issued("fix"))
        nextSequence = durableSequence &+ 1
        segmentBase = ids.segment
        openGap = try writer.database.openGap()
        self.writer = writer
    }

    /// Goes on after a sequence that is in a file which cannot be opened for writing yet.
    func foresee(newest: Int64) {
        durableSequence = newest
        nextSequence = newest &+ 1
        segmentBase = ids.segment
    }

    /// Opens the file that could not be opened at first.
    ///
    /// Nobody wrote to it meanwhile, so the numbers that were given hold.
    func beginLate() throws(StoreError) {
        let given = (ids, nextSequence, segmentBase, introduction)
        introduction = nil
        defer { (ids, nextSequence, segmentBase, introduction) = given }
        try begin()
        isForeseen = false
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
        lastSegment = (0, 0)
        introduction = run
        runIsKnown = false
        weaving = Weaving()
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
            if record.segment != lastSegment.own {
                lastSegment = (record.segment, record.segment &+ segmentBase)
            }
            record.segment = lastSegment.stored
            ids.segment = max(ids.segment, record.segment)
        }
        nextSequence &+= 1
        if let openGap, record.flags.isKept { end(openGap, at: record.fix) }
        if fixes.count >= options.limit { makeRoom() }
        fixes.append(record)
        note(originOf: record)
        if fixes.count - written >= TrackStore.waitsAtMost { writeFixes() }
        return record.sequence
    }

    /// Gives the connection the fixes that wait.
    private func writeFixes() {
        guard let connection else { return }
        do {
            while written < fixes.count {
                written += 1
                try connection.write(fixes[written - 1])
            }
        } catch {
            fail(error)
        }
    }

    /// Records a gap, or what became of one that was recorded.
    ///
    /// - Parameters:
    ///   - gap: the gap as it is now.
    ///   - id: the number from recording it before; `nil` the first time.
    /// - Returns: its number.
    @discardableResult
    public func record(_ gap: Gap, id: Int64? = nil) -> Int64 {
        if id == nil { ids.gap &+= 1 }
        let number = id ?? ids.gap
        put(.gap(number, run: run, gap))
        return number
    }

    /// Records a gap.
    public func append(_ gap: Gap) {
        record(gap)
    }

    /// Takes a gap back that turned out to be none.
    public func withdrawGap(_ id: Int64) {
        put(.withdrawnGap(id))
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

    /// Records a mark.
    ///
    /// - Returns: its number.
    @discardableResult
    public func append(_ mark: Mark) -> Int64 {
        var mark = mark
        ids.mark &+= 1
        mark.id = ids.mark
        put(.mark(mark, run: run))
        return mark.id
    }

    /// The number of a correction, given on first sight.
    public func correction(digest: String, text: String) throws(StoreError) -> Int32 {
        if let database = writer?.database ?? foreseen?.database {
            let known = try Statement("SELECT id FROM correction WHERE digest = ?", on: database)
            known.bind(1, text: digest)
            if try known.step() {
                let id = Int32(truncatingIfNeeded: known.number(0))
                corrections.append(.correction(id, digest: digest, text: text))
                return id
            }
        } else if !isForeseen {
            throw failure ?? StoreError(.busy, path: path)
        }
        ids.correction &+= 1
        corrections.append(.correction(ids.correction, digest: digest, text: text))
        put(.correction(ids.correction, digest: digest, text: text))
        return ids.correction
    }

    /// Makes everything recorded so far durable; opens the file again first when the last attempt failed.
    ///
    /// - Returns: ``durableSequence``.
    @discardableResult
    public func commit() throws(StoreError) -> Int64 {
        putOrigin()
        do {
            try write()
        } catch {
            fail(error)
            guard options.movesDamagedAside, error.isDamage else { throw error }
            // At once: recording goes on in a new file.
            do {
                try moveAside()
                try write()
            } catch {
                fail(error)
                throw error
            }
        }
        failure = nil
        if needsErasing { erase() }
        if let newest = fixes.last?.sequence { durableSequence = newest }
        fixes.removeAll(keepingCapacity: true)
        written = 0
        entries.removeAll(keepingCapacity: true)
        return durableSequence
    }

    private func write() throws(StoreError) {
        if writer == nil { try reopen() }
        if let writer, !weaving.isEmpty { try weave(writer) }
        try writer?.commit()
        // After it: what is told to be durable is where the path leads to.
        guard !isInPlace else { return }
        leaveFile()
        try reopen()
        try writer?.commit()
    }

    /// Moves the write-ahead log into the file, as far as readers permit; for moments when nothing else happens.
    ///
    /// - Parameter truncating: whether the log gives its room back; growing it again costs a card more than keeping it.
    /// - Returns: whether all was moved.
    @discardableResult
    public func checkpoint(truncating: Bool = true) throws(StoreError) -> Bool {
        guard let database = writer?.database else { return false }
        return try database.checkpoint(truncating: truncating)
    }

    /// Gives back the memory of pages that were read once, as a start does.
    public func releaseMemory() {
        writer?.database.releaseMemory()
    }

    /// Commits, ends the run and closes the file; the store takes nothing afterwards.
    ///
    /// - Parameters:
    ///   - ending: how the run ended, as `stopped`.
    ///   - holes: the shortest hole in milliseconds, where the run may have recorded in the midst of others: then the
    ///     rows of holes are made to say what is left of them.
    public func close(ending: String, repairingHoles holes: Int64? = nil) throws(StoreError) {
        try commit()
        if runIsKnown {
            // Not before the commit: after a failure the fixes are written again, and end their segment.
            do {
                try writer?.endSegment()
                if let holes { try repairHoles(shortest: holes) }
            } catch {
                fail(error)
            }
            put(.runEnded(run, ending))
            try commit()
        }
        _ = try writer?.database.checkpoint(truncating: true)
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
}
