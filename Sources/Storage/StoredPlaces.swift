public import GNSS

/// Which fixes a database had when a replay began, by their time and place.
///
/// A fix of the same millisecond at the same 1e-7 degrees is the same fix, whatever file it comes from. Looking up costs
/// nothing outside of the times that the database spans; inside, an hour of it is held in memory at a time.
public final class StoredPlaces {
    private struct Place: Hashable {
        var time: Int64
        var latitude: Int64
        var longitude: Int64

        /// The place of a row, or of the row that a fix will have.
        init(_ time: Int64, _ latitude: Int64, _ longitude: Int64, isFine: Bool) {
            self.time = time
            self.latitude = isFine ? Place.coarse(latitude) : latitude
            self.longitude = isFine ? Place.coarse(longitude) : longitude
        }

        /// 1e-9 degrees in 1e-7, rounded as other programs round them.
        private static func coarse(_ degrees: Int64) -> Int64 {
            (degrees + (degrees < 0 ? -50 : 50)) / 100
        }
    }

    private let store: TrackStore
    /// What was recorded later is not asked for.
    private let newest: Int64
    /// The earliest and the latest time of all; `nil` when there is none.
    private let span: ClosedRange<Int64>?
    /// The times that are held in memory.
    private var held: ClosedRange<Int64>?
    private var sequences: [Place: Int64] = [:]

    /// Milliseconds that are read together, and how many of them lie before what is asked for: stragglers come.
    private static let stretch: Int64 = 3_600_000
    private static let before: Int64 = 60_000

    /// Takes note of what is durable now.
    init(_ store: TrackStore) throws(StoreError) {
        self.store = store
        newest = store.durableSequence
        guard let database = store.writer?.database, newest > 0 else {
            span = nil
            return
        }
        span = try StoredPlaces.span(of: database)
    }

    private static func span(of database: Database) throws(StoreError) -> ClosedRange<Int64>? {
        var (from, to) = try ChunkGroups.times(in: database)
        let lastChunk = try database.number("SELECT max(id) FROM chunk") ?? -1
        let rows = try RowCursor(
            database, from: (lastChunk &+ 1) << Schema.chunkShift, through: .max)
        while let (_, row) = try rows.next() {
            guard let time = row.milliseconds else { continue }
            from = min(from ?? time, time)
            to = max(to ?? time, time)
        }
        guard let from, let to, from <= to else { return nil }
        return from...to
    }

    /// Whether a fix of that time can have been there: the quick answer.
    public func mayHave(_ time: UTCTime) -> Bool {
        span?.contains(time.milliseconds) ?? false
    }

    /// The sequence of a fix that was there; `nil` for one that is new, and for one without a date.
    public func sequence(of fix: Fix) throws(StoreError) -> Int64? {
        guard let span, let time = fix.time?.milliseconds, span.contains(time) else { return nil }
        if held?.contains(time) != true { try read(at: time) }
        guard !sequences.isEmpty else { return nil }
        let isFine = FixRow.isFine(fix)
        guard let latitude = scaled(fix.latitude, isFine ? 1e9 : 1e7),
            let longitude = scaled(fix.longitude, isFine ? 1e9 : 1e7)
        else { return nil }
        return sequences[Place(time, latitude, longitude, isFine: isFine)]
    }

    private func read(at time: Int64) throws(StoreError) {
        held = nil
        sequences.removeAll(keepingCapacity: true)
        // A file that cannot be read now is asked again with the next fix: rather twice in it than lost.
        guard let database = store.writer?.database else { return }
        let times = time - StoredPlaces.before...time + StoredPlaces.stretch
        var query = FixQuery()
        query.keptOnly = false
        query.since = UTCTime(milliseconds: times.lowerBound)
        query.until = UTCTime(milliseconds: times.upperBound)
        for piece in try query.pieces(of: 1...newest, in: database) {
            for part in try query.parts(of: piece, in: database) {
                let rows = try RowCursor(database, from: part.lowerBound, through: part.upperBound)
                while let (sequence, row) = try rows.next() {
                    guard query.admits(row), let time = row.milliseconds else { continue }
                    let place = Place(
                        time, row.latitude, row.longitude,
                        isFine: row.quality >> FixRow.Quality.fine & 1 == 1)
                    if sequences[place] == nil { sequences[place] = sequence }
                }
            }
        }
        held = times
    }
}

extension TrackStore {
    /// Looks up what is in the database already; to be asked before anything is recorded.
    public func storedPlaces() throws(StoreError) -> StoredPlaces {
        try StoredPlaces(self)
    }
}
