public import GNSS

/// Which fixes are in the database already, by the names they were given where they were recorded.
public final class KnownNames {
    private let database: Database
    private let store: String?
    private let hasOrigins: Bool
    private let find: Statement
    private let plain: Statement
    private let sealed: Statement

    fileprivate init(_ reader: TrackReader) throws(StoreError) {
        database = reader.database
        store = try reader.storeID()
        hasOrigins = reader.schema >= 5
        find = try Statement(
            hasOrigins
                ? """
                SELECT first_sequence + ?2 - sequence, last_sequence FROM origin
                WHERE store = ?1 AND sequence <= ?2 ORDER BY sequence DESC LIMIT 8
                """ : "SELECT 1, 1", on: reader.database)
        plain = try Statement("SELECT 1 FROM fix WHERE sequence = ?1", on: reader.database)
        sealed = try Statement(
            reader.database.hasBlocks
                ? "SELECT 1 FROM block WHERE ?1 BETWEEN first_sequence AND last_sequence AND id = ?2"
                : "SELECT 1 WHERE ?1 <> ?1 AND ?2", on: reader.database)
    }

    /// Whether the database has the fix of that name, recorded by itself or imported, before a sequence.
    public func contains(_ id: FixID, before limit: Int64 = .max) throws(StoreError) -> Bool {
        if id.store == store, id.sequence < limit, try isThere(id.sequence) { return true }
        guard hasOrigins else { return false }
        find.bind(1, text: id.store)
        find.bind(2, id.sequence)
        defer { find.reset() }
        while try find.step() {
            let sequence = find.number(0)
            if sequence <= find.number(1), sequence < limit, try isThere(sequence) { return true }
        }
        return false
    }

    private func isThere(_ sequence: Int64) throws(StoreError) -> Bool {
        plain.bind(1, sequence)
        defer { plain.reset() }
        if try plain.step() { return true }
        sealed.bind(1, sequence)
        sealed.bind(2, sequence >> Sealing.shift)
        defer { sealed.reset() }
        guard try sealed.step() else { return false }
        // Not every number of a block need be there.
        return try RowCursor(database, from: sequence, through: sequence).next() != nil
    }
}

extension TrackReader {
    /// Looks fixes up by their names.
    public func knownNames() throws(StoreError) -> KnownNames {
        try KnownNames(self)
    }
}

/// A run of imported fixes whose names follow each other as their sequences do.
struct Origin: Equatable {
    var first: Int64
    var last: Int64
    var id: FixID

    /// The run of one fix; `nil` for one that was recorded here.
    init?(_ record: RecordedFix) {
        guard let id = record.origin else { return nil }
        first = record.sequence
        last = record.sequence
        self.id = id
    }

    /// Takes a fix in that goes on with the run; false when it does not.
    mutating func extend(_ record: RecordedFix) -> Bool {
        guard let id = record.origin, id.store == self.id.store, record.sequence == last + 1,
            id.sequence &- self.id.sequence == record.sequence - first
        else { return false }
        last = record.sequence
        return true
    }
}

/// The runs of imported fixes beside a range of sequences, one at a time.
struct OriginCursor: ~Copyable {
    private let statement: Statement
    private var run: Origin?

    /// `nil` when no fix of the range was given a name elsewhere.
    init?(_ database: Database, _ from: Int64, _ through: Int64) throws(StoreError) {
        guard try database.number("PRAGMA user_version") ?? 0 >= 5 else { return nil }
        let statement = try Statement(
            """
            SELECT first_sequence, last_sequence, store, sequence FROM origin
            WHERE first_sequence <= ?2 AND first_sequence >=
            coalesce((SELECT max(first_sequence) FROM origin WHERE first_sequence <= ?1), 0)
            ORDER BY first_sequence
            """, on: database)
        statement.bind(1, from)
        statement.bind(2, through)
        guard try statement.step() else { return nil }
        run = Origin(statement)
        self.statement = statement
    }

    /// The name of a fix; sequences must be asked for in order.
    mutating func id(of sequence: Int64) throws(StoreError) -> FixID? {
        while let run, run.last < sequence {
            self.run = try statement.step() ? Origin(statement) : nil
        }
        guard let run, run.first <= sequence else { return nil }
        return FixID(store: run.id.store, sequence: run.id.sequence &+ (sequence - run.first))
    }
}

extension Origin {
    /// The row at hand.
    fileprivate init(_ statement: borrowing Statement) {
        first = statement.number(0)
        last = statement.number(1)
        id = FixID(store: statement.text(2) ?? "", sequence: statement.number(3))
    }
}
