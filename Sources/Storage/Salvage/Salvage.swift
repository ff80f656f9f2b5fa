import GNSS

/// Reads what can be read of a damaged database into a new one.
///
/// The pages are read one by one, past SQLite: a damaged page costs its own rows, never those of others. Pages that
/// nothing leads to any more are known by the look of their rows. The write-ahead log counts, up to its last commit.
public enum Salvage {
    /// What was found.
    public struct Outcome: Equatable, Sendable {
        /// Fixes in the new database.
        public var fixes: Int64 = 0
        /// Rows of all tables in it.
        public var rows: Int64 = 0
        /// Rows that a page announced and that make no sense.
        public var lostRows: Int64 = 0
        /// Pages that could not be read at all.
        public var lostPages: Int64 = 0
        /// Pages that were taken from the write-ahead log.
        public var pagesFromLog: Int64 = 0
    }

    /// Reads a database from its first page to its last.
    ///
    /// - Parameters:
    ///   - path: the damaged database; it is not written to.
    ///   - target: the new one; a file of that name is replaced.
    ///   - replaces: whether that file may be a database.
    ///   - progress: told how many pages of how many were read.
    public static func run(
        from path: String, to target: String, replaces: Bool = false,
        progress: (_ done: Int64, _ of: Int64) -> Void
    ) throws(StoreError) -> Outcome {
        guard try StoreFile.refuseOtherKinds(path) else {
            throw StoreError(.cannotOpen, path: path, detail: "no such file")
        }
        // The log lies beside the file that a link points to.
        let image = try PageImage(path: NewDatabase.resolved(path))
        let version = image.version
        if image.headerNumber(68) == Schema.applicationID, Schema.laterVersions.contains(version) {
            throw StoreError(.newerSchema(found: version, supported: Schema.version), path: path)
        }
        let options = TrackStore.Options()
        let new = try NewDatabase(
            target, from: path, mode: options.fileMode, replaces: replaces)
        var outcome = Outcome()
        outcome.pagesFromLog = Int64(image.pagesFromLog)
        try fill(new.aside, of: version, from: image, &outcome, progress)
        guard outcome.rows > 0 else {
            throw StoreError(.notADatabase, path: path, detail: "no row of a track was found in it")
        }
        try new.finish()
        return outcome
    }

    private static func fill(
        _ path: String, of version: Int, from image: PageImage, _ outcome: inout Outcome,
        _ progress: (Int64, Int64) -> Void
    ) throws(StoreError) {
        let database = try Database(path: path, access: .readWrite)
        // Nothing but a whole file is kept, so it needs no journal, and is synced once at the end.
        try database.execute(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096;
            PRAGMA page_size = \(image.pageSize); PRAGMA auto_vacuum = INCREMENTAL
            """)
        // Rows go into tables as they were made for; then these are brought up to date as any others.
        let known = (1...Schema.version).contains(version) ? version : Schema.version
        try StoreFile.migrate(database, to: known)
        try database.execute("BEGIN")
        try copyRows(of: image, into: database, &outcome, progress)
        try SalvagedBlocks.dropDamaged(database, &outcome)
        try SalvagedSums.dropStrangers(database, &outcome)
        try SalvagedLeaps.drop(database, &outcome)
        try SalvagedSums.make(database, &outcome)
        try database.execute("COMMIT")
        try StoreFile.migrate(database, to: Schema.version)
        try StoreFile.renewViews(database)
        try database.execute("PRAGMA journal_mode = DELETE")
    }

    private static func copyRows(
        of image: PageImage, into database: Database, _ outcome: inout Outcome,
        _ progress: (Int64, Int64) -> Void
    ) throws(StoreError) {
        let shapes = try TableShape.all(of: database)
        let owners = try PageOwners(image, names: shapes.map(\.name))
        var tables: [Inserter] = []
        for shape in shapes { tables.append(try Inserter(shape, database)) }
        for number in 1...max(1, image.count) {
            progress(Int64(number), Int64(image.count))
            let owner = owners.table(of: number)
            guard owner != nil || owners.isLost(number) else { continue }
            guard let bytes = image.page(number) else {
                outcome.lostPages += 1
                continue
            }
            let page = LeafPage(number, bytes, of: image)
            guard page.kind == LeafPage.leaf else { continue }
            var candidates = owner.map { [$0] } ?? Array(tables.indices)
            var rows: [FoundRow] = []
            let lost = try page.rows { row in
                let fitting = candidates.filter { tables[$0].shape.fits(row) }
                if owner == nil, fitting.isEmpty { return }
                if !fitting.isEmpty { candidates = fitting }
                rows.append(row)
            }
            // A lost page that may be of several tables is of none.
            guard let table = candidates.first, candidates.count == 1 else { continue }
            outcome.lostRows += Int64(lost)
            for row in rows {
                guard tables[table].shape.fits(row) else {
                    outcome.lostRows += 1
                    continue
                }
                if try tables[table].insert(row) { outcome.rows += 1 }
            }
        }
    }

    /// Puts rows into one table.
    private final class Inserter {
        let shape: TableShape
        private let statement: Statement
        private let database: Database
        private var isEmptied = false

        init(_ shape: TableShape, _ database: Database) throws(StoreError) {
            let places = repeatElement("?", count: shape.columns.count).joined(separator: ",")
            statement = try Statement(
                "INSERT OR IGNORE INTO \(shape.name) VALUES (\(places))", on: database)
            self.shape = shape
            self.database = database
        }

        /// Adds a row; false when one of that number is there already.
        func insert(_ row: FoundRow) throws(StoreError) -> Bool {
            if !isEmptied {
                // What a new database is born with gives way to what the old one had.
                try database.execute("DELETE FROM \(shape.name)")
                isEmptied = true
            }
            for index in shape.columns.indices {
                let place = Int32(index) + 1
                switch index < row.values.count ? row.values[index] : .null {
                case _ where index == shape.key: statement.bind(place, row.rowid)
                case .null: statement.bind(place, nil)
                case .integer(let number): statement.bind(place, number)
                case .real(let number): statement.bind(place, real: number)
                case .text(let bytes):
                    statement.bind(place, text: String(decoding: bytes, as: UTF8.self))
                case .blob(let bytes): statement.bind(place, blob: bytes)
                }
            }
            try statement.run()
            return database.changes > 0
        }
    }
}
