public import GNSS
import Glibc

/// How a store begins, also where it cannot write yet.
extension TrackStore {
    /// The kept fix with the latest time, for going on after a restart.
    public func latest() throws(StoreError) -> RecordedFix? {
        attempt { (writer) throws(StoreError) in try writer.insertRows() }
        guard let database = writer?.database ?? foreseen?.database else { return nil }
        do {
            return try FixQuery.latest(database)
        } catch {
            guard options.movesDamagedAside, error.isDamage, fixes.isEmpty else { throw error }
            try beginAnew()
            return nil
        }
    }

    /// Takes the right to write, opens the file and goes on where it ends.
    func begin() throws(StoreError) {
        try StoreFile.makeDirectory(of: path, mode: options.directoryMode)
        if lock == nil { lock = try StoreLock(database: path, mode: options.fileMode) }
        do {
            try takeOver()
        } catch {
            writer = nil
            guard options.movesDamagedAside, error.isDamage else { throw error }
            try beginAnew()
        }
    }

    /// Moves a damaged file aside and goes on in a new one, before anything was recorded.
    func beginAnew() throws(StoreError) {
        writer = nil
        movedAside = try StoreFile.moveAside(path)
        try takeOver()
        if let introduction { beginRun(introduction) }
    }

    /// Whether recording into memory may begin while the file cannot be written: what is to be told from it can be read.
    ///
    /// A person who gave the wrong file or has no right to it is told at once instead.
    func foresees(_ error: StoreError) -> Bool {
        guard options.outlivesFailures, error.isTransient, error.kind != .cannotOpen,
            error.kind != .busy
        else { return false }
        let exists = StoreFile.size(of: path, orElse: -1) > 0
        let named = exists ? path : StoreFile.folder(of: path)
        if unsafe access(named, W_OK) != 0, errno != EROFS, errno != ENOENT { return false }
        guard exists else { return true }
        do throws(StoreError) {
            let reader = try TrackReader(path: path)
            ids = try Identifiers(of: reader.database)
            foresee(
                newest: try max(reader.newestSequence(), reader.database.issued("fix")))
            countsBeforeFailure = try reader.counts()
            return true
        } catch {
            // Made, and the disk was full before anything was in it.
            return error.isEmpty
        }
    }
}
