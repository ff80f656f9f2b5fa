import CSQLite

/// Map tiles in one SQLite file (MBTiles 1.3, by Mapbox), opened for reading.
public final class TileArchive {
    private let database: Database
    private let path: String

    /// Opens an archive.
    public init(path: String) throws(StoreError) {
        self.path = path
        guard StoreFile.size(of: path) > 0 else {
            throw StoreError(.cannotOpen, path: path, detail: "no such file")
        }
        database = try Database(path: path, access: .immutable)
        _ = try database.number("SELECT count(*) FROM (SELECT 1 FROM tiles LIMIT 1)")
    }

    /// The zoom levels it has; `nil` when it is empty.
    public func zooms() throws(StoreError) -> ClosedRange<Int>? {
        guard let low = try database.number("SELECT min(zoom_level) FROM tiles"),
            let high = try database.number("SELECT max(zoom_level) FROM tiles"), low >= 0,
            low <= high, high <= 30
        else { return nil }
        return Int(low)...Int(high)
    }

    /// What its metadata say under a name, as `attribution`.
    public func metadata(_ name: String) throws(StoreError) -> String? {
        let statement = try Statement("SELECT value FROM metadata WHERE name = ?", on: database)
        statement.bind(1, text: name)
        return try statement.step() ? statement.text(0) : nil
    }

    /// The picture of a tile, rows counted from the north; `nil` when it is not there.
    public func tile(zoom: Int, column: Int, row: Int) throws(StoreError) -> [UInt8]? {
        let statement = try Statement(
            """
            SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
            """, on: database)
        statement.bind(1, Int64(zoom))
        statement.bind(2, Int64(column))
        // MBTiles counts rows from the south, as TMS does.
        statement.bind(3, (Int64(1) << Int64(max(0, min(30, zoom)))) - 1 - Int64(row))
        return try statement.step() ? statement.blob(0) : nil
    }
}
