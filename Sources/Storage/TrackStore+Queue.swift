import GNSS

extension TrackStore {
    /// Writes the run's row before its first record.
    func announceRun() {
        guard !runIsKnown, let introduction else { return }
        runIsKnown = true
        put(.run(run, introduction))
    }

    func put(_ entry: Entry) {
        switch entry {
        case .gap, .cycle, .mark: announceRun()
        default: break
        }
        if case .progress(let id, _, _, _) = entry {
            // Only the last word counts, however long the disk fails.
            entries.removeAll {
                if case .progress(id, _, _, _) = $0 { true } else { false }
            }
        }
        entries.append(entry)
        attempt { (writer) throws(StoreError) in try writer.write(entry) }
    }

    /// Takes note of the name that a fix was given elsewhere.
    func note(originOf record: RecordedFix) {
        guard origin != nil || record.origin != nil else { return }
        if origin?.run.extend(record) == true {
            origin?.isPut = false
            return
        }
        putOrigin()
        origin = Origin(record).map { ($0, false) }
    }

    /// Writes the run of names down as far as it goes.
    func putOrigin() {
        guard let run = origin?.run, origin?.isPut == false else { return }
        put(.origin(run))
        origin?.isPut = true
    }

    /// Writes something now when all is well; after a failure it waits for the next commit.
    func attempt(_ write: (Writer) throws(StoreError) -> Void) {
        guard let writer else { return }
        do {
            try write(writer)
        } catch {
            fail(error)
        }
    }

    func fail(_ error: StoreError) {
        failure = error
        if let connection { countsBeforeFailure = connection.ledger.counts }
        // Closing rolls back; what was recorded since the last commit is in memory.
        writer = nil
    }

    /// Commits a batch that reached the limit; when the disk fails, drops the oldest of it.
    func makeRoom() {
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
    func reopen() throws(StoreError) {
        if isForeseen { try beginLate() }
        try StoreFile.makeDirectory(of: path, mode: options.directoryMode)
        if lock?.isInPlace != true {
            lock = nil
            lock = try StoreLock(database: path, mode: options.fileMode)
        }
        let database: Database
        let writer: Writer
        do {
            database = try StoreFile.open(path, options)
            try settle(in: database)
            if failure?.kind == .diskFull {
                try database.checkpointInPlace()
            } else {
                try database.checkpoint(truncating: true)
            }
            writer = try Writer(database)
            name = try database.name()
        } catch {
            guard options.movesDamagedAside, error.isDamage else { throw error }
            try moveAside()
            return try reopen()
        }
        if let droppedSince, let first = fixes.first {
            ids.gap &+= 1
            entries.append(
                .gap(ids.gap, run: run, try gap(in: database, from: droppedSince, to: first)))
            self.droppedSince = nil
        }
        try writer.write(again: entries, fixes[...])
        self.writer = writer
    }

    /// Lets the next opening make a new file, and gives it what the records that wait refer to.
    func moveAside() throws(StoreError) {
        movedAside = try StoreFile.moveAside(path)
        name = nil
        isLost = false
        // What was in it is beside it, and counts again when somebody salvages it.
        durableSequence = 0
        introduceAgain()
    }

    /// Writes again what the records of the run refer to.
    func introduceAgain() {
        entries.insert(contentsOf: corrections, at: 0)
        if runIsKnown, let introduction { entries.insert(.run(run, introduction), at: 0) }
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

/// The greatest numbers given so far.
struct Identifiers {
    var run: Int32
    var segment: Int32
    var gap: Int64
    var cycle: Int64
    var mark: Int64
    var correction: Int32
    var source: Int32

    /// Those of a database.
    init(of database: Database) throws(StoreError) {
        func greatest(_ table: String) throws(StoreError) -> Int64 {
            let present = try database.number("SELECT max(id) FROM \(table)") ?? 0
            return max(present, try database.issued(table))
        }
        run = Int32(clamping: try greatest("run"))
        segment = Int32(clamping: try greatest("segment"))
        gap = try greatest("gap")
        cycle = try greatest("cycle")
        mark = try greatest("mark")
        correction = Int32(clamping: try greatest("correction"))
        source = Int32(clamping: try greatest("source"))
    }

    /// Those of an empty database.
    init() {
        (run, segment, gap, cycle, mark, correction, source) = (0, 0, 0, 0, 0, 0, 0)
    }
}

extension Database {
    /// The greatest number that a table had when its rows were removed; 0 when none were.
    func issued(_ table: String) throws(StoreError) -> Int64 {
        try number("SELECT number FROM issued WHERE name = '\(table)'") ?? 0
    }
}
