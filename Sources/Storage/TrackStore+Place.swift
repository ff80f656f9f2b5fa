import Glibc

/// How large the database is, and one that is removed, moved or replaced while it is recorded to.
extension TrackStore {
    /// Bytes of the file and its write-ahead log.
    public var sizeOnDisk: Int64 {
        StoreFile.size(path)
    }

    /// Bytes of the write-ahead log; it grows while a reader holds an old snapshot.
    public var sizeOfLog: Int64 {
        StoreFile.size(of: path + "-wal")
    }

    /// Whether a reader holds the write-ahead log: it grows with all that is written, and gives nothing back.
    public var isLogHeld: Bool {
        sizeOfLog > options.heldLog
    }

    /// Whether the path still leads to the file that is written to.
    public var isInPlace: Bool {
        guard let writer else { return true }
        guard let found = FileID(path) else { return errno != ENOENT && errno != ENOTDIR }
        return found == writer.file
    }

    /// Lets go of a file that nobody would find.
    func leaveFile() {
        let log = writer?.log
        isLost = true
        // It may live on under another name: what is in its log belongs to it.
        let isMoved = (try? writer?.database.checkpoint(truncating: true)) == true
        writer = nil
        // Another file must not take the log for its own.
        guard let log, FileID(path + "-wal") == log else { return }
        if !isMoved { try? StoreFile.leaveLogs(of: path) }
        _ = unsafe unlink(path + "-wal")
        _ = unsafe unlink(path + "-shm")
    }

    /// Makes sure that a file may be gone on in, and gives a new one what the records that wait refer to.
    func settle(in database: Database) throws(StoreError) {
        let found = try database.name()
        guard isLost || (name != nil && found != name) else { return }
        let newest = try max(database.newestSequence(), database.issued("fix"))
        let runs = try Identifiers(of: database).run
        // An older copy of the same database can be gone on in, another one's numbers are not ours.
        guard found == name ? newest <= durableSequence : newest == 0 && runs == 0 else {
            throw StoreError(
                .cannotOpen, path: path,
                detail: "another track database took its place; once it is moved away, "
                    + "recording goes on in a new one")
        }
        isLost = false
        losses += 1
        durableSequence = newest
        openGap = nil
        DamageNote.write(path, damaged: path)
        introduceAgain()
    }
}

extension Database {
    /// The name made by chance with it.
    func name() throws(StoreError) -> String? {
        let statement = try Statement("SELECT id FROM store", on: self)
        return try statement.step() ? statement.text(0) : nil
    }
}
