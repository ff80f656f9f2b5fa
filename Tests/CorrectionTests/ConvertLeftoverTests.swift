import Correction
import Geodesy
import Testing

/// Nothing that looks like a position leaves unconverted without a word.
@Suite struct ConvertLeftoverTests {
    private struct Outcome {
        var text = ""
        var warnings: [String] = []
    }

    private func convert(
        _ text: String, _ format: ConvertFormat, step: Int = .max
    ) throws(ConvertError) -> Outcome {
        var filter = ConvertFilter(ConvertOptions(from: .gcj02, to: .wgs84), format: format)
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try filter.feed(Array(rest.prefix(step)).span, into: &output)
            rest = rest.dropFirst(step)
        }
        try filter.finish(into: &output)
        return Outcome(text: String(decoding: output, as: UTF8.self), warnings: filter.warnings)
    }

    // Row is001 of inverse_vectors.csv.
    private static let gcj02 = ("31.218398", "121.434559")
    private static let wgs84 = ("31.2202548647", "121.4299290331")

    @Test(arguments: ["\r", "\n", "\r\n"], [1, 3, Int.max])
    func `lines and rows end in any line break`(end: String, step: Int) throws {
        func lines(_ place: (String, String)) -> String {
            "\(place.0) \(place.1)\(end)\(place.0) \(place.1)\(end)\(end)"
        }
        #expect(try convert(lines(Self.gcj02), .lines, step: step).text == lines(Self.wgs84))
        func rows(_ place: (String, String)) -> String {
            "\"a,\"\"b\",lat,lon,c\(end)\"1,2\",\(place.0),\(place.1),6\" pipe\(end)"
                + "x,\(place.0),\(place.1),7\" pipe\(end)"
        }
        #expect(try convert(rows(Self.gcj02), .csv, step: step).text == rows(Self.wgs84))
    }

    @Test(arguments: [
        ("lat,lon\n1,2\n\"30,114\n", ConvertFormat.csv, 3, "a quote is not closed"),
        ("lat,lon,c\n1,2,\"a\n30,114,\"b\"\n", .csv, 2, "a quote is not closed"),
        ("lat,lon,lat\n30,114,31\n", .csv, 1, "which column is it: lat, lat?"),
        ("a,lat,lon\n30;114\n", .csv, 2, "a row of fewer columns than the header has"),
        (
            "<?xml version='1.0'?>\n<kml><coordinates>114,30</coordinates></kml>", .gpx, 2,
            "a document <kml>: what can be converted is GPX, GeoJSON, CSV and lines of two numbers"
        ),
        ("<gpx>\n<wpt lat='30' lon='114'>", .gpx, 2, "the file is cut short"),
        ("<!-- nothing -->", .gpx, 1, "no GPX"),
        ("<gpx></gpx></gpx>", .gpx, 1, "an end without a begin"),
        ("<gpx><bounds minlat='1' maxlat='2'/></gpx>", .gpx, 1, "bounds without lat and lon"),
        (
            "{\"type\":\"Point\",\n\"coordinates\":[\"114\",\"30\"]}", .geoJSON, 2,
            "a position in quotes"
        ),
        ("{\"coordinates\":\"114,30\"}", .geoJSON, 1, "a position in quotes"),
        ("{\"coordinates\":{\"lat\":30}}", .geoJSON, 1, "not a position"),
        ("{\"coordinates\":[[114,30],31]}", .geoJSON, 1, "not a position"),
        ("{\"coordinates\":[114,30,115,31,116,32]}", .geoJSON, 1, "not a position"),
        ("{\"coordinates\":[114,30,[115,31]]}", .geoJSON, 1, "a bracket that closes another"),
        ("{\"lat\":30,\"lon\":114}", .geoJSON, 1, "no GeoJSON: no geometry in it"),
        ("[[114,30],\n[115,31]]", .geoJSON, 2, "no GeoJSON: no geometry in it"),
        ("{\"arcs\":[[[114,30]]]}", .geoJSON, 1, "TopoJSON: what can be converted is GeoJSON"),
    ])
    func `a position that cannot be converted is refused with its line`(
        text: String, format: ConvertFormat, line: Int, message: String
    ) {
        for step in [1, Int.max] {
            #expect(throws: ConvertError(line: line, reason: .malformed(message))) {
                try convert(text, format, step: step)
            }
        }
    }

    @Test func `points of GPX extensions are converted`() throws {
        func route(_ place: (String, String)) -> String {
            "<gpx><rte><x:rpt lat='\(place.0)' lon='\(place.1)'/></rte></gpx>"
        }
        #expect(try convert(route(Self.gcj02), .gpx).text == route(Self.wgs84))
    }

    @Test(arguments: [
        (
            "lat,lon,end_lat,plate\n31,121,30,5\n", ConvertFormat.csv,
            "column end_lat stays as it is"
        ),
        ("lat,lon\n", .csv, "no position in it: nothing was converted"),
        ("<gpx/>", .gpx, "no position in it: nothing was converted"),
        ("# 30 114\n", .lines, "no position in it: nothing was converted"),
        (
            "{\"type\":\"FeatureCollection\",\"features\":[]}", .geoJSON,
            "no position in it: nothing was converted"
        ),
        ("48.8 2.3\n", .lines, "no position lies where the map shifts: all stay as they are"),
        ("31 121\n48.8 2.3\n", .lines, ""),
    ])
    func `what stays as it is is told`(
        text: String, format: ConvertFormat, warning: String
    ) throws {
        let outcome = try convert(text, format)
        #expect(outcome.warnings == (warning.isEmpty ? [] : [warning]))
    }
    @Test func `what an export tells people of its system goes with it`() throws {
        func file(_ place: (String, String), _ note: String) -> String {
            "<gpx><metadata><desc>ele is in metres\(note)</desc></metadata>"
                + "<wpt lat=\"\(place.0)\" lon=\"\(place.1)\"/></gpx>"
        }
        let note = "; positions are in GCJ-02, not WGS 84"
        #expect(try convert(file(Self.gcj02, note), .gpx).text == file(Self.wgs84, ""))
        let other = "; positions are in GCJ-02, not WGS 84, he said"
        #expect(try convert(file(Self.gcj02, other), .gpx).text == file(Self.wgs84, other))
    }
}
