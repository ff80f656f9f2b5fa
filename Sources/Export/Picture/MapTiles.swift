/// One tile of a map.
public struct MapTile: Equatable, Sendable {
    /// Zoom level.
    public var zoom: Int
    /// Column, from the west.
    public var column: Int
    /// Row, from the north.
    public var row: Int
}

extension TrackPicture {
    /// The tiles that lie under the drawing, for a picture so many pixels wide.
    ///
    /// - Parameter zooms: the zoom levels that there are.
    public func tiles(pixels: Double = 1200, zooms: ClosedRange<Int> = 0...19) -> [MapTile] {
        guard !isEmpty else { return [] }
        let frame = MapFrame(self)
        // A tile is 256 pixels of 1 / 2^zoom of the world.
        var zoom = zooms.lowerBound
        while zoom < zooms.upperBound,
            frame.width * 256 * MapTile.count(zoom + 1) <= pixels * 1.5
        {
            zoom += 1
        }
        let count = MapTile.count(zoom)
        let columns =
            Int((frame.west * count).rounded(.down))...Int((frame.east * count).rounded(.down))
        let top = max(0, Int((frame.north * count).rounded(.down)))
        let bottom = min(Int(count) - 1, Int((frame.south * count).rounded(.down)))
        guard top <= bottom else { return [] }
        return columns.flatMap { column in
            (top...bottom).map { MapTile(zoom: zoom, column: column, row: $0) }
        }
    }
}

extension MapTile {
    /// Tiles of a side of the world.
    static func count(_ zoom: Int) -> Double {
        Double(Int64(1) << Int64(max(0, min(30, zoom))))
    }

    /// The column counted within one world: a track over the antimeridian goes on in the next.
    public var wrappedColumn: Int {
        let count = 1 << max(0, min(30, zoom))
        return ((column % count) + count) % count
    }
}

/// The part of the world that is drawn, with room around the track, in Web Mercator.
struct MapFrame {
    let west: Double
    let north: Double
    let width: Double
    let height: Double
    var east: Double { west + width }
    var south: Double { north + height }

    /// Width to height of the drawing at the most extreme.
    private static let narrowest = 1.25
    private static let widest = 1.9

    init(_ picture: TrackPicture) {
        // At least 200 m: one place is not drawn as a continent nor as a speck.
        let middle = (picture.north + picture.south) / 2
        let least = 200 / max(1, Mercator.metres(atY: middle))
        var width = max(picture.east - picture.west, least) * 1.16
        var height = max(picture.south - picture.north, least) * 1.16
        height = max(height, width / MapFrame.widest)
        width = max(width, height * MapFrame.narrowest)
        west = (picture.west + picture.east - width) / 2
        north = middle - height / 2
        self.width = width
        self.height = height
    }
}
