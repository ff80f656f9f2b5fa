import Foundation
#if canImport(FoundationXML)
    import FoundationXML
#endif
import GNSS
import Testing

@testable import Export

/// Readers nobody here wrote: gpsbabel for the points, xmllint for the syntax.
@Suite struct ReaderTests {
    private struct Point: Equatable {
        var latitude: Double
        var longitude: Double
        var elevation: String
        var time: String
    }

    /// The track points of a file as gpsbabel understands it.
    private func points(_ text: String, _ format: String) throws -> [[Point]]? {
        guard isInstalled("gpsbabel") else { return nil }
        let gpx = try run(
            ["gpsbabel", "-r", "-t", "-i", format, "-f", "-", "-o", "gpx,gpxver=1.1", "-F", "-"],
            input: text)
        let document = try XMLReader(try #require(gpx))
        return document.segments.map { segment in
            segment.map {
                Point(
                    latitude: $0.latitude, longitude: $0.longitude, elevation: $0.elevation,
                    time: $0.time)
            }
        }
    }

    private func expected(longitude: (Double) -> Double = { $0 }) -> [[Point]] {
        [1, 2].map { segment in
            awkward.filter { $0.segment == segment }.map {
                Point(
                    latitude: $0.fix.latitude, longitude: longitude($0.fix.longitude),
                    elevation: "408.100", time: ($0.fix.time?.description ?? ""))
            }
        }
    }

    /// Within what gpsbabel's nine decimals can say.
    private func expectSame(_ found: [[Point]], _ wanted: [[Point]]) {
        #expect(found.map(\.count) == wanted.map(\.count))
        for (a, b) in zip(found.joined(), wanted.joined()) {
            #expect(abs(a.latitude - b.latitude) <= 1.1e-9)
            #expect(abs(a.longitude - b.longitude) <= 1.1e-9)
            #expect(a.elevation == b.elevation)
            #expect(a.time == b.time)
        }
    }

    @Test func `gpsbabel reads GPX back to the same points and segments`() throws {
        guard let found = try points(export(.gpx, awkward), "gpx") else { return }
        expectSame(found, expected())
    }

    @Test func `gpsbabel reads KML back to the same points and segments`() throws {
        guard let found = try points(export(.kml, awkward), "kml") else { return }
        expectSame(found, expected())
    }

    @Test func `gpsbabel reads GeoJSON back to the same positions`() throws {
        let track = (1...5).map { RecordedFix.sample(Int64($0), 47 + Double($0) / 100, 8.5) }
        guard let found = try points(export(.geojson, track), "geojson") else { return }
        #expect(found.joined().map(\.latitude) == track.map(\.fix.latitude))
        #expect(found.joined().map(\.longitude) == track.map(\.fix.longitude))
    }

    @Test func `gpsbabel reads CSV back to the same positions`() throws {
        guard let found = try points(export(.csv, awkward), "unicsv") else { return }
        #expect(found.joined().count == awkward.count)
        for (point, record) in zip(found.joined(), awkward) {
            #expect(abs(point.latitude - record.fix.latitude) <= 1.1e-9)
            #expect(abs(point.longitude - record.fix.longitude) <= 1.1e-9)
            #expect(point.elevation == "408.100")
        }
    }

    @Test(arguments: [ExportFormat.gpx, .kml])
    func `xmllint finds the file well-formed, whatever the name of the track`(
        format: ExportFormat
    ) throws {
        guard isInstalled("xmllint") else { return }
        let text = export(format, awkward, name: "a <b> & \"c\" \u{1} \u{FFFE} ü 東京")
        _ = try run(["xmllint", "--noout", "-"], input: text)
        _ = try run(["xmllint", "--noout", "-"], input: export(format, []))
    }
}

/// Track points of a GPX file, read with Foundation's XML parser.
private final class XMLReader: NSObject, XMLParserDelegate {
    struct Point {
        var latitude: Double
        var longitude: Double
        var elevation = ""
        var time = ""
    }

    private(set) var segments: [[Point]] = []
    private var text = ""

    init(_ gpx: String) throws {
        super.init()
        let parser = XMLParser(data: Data(gpx.utf8))
        parser.delegate = self
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        text = ""
        if name == "trkseg" || name == "rte" { segments.append([]) }
        if name == "trkpt" || name == "rtept" {
            segments[segments.count - 1].append(
                Point(
                    latitude: Double(attributes["lat"] ?? "") ?? .nan,
                    longitude: Double(attributes["lon"] ?? "") ?? .nan))
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard let segment = segments.indices.last, let point = segments[segment].indices.last
        else { return }
        if name == "ele" { segments[segment][point].elevation = text }
        if name == "time" { segments[segment][point].time = text }
    }
}
