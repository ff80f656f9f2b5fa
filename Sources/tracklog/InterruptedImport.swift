import GNSS
import Storage

/// What an import of a file stored before it was cut off: taken again, the file gives the same rows, and goes on in the
/// segment and with the knowledge of the track that it was cut off with.
struct InterruptedImport {
    /// Sequence of the row that comes next.
    private(set) var next: Int64

    private let last: Int64
    private let reader: TrackReader
    /// The next rows, the first of them last.
    private var rows: [RecordedFix] = []

    /// Rows that are read together.
    private static let batchSize = 8192

    /// `nil` where the last run that recorded is no interrupted import of that source.
    init?(_ store: TrackStore, source: String) throws(StoreError) {
        guard let range = try store.interruptedRows(source: source) else { return nil }
        next = range.lowerBound
        last = range.upperBound
        reader = try TrackReader(path: store.path)
    }

    /// Whether nothing more is stored.
    var isAtEnd: Bool { next > last }

    /// Whether the next row is of that fix; goes on to the one after it.
    mutating func matches(_ fix: Fix) throws(StoreError) -> Bool {
        if rows.isEmpty { try read() }
        guard let row = rows.popLast(), row.sequence == next, row.fix.time == fix.time,
            (row.fix.latitude * 1e7).rounded() == (fix.latitude * 1e7).rounded(),
            (row.fix.longitude * 1e7).rounded() == (fix.longitude * 1e7).rounded()
        else { return false }
        next += 1
        return true
    }

    private mutating func read() throws(StoreError) {
        var query = FixQuery()
        query.keptOnly = false
        query.after = next - 1
        var rows: [RecordedFix] = []
        try reader.fixes(query) {
            rows.append($0)
            return rows.count < InterruptedImport.batchSize
        }
        self.rows = rows.reversed()
    }
}
