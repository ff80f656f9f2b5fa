import GNSS
import Testing

@testable import Import

/// Files as other programs write them.
@Suite struct FormatTests {
    // 2024-03-01T09:00:00Z, by `date -u -d @1709283600`.
    private let nine = UTCTime(milliseconds: 1_709_283_600_000)

    @Test func `GPX 1.0 has speed and course beside the time`() throws {
        let found = try points(
            """
            <?xml version="1.0"?>
            <gpx version="1.0" creator="x" xmlns="http://www.topografix.com/GPX/1/0">
            <wpt lat="1" lon="2"/><rte><rtept lat="1" lon="2"/></rte>
            <trk><trkseg><trkpt lat="48.1" lon="11.5"><ele>519.5</ele>
            <time>2024-03-01T10:00:00+01:00</time><course>90</course><speed>2.5</speed>
            <fix>3d</fix><sat>7</sat><hdop>1.1</hdop></trkpt></trkseg></trk></gpx>
            """, .gpx)
        let fix = try #require(found.first?.fix)
        #expect(found.count == 1)
        #expect(fix.time == nine)
        #expect(fix.speed == 2.5 && fix.course == 90 && fix.altitudeMSL == 519.5)
        #expect(fix.mode == .threeD && fix.satellitesUsed == 7 && fix.dop.hdop == 1.1)
    }

    @Test func `waypoints and planned routes are left out and counted`() throws {
        var importer = TrackImporter(.gpx)
        let text = """
            <gpx><wpt lat="1" lon="2"><name>home</name></wpt>
            <rte><rtept lat="1" lon="2"/><rtept lat="1" lon="2"/></rte></gpx>
            """
        try importer.feed(Array(text.utf8)) { _ in Issue.record("a point that was never a fix") }
        try importer.finish { _ in }
        #expect(importer.leftOut.map(\.kind) == [.waypoint, .routePoint])
        #expect(importer.leftOut.map(\.count) == [1, 2])
    }

