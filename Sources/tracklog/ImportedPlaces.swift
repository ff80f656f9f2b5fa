import GNSS
import Import
import Storage

/// Where the points of a file are in the database already, by time and place; looked up a batch at a time.
struct ImportedPlaces {
    /// A place at a time, as exactly as the database has it.
    struct Key: Hashable {
        var time: Int64
        var latitude: Int64
        var longitude: Int64

        /// `nil` for a fix without a date, of which nothing can be told apart.
        init?(_ fix: Fix) {
            guard let time = fix.time, fix.latitude.magnitude <= 90, fix.longitude.magnitude <= 180
            else { return nil }
            self.time = time.milliseconds
            // What rounds to the same 1e-7 degrees is the same place.
            latitude = Int64((fix.latitude * 1e7).rounded())
            longitude = Int64((fix.longitude * 1e7).rounded())
        }
    }

    /// The first sequence of this file; what is stored before it is another's.
    var first: Int64

    private let path: String
    private var found: [Key: Int64] = [:]
    /// All places of the few times that many points share, so that they are not read again with every batch.
    private var crowd: (times: Set<Int64>, places: [Key: Int64]) = ([], [:])
    private var isCrowded = false

    /// As many points of a batch a time make a crowd.
    private static let crowded = 16

    init(path: String, from first: Int64) {
        self.path = path
        self.first = first
    }

    /// 0 for what another recorded, else where this file's was; `nil` for a new one.
    subscript(key: Key) -> Int64? {
        let place = isCrowded ? crowd.places[key] : found[key]
        return place.map { $0 < first ? 0 : $0 }
    }

    /// The row of what another recorded.
    func earlier(_ key: Key) -> Int64? {
        (isCrowded ? crowd.places[key] : found[key]).flatMap { $0 < first ? $0 : nil }
    }

    /// Takes note of what was recorded.
    mutating func add(_ key: Key, at sequence: Int64) {
        guard crowd.times.contains(key.time) else { return }
        crowd.places[key] = min(crowd.places[key] ?? sequence, sequence)
    }

    /// Looks the points of a batch up.
    mutating func look(up points: [ImportedPoint]) throws {
        var wanted: Set<Key> = []
        for point in points { if let key = Key(point.fix) { wanted.insert(key) } }
        let times = Set(wanted.map(\.time))
        isCrowded = times.count * ImportedPlaces.crowded < points.count
        guard isCrowded else {
            found = try read(times) { wanted.contains($0) }
            return
        }
        guard !times.isSubset(of: crowd.times) else { return }
        crowd = (times, try read(times) { times.contains($0.time) })
    }

    private func read(
        _ times: Set<Int64>, _ isWanted: (Key) -> Bool
    ) throws -> [Key: Int64] {
        guard let first = times.min(), let last = times.max() else { return [:] }
        var query = FixQuery()
        query.since = UTCTime(milliseconds: first)
        query.until = UTCTime(milliseconds: last)
        query.keptOnly = false
        var places: [Key: Int64] = [:]
        try TrackReader(path: path).forEach(query) { record in
            guard let key = Key(record.fix), isWanted(key) else { return }
            places[key] = min(places[key] ?? record.sequence, record.sequence)
        }
        return places
    }
}
