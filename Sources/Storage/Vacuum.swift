import CSQLite
import Glibc

/// Writes a database anew, without the pages that nothing uses and with its indexes made afresh.
public enum Vacuum {
    /// What it brought.
    public struct Outcome: Equatable, Sendable {
        /// Bytes before.
        public var before: Int64
        /// Bytes now.
        public var after: Int64
    }

    /// Writes a compact copy beside the database and, when that is sound, puts it in its place.
    ///
    /// Nobody else may have the database open. A full disk or a power cut leaves it as it was.
    ///
    /// - Parameters:
    ///   - path: the database.
    ///   - progress: told how far it is.
    public static func run(
        _ path: String, progress: (CopyProgress) -> Void
    ) throws(StoreError) -> Outcome {
        _ = try TrackReader(path: path)
        let path = NewDatabase.resolved(path)
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw StoreLock.error(path, "stat") }
        let before = StoreFile.size(path)
        let old = try SoleDatabase(path, mode: status.st_mode & 0o777)
        defer { withExtendedLifetime(old) {} }
        let database = old.database
        let copy = try NewDatabase(path, replacing: status)
        let used =
            try (database.number("PRAGMA page_count") ?? 0)
            - (database.number("PRAGMA freelist_count") ?? 0)
        let expected = used * (try database.number("PRAGMA page_size") ?? 0)
        try withoutActuallyEscaping(progress) { (progress) throws(StoreError) in
            let watch = Watch(copy.aside, expected, progress)
            let quoted = copy.aside.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "''")
            try watch.during(database) { () throws(StoreError) in
                try database.execute("VACUUM INTO '\(quoted)'")
            }
        }
        progress(CopyProgress(stage: .verifying, done: 0, total: 0))
        try old.shutOthersOut()
        try copy.finish()
        return Outcome(before: before, after: StoreFile.size(of: path))
    }

    /// Looks at the growing file while SQLite writes it.
    private final class Watch {
        private let path: String
        private let expected: Int64
        private let progress: (CopyProgress) -> Void

        init(_ path: String, _ expected: Int64, _ progress: @escaping (CopyProgress) -> Void) {
            self.path = path
            self.expected = expected
            self.progress = progress
        }

        /// The C function is `sqlite3_progress_handler`.
        func during(
            _ database: Database, _ body: () throws(StoreError) -> Void
        ) throws(StoreError) {
            let me = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe sqlite3_progress_handler(
                database.handle, 1_000_000,
                { context in
                    unsafe context.map {
                        unsafe Unmanaged<Watch>.fromOpaque($0).takeUnretainedValue().look()
                    }
                    return 0
                }, me)
            defer { unsafe sqlite3_progress_handler(database.handle, 0, nil, nil) }
            try body()
        }

        private func look() {
            let done = min(StoreFile.size(of: path), expected)
            progress(CopyProgress(stage: .copying, done: done, total: expected))
        }
    }
}
