extension TrackStore {
    /// Replayed logs that were decoded with these settings, most bytes first.
    ///
    /// A new input continues the first of them whose ``StoredSource/bytes`` it begins with, told by the hash; its
    /// first ``StoredSource/fixes`` decoded fixes are stored already.
    public func storedSources(settings: String) throws(StoreError) -> [StoredSource] {
        guard let database = writer?.database else { return [] }
        let statement = try Statement(
            "SELECT id, bytes, hash, fixes FROM source WHERE settings = ? ORDER BY bytes DESC, id",
            on: database)
        statement.bind(1, text: settings)
        var sources: [StoredSource] = []
        while try statement.step() {
            sources.append(
                StoredSource(
                    id: Int32(truncatingIfNeeded: statement.number(0)),
                    bytes: statement.number(1), hash: UInt64(bitPattern: statement.number(2)),
                    fixes: statement.number(3)))
        }
        return sources
    }

    /// Registers a log that is replayed for the first time.
    ///
    /// - Returns: its number for ``updateSource(_:bytes:hash:fixes:)``.
    public func addSource(kind: String, name: String, settings: String) -> Int32 {
        ids.source &+= 1
        put(.source(ids.source, kind: kind, name: name, settings: settings))
        return ids.source
    }

    /// Says how far a log was taken; durable together with the fixes.
    public func updateSource(_ id: Int32, bytes: Int64, hash: UInt64, fixes: Int64) {
        put(.progress(id, bytes: bytes, hash: hash, fixes: fixes))
    }
}
