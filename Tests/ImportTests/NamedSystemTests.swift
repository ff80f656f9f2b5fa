import GNSS
import Testing

@testable import Import

/// Files that name their coordinate system, as exports with `--crs` and `tracklog convert` write them.
@Suite struct NamedSystemTests {
    private static let point =
        "<trkpt lat=\"31.2\" lon=\"121.4\"><time>2026-05-01T10:00:00Z</time></trkpt>"

    @Test(arguments: [
        ("<?tracklog crs=\"gcj02\"?>", "gcj02"), ("<?tracklog crs=\"bd09\"?>", "bd09"),
        ("<?other crs=\"gcj02\"?>", nil), ("<?tracklog?>", nil), ("", nil),
    ])
    func `GPX names it by an instruction`(instruction: String, system: String?) throws {
        let text =
            "<gpx>\(instruction)<trk><trkseg>\(Self.point)</trkseg></trk></gpx>"
        for piece in [1, 4096] {
            #expect(try points(text, .gpx, piece: piece).map(\.system) == [system])
        }
    }

    @Test func `CSV names it in a column`() throws {
        let text = "time,lat,lon,crs\n2026-05-01T10:00:00Z,31.2,121.4,bd09\n"
        #expect(try points(text, .csv).map(\.system) == ["bd09"])
    }

    @Test func `JSON Lines names it in each object, a second position beside the first does not`()
        throws
    {
        let begin = "{\"time\":\"2026-05-01T10:00:0"
        let place = "Z\",\"lat\":31.2,\"lon\":121.4"
        let text = """
            \(begin)0\(place),"crs":"gcj02"}
            \(begin)1\(place)}
            \(begin)2\(place),"crs":"gcj02","crs_lat":31.1,"crs_lon":121.3}

            """
        #expect(try points(text, .jsonl).map(\.system) == ["gcj02", nil, nil])
    }

    @Test(arguments: [
        ("\"crs\":\"gcj02\"", "gcj02"), ("\"crs\": {\"type\":\"name\"},\"name\":\"a\"", nil),
        ("\"name\":\"crs\",\"title\":\"gcj02\"", nil), ("\"crs\":null,\"name\":\"gcj02\"", nil),
    ])
    func `GeoJSON names it behind its features`(member: String, system: String?) throws {
        let text = """
            {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point",\
            "coordinates":[121.4,31.2]},"properties":{"time":"2026-05-01T10:00:00Z"}}],\(member)}
            """
        var importer = TrackImporter(.geojson)
        var count = 0
        try importer.feed(Array(text.utf8)) { _ in count += 1 }
        try importer.finish { _ in count += 1 }
        #expect(count == 1)
        #expect(importer.system == system)
    }

    @Test func `a feature of an export names it among its properties`() throws {
        let text = """
            {"type":"Feature","geometry":{"type":"Point","coordinates":[121.4,31.2]},\
            "properties":{"time":"2026-05-01T10:00:00Z","coordinate_system":"GCJ-02"}}
            """
        #expect(try points(text, .geojson).map(\.system) == ["GCJ-02"])
    }
}
