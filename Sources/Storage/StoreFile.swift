import GNSS
import Glibc

/// Opening and making database files: nothing is written before the file is known to be ours.
enum StoreFile {
    /// Opens a database for writing, making it (and its directory) when it is missing.
    static func open(_ path: String, _ options: TrackStore.Options) throws(StoreError) -> Database {
        try make(path, options)
        try refuseOtherName(path)
        try inspect(path)
        let database = try Database(path: path, access: .readWrite)
        guard !database.isReadOnly else { throw StoreError(.readOnly, path: path) }
        // Another program's short write may be waited for; a long one is a failure that is retried.
        try database.execute("PRAGMA busy_timeout = 100")
        try database.execute("PRAGMA cache_size = -\(options.cacheKiB)")
        if try database.number("PRAGMA user_version") == 0 {
            // Pages that are freed go back to the file system a few at a time.
            try database.execute(
                "PRAGMA page_size = \(options.pageSize); PRAGMA auto_vacuum = INCREMENTAL")
        }
        try migrate(database, to: Schema.version)
        try renewViews(database)
        // Only with FULL is a commit on the medium when it returns (SQLite, "Pragma synchronous").
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA wal_autocheckpoint = \(options.checkpointPages);
            PRAGMA journal_size_limit = \(2 * options.checkpointPages * options.pageSize);
            PRAGMA temp_store = MEMORY;
            PRAGMA secure_delete = ON;
            """)
        return database
    }

    /// Brings the schema up to a version, one transaction a step.
    static func migrate(_ database: Database, to version: Int) throws(StoreError) {
        var found = Int(try database.number("PRAGMA user_version") ?? 0)
        guard found <= Schema.version else {
            throw StoreError(
                .newerSchema(found: found, supported: Schema.version), path: database.path)
        }
        // What says to be older than it is would be made anew.
        if found > 0, found < version, let real = try Schema.version(byTablesOf: database),
            real != found
        {
            throw StoreError(
                .damaged, path: database.path, detail: "its header says version \(found)")
        }
        while found < version {
            try database.execute("BEGIN IMMEDIATE")
            try database.execute(Schema.steps[found])
            found += 1
            try database.execute(
                "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(found)")
            try database.execute("COMMIT")
        }
    }

    /// Makes the views those of this program: they hold no data, and their words grow with it.
    static func renewViews(_ database: Database) throws(StoreError) {
        let found = try Statement(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'view'", on: database)
        var present: [String: String] = [:]
        while try found.step() { present[found.text(0) ?? ""] = found.text(1) }
        let outdated = Schema.views.filter { present[$0.name] != $0.sql }
        guard !outdated.isEmpty else { return }
        try database.execute("BEGIN IMMEDIATE")
        for view in outdated {
            try database.execute("DROP VIEW IF EXISTS \(view.name); \(view.sql)")
        }
        try database.execute("COMMIT")
    }

    /// Refuses what is not a database of ours, reading the file alone.
    ///
    /// A file whose log was being moved into it when the power went makes sense only together with its log.
    static func inspect(_ path: String) throws(StoreError) {
        do {
            try inspect(Database(path: path, access: .immutable))
        } catch {
            guard error.kind == .damaged else { throw error }
            try inspect(Database(path: path, access: .readOnly))
        }
    }

    static func inspect(_ database: Database) throws(StoreError) {
        let path = database.path
        let application = try database.number("PRAGMA application_id") ?? 0
        let found = Int(try database.number("PRAGMA user_version") ?? 0)
        // The schema is not read twice for this: that takes as long as a query.
        if application == Schema.applicationID, (0...Schema.version).contains(found) { return }
        let tables = try database.number("SELECT count(*) FROM sqlite_schema") ?? 0
        if application == 0, found == 0, tables == 0 { return }
        if application == Schema.applicationID, Schema.laterVersions.contains(found) {
            throw StoreError(
                .newerSchema(found: found, supported: Schema.version), path: path)
        }
        guard try Schema.version(byTablesOf: database) != nil else {
            throw StoreError(.foreignApplication, path: path)
        }
        throw StoreError(.damaged, path: path, detail: "the numbers in its header are not its own")
    }

    /// Refuses what is there and is no file; gives whether something is there.
    @discardableResult
    static func refuseOtherKinds(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw StoreLock.error(path, "stat") }
            return false
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return true
        case S_IFDIR: throw StoreError(.isDirectory, path: path)
        default: throw StoreError(.notADatabase, path: path)
        }
    }

    /// Refuses a link into a directory that is not there: a medium that is not mounted, whose place nothing else takes.
    static func refuseLostLink(_ path: String, to resolved: String) throws(StoreError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
            unsafe stat(folder(of: resolved), &status) != 0
        else { return }
        throw StoreError(
            .cannotOpen, path: path,
            detail: "it is a link to \(resolved), whose directory is not there")
    }

    /// Makes a missing file with its mode.
    private static func make(_ path: String, _ options: TrackStore.Options) throws(StoreError) {
        if size(of: path) == 0 { try leaveLogs(of: path) }
        guard try !refuseOtherKinds(path) else { return }
        // Nobody has the file open yet, so this descriptor shares no lock with SQLite.
        let descriptor = unsafe Glibc.open(
            path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, options.fileMode)
        guard descriptor >= 0 else { throw StoreLock.error(path, "create") }
        Glibc.close(descriptor)
    }

    /// What a person should know of a file that is there before it is opened.
    ///
    /// - Parameters:
    ///   - path: as it was given.
    ///   - resolved: with its links followed.
    static func remarks(_ path: String, _ resolved: String) -> [String] {
        var remarks: [String] = []
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            remarks.append("\(path) is a link to \(resolved), which is written to")
        }
        if size(of: resolved) == 0 {
            for (log, aside) in strayLogs(of: resolved) {
                remarks.append(
                    "\(log) is of a database that is not there any more, and is now \(aside)")
            }
        }
        guard unsafe stat(resolved, &status) == 0 else {
            let folder = folder(of: resolved)
            // A folder that is made may be a word that is misspelt.
            if unsafe stat(folder, &status) != 0, errno == ENOENT {
                remarks.append("\(folder) does not exist, so it is made")
            }
            return remarks
        }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        if status.st_mode & 0o007 != 0 {
            remarks.append("\(resolved) has mode 0\(mode): anybody here may read where it was")
        }
        if status.st_uid != geteuid() {
            remarks.append("\(resolved) belongs to user \(status.st_uid), not to \(geteuid())")
        }
        // SQLite, "How To Corrupt", section 2.5: each name has a log of its own.
        if status.st_nlink > 1 {
            remarks.append(
                "\(resolved) has \(status.st_nlink) names (hard links): only by this one is its log found"
            )
        }
        let folder = folder(of: resolved)
        if unsafe stat(folder, &status) == 0, status.st_mode & 0o1002 == 0o0002 {
            remarks.append("\(folder) can be written by anybody, who may replace the database")
        }
        return remarks
    }

    /// The directory a path is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes the directories above a path that are missing.
    static func makeDirectory(of path: String, mode: UInt32) throws(StoreError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let directory = String(path[..<slash])
        var status = stat()
        if unsafe stat(directory, &status) == 0 { return }
        try makeDirectory(of: directory, mode: mode)
        guard unsafe mkdir(directory, mode) == 0 || errno == EEXIST else {
            throw StoreLock.error(path, "create directory")
        }
    }

    /// Renames a database and its log to `NAME.damaged-N`; gives the new name.
    static func moveAside(_ path: String) throws(StoreError) -> String {
        var number = 1
        while size(of: "\(path).damaged-\(number)", orElse: -1) >= 0 { number += 1 }
        let aside = "\(path).damaged-\(number)"
        guard unsafe rename(path, aside) == 0 else { throw StoreLock.error(path, "rename") }
        // The log may hold what the file lacks; the index is made again from it.
        for ending in logs { _ = unsafe rename(path + ending, aside + ending) }
        _ = unsafe unlink(path + "-shm")
        DamageNote.write(path, damaged: aside)
        return aside
    }

    /// What SQLite keeps beside a file that is not in it yet, or must be taken back.
    static let logs = ["-wal", "-journal"]

    /// Logs beside a path without a database: of one that was moved away without them, or removed.
    ///
    /// SQLite would delete them or lay them over the next file of the name.
    ///
    /// - Returns: each with a name that is free.
    static func strayLogs(of path: String) -> [(log: String, aside: String)] {
        logs.map { path + $0 }.filter { size(of: $0) > 0 }.map { log in
            var number = 1
            while size(of: "\(log).left-\(number)", orElse: -1) >= 0 { number += 1 }
            return (log, "\(log).left-\(number)")
        }
    }

    /// Renames what ``strayLogs(of:)`` gives.
    static func leaveLogs(of path: String) throws(StoreError) {
        let found = strayLogs(of: path)
        guard !found.isEmpty else { return }
        for (log, aside) in found {
            guard unsafe rename(log, aside) == 0 else { throw StoreLock.error(log, "rename") }
        }
        NewDatabase.syncFolder(of: path)
    }

    /// What ``moveAside(_:)`` moved and is still there, in the order of its numbers.
    static func damagedCopies(of path: String) -> [String] {
        let beginning = name(of: path) + ".damaged-"
        let numbers = names(in: folder(of: path)).compactMap { found in
            found.hasPrefix(beginning) ? Int(found.dropFirst(beginning.count)) : nil
        }
        return numbers.sorted().map { "\(path).damaged-\($0)" }
    }

    /// Bytes of the file and of its write-ahead log.
    static func size(_ path: String) -> Int64 {
        size(of: path) + size(of: path + "-wal")
    }

    /// Bytes of one file, or another number when it is missing.
    static func size(of path: String, orElse missing: Int64 = 0) -> Int64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : missing
    }
}