    @Test func `UTF-16 and prefixes of the file's own choice are read`() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-16"?><g:gpx xmlns:g="http://www.topografix.com/GPX/1/1">\
            <g:trk><g:trkseg><g:trkpt lat="1.5" lon="2.5"/></g:trkseg></g:trk></g:gpx>
            """
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
        var importer = TrackImporter(.gpx)
        var found: [ImportedPoint] = []
        try importer.feed(bytes) { found.append($0) }
        try importer.finish { found.append($0) }
        #expect(found.map(\.fix.latitude) == [1.5])
    }

    @Test func `KML tracks may have times and places by turns or one after the other`() throws {
        let turns = """
            <kml xmlns:gx="g"><Placemark><gx:Track><altitudeMode>absolute</altitudeMode>
            <when>2024-03-01T09:00:00Z</when><gx:coord>11.5 48.1 519</gx:coord>
            <when>2024-03-01T09:00:01Z</when><gx:coord>11.6 48.2 520</gx:coord>
            </gx:Track></Placemark></kml>
            """
        let sequences = """
            <kml xmlns="http://www.opengis.net/kml/2.3"><Placemark><Track>
            <altitudeMode>absolute</altitudeMode>
            <when>2024-03-01T09:00:00Z</when><when>2024-03-01T09:00:01Z</when>
            <coord>11.5 48.1 519</coord><coord>11.6 48.2 520</coord></Track></Placemark></kml>
            """
        let found = try points(turns, .kml)
        #expect(found == (try points(sequences, .kml)))
        #expect(found.map(\.fix.altitudeMSL) == [519, 520])
        #expect(found.first?.fix.time == nine)
        #expect(found.map(\.fix.longitude) == [11.5, 11.6])
    }

    @Test func `KML points count when they have a time, lines as tracks without one`() throws {
        let found = try points(
            """
            <kml><Document><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>
            <Placemark><TimeStamp><when>2024-03-01T09:00:00Z</when></TimeStamp>
            <Point><coordinates> 11.5,48.1,0 </coordinates></Point></Placemark>
            <Placemark><LineString><altitudeMode>absolute</altitudeMode><coordinates>
            3,4,5
            6,7,8</coordinates></LineString></Placemark>
            <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,1 0,1 0,0
            </coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>
            """, .kml)
        #expect(found.map(\.fix.latitude) == [48.1, 4, 7])
        #expect(found.map(\.fix.time) == [nine, nil, nil])
        #expect(found.map(\.fix.altitudeMSL) == [nil, 5, 8])
    }

    @Test func `GeoJSON points of Overland and gpslogger are fixes`() throws {
        let found = try points(
            """
            {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[11.5,48.1]},
            "properties":{"timestamp":"2024-03-01T09:00:00Z","altitude":519,"speed":-1,"course":-1,
            "horizontal_accuracy":12,"vertical_accuracy":-1,"motion":["walking"]}},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[11.5,48.2]},"properties":{
            "time":"2024-03-01T09:00:01.000Z","provider":"gps","bearing":30,"speed":1.5}}]}
            """, .geojson)
        #expect(found.count == 2)
        let fix = try #require(found.first?.fix)
        #expect(fix.time == nine && fix.altitudeMSL == 519 && fix.errors.eph == 12)
        #expect(fix.speed == nil && fix.course == nil && fix.errors.epv == nil)
        #expect(found[1].fix.course == 30)
    }

    @Test func `a single feature, a geometry and a text sequence are GeoJSON too`() throws {
        let feature = """
            {"properties":{"coordTimes":["2024-03-01T09:00:00Z",null]},"type":"Feature",
            "geometry":{"coordinates":[[11.5,48.1],[11.6,48.2,7]],"type":"LineString"}}
            """
        #expect(try points(feature, .geojson).map(\.fix.time) == [nine, nil])
        #expect(try points("\u{1E}\(feature)\n\u{1E}\(feature)\n", .geojson).count == 4)
        let geometry = #"{"type":"LineString","coordinates":[[11.5,48.1],[11.6,48.2]]}"#
        #expect(try points(geometry, .geojson).map(\.fix.longitude) == [11.5, 11.6])
    }

    @Test func `CSV is read by the names of its columns, whatever separates them`() throws {
        let comma =
            "\u{FEFF}name,latitude,longitude,elevation,time,speed\r\n"
            + "\"a \"\"b\"\",\nc\",48.1,11.5,519.5,2024-03-01 09:00:00,1.5\r\n"
        let semicolon = "Date;Time;Lat;Lon;Ele\n2024/03/01;09:00:00;48,1;11,5;519,5\n"
        for text in [comma, semicolon] {
            #expect(ImportFormat.guess(text.utf8) == .csv)
            let fix = try #require(try points(text, .csv).first?.fix)
            #expect(fix.time == nine && fix.latitude == 48.1 && fix.longitude == 11.5)
            #expect(fix.altitudeMSL == 519.5)
        }
        let tabs = "lat\tlon\ttimestamp\n48.1\t11.5\t1709283600\n48.1\t11.5\t1709283600000\n"
        #expect(try points(tabs, .csv).map(\.fix.time) == [nine, nine])
    }

    @Test func `a letter beside a name is no place and no time`() throws {
        // Loggers write the axes of an accelerometer and a temperature beside the place.
        let csv = "x,y,t,lat,lon,time\n0.1,9.8,21,48.1,11.5,2024-03-01T09:00:00Z\n"
        let json = """
            {"x":0.1,"lat":48.1,"y":"up","lon":11.5,"time":"2024-03-01T09:00:00Z","t":21}
            """
        for (text, format) in [(csv, ImportFormat.csv), (json, .jsonl)] {
            let fix = try #require(try points(text, format).first?.fix)
            #expect(fix.latitude == 48.1 && fix.longitude == 11.5 && fix.time == nine)
        }
        let alone = try #require(try points("t,x,y\n1709283600,11.5,48.1\n", .csv).first?.fix)
        #expect(alone.latitude == 48.1 && alone.longitude == 11.5 && alone.time == nine)
    }

    @Test(arguments: [
        "<when>2024-03-01T09:00:00Z</when><when/><coord>1 2 3</coord><coord>4 5</coord>",
        "<coord>1 2 3</coord><coord>4 5</coord><when>2024-03-01T09:00:00Z</when><when/>",
        "<when>2024-03-01T09:00:00Z</when><coord>1 2 3</coord><coord>4 5</coord><when/>",
    ])
    func `times and places of a KML track come in any order`(track: String) throws {
        let text = "<kml><Placemark><Track>\(track)</Track></Placemark></kml>"
        let found = try points(text, .kml).map(\.fix)
        #expect(found.map(\.time) == [nine, nil])
        #expect(found.map(\.latitude) == [2, 5] && found.map(\.longitude) == [1, 4])
        #expect(found.map(\.altitudeMSL) == [3, nil])
    }

    @Test func `a line of GeoJSON is read as it lies, however it is written`() throws {
        let spaced = """
            {"type":"Feature","properties":{"name":"a \\"coordinates\\":[[","coordTimes" :
            [ "2024-03-01T09:00:00Z" , null,1709283600 ]},"geometry":{"type":"LineString",
            "coordinates" : [ [ 1 , 2 ,3],
            [4,5 , null], [-6e0,7.5,8,9 ]] }}
            """
        let found = try points(spaced, .geojson).map(\.fix)
        #expect(found.map(\.longitude) == [1, 4, -6] && found.map(\.latitude) == [2, 5, 7.5])
        #expect(found.map(\.altitudeHAE) == [3, nil, 8])
        #expect(found.map(\.time) == [nine, nil, nine])
        // Each line of several begins one, but for those that were cut at the antimeridian.
        let parts = """
            {"type":"MultiLineString","coordinates":[[[1,1],[2,2]],[],[[3,3]],[[4,4],[180,5]],
            [[-180,5],[-179,6]]]}
            """
        let several = try points(parts, .geojson)
        #expect(several.map(\.fix.longitude) == [1, 2, 3, 4, -179])
        #expect(several.map(\.beginsSegment) == [true, false, true, true, false])
    }

    @Test func `a fix at the antimeridian with a name of its own is no end of a cut`() throws {
        let store = String(repeating: "a", count: 32)
        func line(_ sequences: String) -> String {
            """
            {"type":"Feature","id":"\(store)-1","properties":{"sequences":\(sequences)},"geometry":
            {"type":"MultiLineString","coordinates":[[[179,5],[180,5]],[[-180,5],[-179,5]]]}}
            """
        }
        let fix = try points(line("[[1,2],[null,3]]"), .geojson)
        #expect(fix.map(\.fix.longitude) == [179, 180, -179])
        #expect(fix.map(\.id?.sequence) == [1, 2, 3])
        #expect(fix.map(\.beginsSegment) == [true, false, false])
        let cut = try points(line("[[1,null],[null,2]]"), .geojson)
        #expect(cut.map(\.id?.sequence) == [1, 2])
    }

    @Test(arguments: [
        "[[1,2] [3,4]]", "[[1,2],]", "[[1,2],3]", "[[1,2],{}]", "[[1,\"2\"]]", "[[1]]", "[[1,2,]]",
        "[[,1,2]]", "[[1 2]]", "[[null,2]]", "[[1,2],[]]", "[[[1,2]]]", "[[1,2e999]]", "[1,2]",
    ])
    func `a line of GeoJSON that is none is refused`(coordinates: String) {
        let text = "\n{\"type\":\"LineString\",\"coordinates\":\(coordinates)}"
        #expect(complaint(text, .geojson)?.line == 2)
    }

    @Test(arguments: [
        "[\"2024-03-01T09:00:00Z\"]", "[null,null,null]", "[null,\"x\"]", "[null,{}]",
    ])
    func `times that are not those of the line are refused`(times: String) {
        let text = """
            {"type":"Feature","properties":{"coordTimes":\(times)},
            "geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}
            """
        #expect(complaint(text, .geojson) != nil)
    }

    @Test func `times of the hour that is repeated do not run backwards`() throws {
        // Europe/Paris puts its clocks back on 2026-10-25 at 01:00 UTC (tz database).
        let change = try #require(UTCTime("2026-10-25T01:00:00Z"))
        let text = """
            time,lat,lon
            2026-10-25T01:59:00,48,11
            2026-10-25T02:30:00,48,11
            2026-10-25T02:59:00,48,11
            2026-10-25T02:01:00,48,11
            2026-10-25T02:30:00,48,11
            2026-10-25T03:00:00,48,11

            """
        for piece in [1, 4096] {
            let found = try points(text, .csv, piece: piece) {
                $0 < change ? 7_200_000 : 3_600_000
            }
            let times = found.compactMap { $0.fix.time.map { "\($0)".dropFirst(11).prefix(5) } }
            #expect(times == ["23:59", "00:30", "00:59", "01:01", "01:30", "02:00"])
        }
    }

    @Test func `a time without a zone is in the zone that was asked for`() throws {
        let text = "time,lat,lon\n2024-03-01 10:00:00,1,2\n2024-03-01T10:00:00+01:00,1,2\n"
        let found = try points(text, .csv, zone: { _ in 3_600_000 })
        #expect(found.map(\.fix.time) == [nine, nine])
    }

    @Test func `OwnTracks has km per hour, seconds and what is not a location`() throws {
        let text = """
            2024-03-01T09:00:00Z\t*                 \t{"_type":"location","lat":48.1,"lon":11.5,\
            "tst":1709283600,"vel":36,"cog":90,"acc":8,"alt":519,"vac":3,"batt":80,"tid":"ab"}
            2024-03-01T09:00:05Z\tlwt               \t{"_type":"lwt","tst":1709283600}
            2024-03-01T09:00:06Z\t*                 \t{"_type":"encrypted","data":"AAAA"}

            """
        #expect(ImportFormat.guess(text.utf8) == .owntracks)
        let fix = try #require(try points(text, .owntracks).first?.fix)
        #expect(try points(text, .owntracks).count == 1)
        #expect(fix.time == nine && fix.speed == 10 && fix.course == 90)
        #expect(fix.errors.eph == 8 && fix.errors.epv == 3 && fix.altitudeMSL == 519)
    }
}
