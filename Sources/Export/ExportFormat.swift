/// The file formats a track can be exported to.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// GPX 1.1 with Garmin's TrackPointExtension v2.
    case gpx
    /// GeoJSON, RFC 7946.
    case geojson
    /// Comma-separated values, RFC 4180, with a header.
    case csv
    /// JSON Lines: one object a fix, as `tracklog decode` gives.
    case jsonl
    /// KML 2.2 with `gx:Track`.
    case kml
    /// NMEA 0183, which a replay takes.
    case nmea
    /// JSON as gpsd sends it, which a replay takes.
    case gpsd

    /// Whether the format is of the track alone, as one that draws lines is; such a format takes kept fixes only.
    public var isLine: Bool {
        switch self {
        case .gpx, .geojson, .kml, .nmea, .gpsd: true
        case .csv, .jsonl: false
        }
    }

    /// The media type, for those who send the file somewhere.
    public var mediaType: String {
        switch self {
        case .gpx: "application/gpx+xml"
        case .geojson: "application/geo+json"
        case .csv: "text/csv"
        case .jsonl: "application/jsonl"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .nmea: "text/plain"
        case .gpsd: "application/jsonl"
        }
    }
}

/// Which position of a fix is exported.
public enum ExportPosition: String, CaseIterable, Sendable {
    /// As received, in WGS 84.
    case raw
    /// After the configured correction; as received where there was none.
    case corrected
}

/// What an exported file says about itself.
public struct ExportInfo: Equatable, Sendable {
    /// Name of the track.
    public var name: String
    /// Program and version that wrote the file.
    public var creator: String
    /// Name of the coordinate system when it is not WGS 84, as GeoJSON, GPX and KML would have it.
    public var coordinateSystem: String?
    /// The same as conversions and imports read it; `nil` for WGS 84.
    var systemWord: String? {
        coordinateSystem.map { $0.lowercased().filter { $0 != "-" } }
    }
    /// The instruction that tells programs so, as `tracklog convert` writes and import reads it; empty for WGS 84.
    var instruction: String {
        systemWord.map { "<?tracklog crs=\"\($0)\"?>" } ?? ""
    }
    /// Name of the database, which with a fix's sequence names it for ever; `nil` names no fix.
    public var store: String?

    /// A description of a file.
    public init(name: String, creator: String, coordinateSystem: String? = nil) {
        self.name = name
        self.creator = creator
        self.coordinateSystem = coordinateSystem
    }
}
