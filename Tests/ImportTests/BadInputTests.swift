import GNSS
import Testing

@testable import Import

/// What is wrong with a file is said with its line.
@Suite struct BadInputTests {
    private static let gpx = "<gpx>\n<trk><trkseg>\n"

    @Test(arguments: [
        ("<trkpt lat=\"91\" lon=\"0\"/>", "a latitude beyond 90 degrees"),
        ("<trkpt lat=\"0\" lon=\"180.1\"/>", "a longitude beyond 180 degrees"),
        ("<trkpt lat=\"1\"/>", "a point without latitude or longitude"),
        ("<trkpt lat=\"nan\" lon=\"0\"/>", "lat is no number"),
        ("<trkpt lat=\"0x10\" lon=\"0\"/>", "lat is no number"),
        ("<trkpt lat=\"1\" lon=\"1\"><time>now</time></trkpt>", "a time that is none"),
        ("<trkpt lat=\"1\" lon=\"1\"><ele>1e99</ele></trkpt>", "alt_msl is out of range"),
    ])
    func `a point of GPX that is none is named`(point: String, message: String) {
        let error = complaint(Self.gpx + point + "\n</trkseg></trk></gpx>", .gpx)
        #expect(error == ImportError(line: 3, message: message))
    }

    @Test func `XML that is broken or cut off is named`() {
        #expect(complaint(Self.gpx + "<trkpt>", .gpx)?.line == 3)
        #expect(complaint(Self.gpx + "</wrong>", .gpx)?.line == 3)
        #expect(complaint("", .gpx) != nil)
        #expect(complaint("<html/>", .gpx)?.message == "no gpx element: not GPX")
        #expect(complaint("<gpx/>", .kml)?.message == "no kml element: not KML")
        let deep = String(repeating: "<a>", count: 300)
        #expect(complaint("<gpx>" + deep, .gpx)?.message == "elements nested too deep")
    }

    @Test(arguments: ["<!-- ", "<trkpt lat=\"1", "<a b='", "<?a "])
    func `markup without an end is refused before it costs time or memory`(begin: String) {
        let text = Self.gpx + begin + String(repeating: "x", count: 2 << 20)
        #expect(
            complaint(text, .gpx)
                == ImportError(line: 3, message: "a tag or comment of more than 1 MiB"))
    }

    @Test func `entities that grow without end are refused`() {
        var text = "<!DOCTYPE gpx [<!ENTITY a0 \"aaaaaaaaaa\">"
        for level in 1...9 {
            let inner = String(repeating: "&a\(level - 1);", count: 20)
            text += "<!ENTITY a\(level) \"\(inner)\">"
        }
        #expect(complaint(text + "]><gpx><name>&a9;</name></gpx>", .gpx) != nil)
    }

    @Test func `a KML track needs as many places as times`() {
        let text =
            "<kml><Placemark>\n<Track><when>2024-03-01T09:00:00Z</when>\n</Track></Placemark></kml>"
        #expect(complaint(text, .kml)?.line == 3)
        #expect(complaint("<kml><LineString>\n<coordinates>1,x</coordinates>", .kml)?.line == 2)
    }

    @Test(arguments: [
        ("{\"locations\":[\n{\"latitudeE7\":\"x\",\"longitudeE7\":1}]}", 2),
        ("{\"locations\":[\n{\"latitudeE7\":1,\"longitudeE7\":1,\n\"timestamp\":true}]}", 2),
        ("{\"locations\":[\n{\"latitudeE7\":1,\n\"longitudeE7\":1,}]}", 3),
        ("{\"locations\":[{}\n{}]}", 2),
        ("{\"locations\":[\n[1]]}", 2),
        ("{\"locations\":[{}\n}", 2),
        ("{\"locations\":[{}", 1),
        ("{\"lat\":1,\n\"lon\":2}\nnonsense", 3),
        ("{\"lat\":1}", 1),
        ("{\"lat\":1,\"lon\":\"a\"}", 1),
        ("", 1),
    ])
    func `JSON that is not right is named`(text: String, line: Int) {
        #expect(complaint(text, .takeout)?.line == line)
    }

    @Test(arguments: [
        ("lat,lon,time\n1,2,2024-01-01\n1,2,xx\n", 3, "a time that is none"),
        ("lat,lon\n1\n", 2, "fewer fields than the header has names"),
        ("lat,lon\n1,2\n\n1,\"2\n", 4, "a quotation mark that is not closed"),
        ("a,b\n1,2\n", 1, "no header with lat and lon"),
        ("", 1, "no header with lat and lon"),
        ("lat,lon\n1,\n", 2, "a point without latitude or longitude"),
    ])
    func `CSV that is not right is named`(text: String, line: Int, message: String) {
        #expect(complaint(text, .csv) == ImportError(line: line, message: message))
    }

    @Test(arguments: [
        ("2024-03-01T09:00:00Z\t*\t{\"_type\":\"location\",\"lat\":1}\n", 1),
        ("\n2024-03-01T09:00:00Z\t*\t{\"_type\":\n", 2),
        ("hello\n", 1),
    ])
    func `OwnTracks lines that are not right are named`(text: String, line: Int) {
        #expect(complaint(text, .owntracks)?.line == line)
    }

    @Test func `what is no track is not taken for one`() {
        for text in ["", "hello\n", "$GPRMC,,V,,,,,,,,,,N*53\n", "<html></html>", "{\"a\":1}"] {
            #expect(ImportFormat.guess(text.utf8) == nil, "\(text)")
        }
        #expect(ImportFormat.guess("{\"class\":\"TPV\",\"lat\":1,\"lon\":2}".utf8) == nil)
    }
}
