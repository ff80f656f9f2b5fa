import Foundation
import GNSS
import Testing

@testable import Export

/// The rules of gpx.xsd 1.1 and TrackPointExtensionv2.xsd that exporters are known to break.
@Suite struct GPXSchemaTests {
    /// Every optional field, edge values in each.
    private static let records: [RecordedFix] = awkward.enumerated().map { index, record in
        var record = record
        record.fix.course = index == 0 ? 359.999 : 1e-7
        record.fix.speed = 1e-9
        record.fix.altitudeMSL = -1e-9
        record.fix.geoidSeparation = index == 1 ? nil : -1e-12
        record.fix.mode = index == 2 ? .twoD : .threeD
        record.fix.status = FixStatus.allCases[index % FixStatus.allCases.count]
        record.fix.longitude = index == 3 ? 180 : record.fix.longitude
        return record
    }

    @Test func `elements of a point stand in the order of the schema`() throws {
        let text = export(.gpx, Self.records)
        // gpx.xsd, wptType.
        let order = [
            "ele", "time", "geoidheight", "fix", "sat", "hdop", "vdop", "pdop", "extensions",
        ]
        for point in text.matches(of: #/<trkpt [^>]*>(.*)</trkpt>/#) {
            let outer = point.1.replacing(#/<extensions>.*</extensions>/#, with: "<extensions>")
            let names = outer.matches(of: #/<([a-z]+)>/#).map { String($0.1) }
            #expect(names == order.filter(names.contains))
            let inner = point.1.matches(of: #/<gpxtpx:([a-z]+)>/#).map { String($0.1) }
            #expect(inner == ["speed", "course"])
        }
    }

    @Test func `numbers are decimals in the ranges of the schema`() throws {
        let text = export(.gpx, Self.records)
        for match in text.matches(of: #/lat="([^"]*)" lon="([^"]*)"/#) {
            let longitude = try #require(Double(match.2))
            #expect(longitude >= -180 && longitude < 180)
            #expect(abs(try #require(Double(match.1))) <= 90)
        }
        let numbers =
            text.matches(of: #/(?:lat|lon)="([^"]*)"/#).map(\.1)
            + text.matches(
                of: #/<(?:ele|geoidheight|hdop|vdop|pdop|gpxtpx:speed|gpxtpx:course)>([^<]*)</#
            )
            .map(\.1)
        #expect(numbers.count > 60)
        for number in numbers {
            #expect(number.wholeMatch(of: #/-?[0-9]+(\.[0-9]+)?/#) != nil, "\(number)")
        }
        for match in text.matches(of: #/<fix>([^<]*)</#) {
            #expect(["none", "2d", "3d", "dgps", "pps"].contains(match.1))
        }
        for match in text.matches(of: #/<gpxtpx:course>([^<]*)</#) {
            #expect(try #require(Double(match.1)) <= 360)
        }
    }

    /// What Garmin's TrackPointExtensionv2.xsd says of the elements that are written.
    private static let trackPointExtension = """
        <schema xmlns="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
            targetNamespace="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
          <element name="TrackPointExtension"><complexType><sequence>
            <element name="speed" type="double" minOccurs="0"/>
            <element name="course" minOccurs="0"><simpleType><restriction base="decimal">
              <minInclusive value="0"/><maxInclusive value="360"/>
            </restriction></simpleType></element>
          </sequence></complexType></element>
        </schema>
        """

    /// What kml22gx.xsd says of a track.
    private static let track = """
        <schema xmlns="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
            xmlns:kml="http://www.opengis.net/kml/2.2"
            targetNamespace="http://www.google.com/kml/ext/2.2">
          <import namespace="http://www.opengis.net/kml/2.2"/>
          <element name="Track" substitutionGroup="kml:AbstractGeometryGroup">
            <complexType><complexContent><extension base="kml:AbstractGeometryType"><sequence>
              <element ref="kml:altitudeModeGroup" minOccurs="0"/>
              <element ref="kml:when" minOccurs="0" maxOccurs="unbounded"/>
              <element name="coord" type="string" minOccurs="0" maxOccurs="unbounded"/>
            </sequence></extension></complexContent></complexType>
          </element>
        </schema>
        """

    @Test(arguments: [
        (
            ExportFormat.gpx, "gpx_1_1/gpx.xsd", "http://www.topografix.com/GPX/1/1",
            trackPointExtension
        ),
        (.kml, "kml_2_2/ogckml22.xsd", "http://www.opengis.net/kml/2.2", track),
    ])
    func `xmllint finds it valid by the schemas`(
        format: ExportFormat, schema: String, namespace: String, extra: String
    ) throws {
        // `.ci/schemas` brings them.
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../.build/schemas/\(schema)").standardizedFileURL
        guard FileManager.default.fileExists(atPath: file.path) else {
            // They come over the network, which is no reason for a change to fail.
            print("skipped: no schemas; .ci/schemas brings them")
            return
        }
        guard isInstalled("xmllint") else { return }
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let extraFile = folder.appending(path: "extra.xsd")
        let extraText = extra.replacingOccurrences(
            of: "kml/2.2\"/>", with: "kml/2.2\" schemaLocation=\"\(file.path)\"/>")
        try Data(extraText.utf8).write(to: extraFile)
        let both = folder.appending(path: "both.xsd")
        let extraNamespace = try #require(
            extra.firstMatch(of: #/targetNamespace="([^"]*)"/#)?.1)
        try Data(
            """
            <schema xmlns="http://www.w3.org/2001/XMLSchema">
              <import namespace="\(namespace)" schemaLocation="\(file.path)"/>
              <import namespace="\(extraNamespace)" schemaLocation="\(extraFile.path)"/>
            </schema>
            """.utf8
        ).write(to: both)
        func lint(_ text: String, fails: Bool = false) throws {
            _ = try run(
                ["xmllint", "--nonet", "--noout", "--schema", both.path, "-"], input: text,
                fails: fails)
        }
        let text = export(format, Self.records)
        try lint(text)
        try lint(export(format, [], name: "a <b> & \"c\" \u{1} ü"))
        // It does see what is wrong: an element out of its place, in both.
        let broken =
            format == .gpx
            ? text.replacing(
                #/(<gpxtpx:speed>.*?<\/gpxtpx:speed>)(<gpxtpx:course>.*?<\/gpxtpx:course>)/#
            ) {
                "\($0.2)\($0.1)"
            } : text.replacing("</gx:Track>", with: "<when>2026-05-01T10:00:00Z</when></gx:Track>")
        #expect(broken != text)
        try lint(broken, fails: true)
    }

    @Test(arguments: [(ExportFormat.gpx, "GPX"), (.kml, "KML"), (.geojson, "GeoJSON")])
    func `ogrinfo opens it and finds every point`(format: ExportFormat, driver: String) throws {
        guard isInstalled("ogrinfo") else { return }
        let file = FileManager.default.temporaryDirectory
            .appending(path: "\(UUID()).\(format.rawValue)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(export(format, awkward).utf8).write(to: file)
        let text = try #require(try run(["ogrinfo", "-ro", "-al", file.path], input: ""))
        #expect(text.contains("`\(driver)'") || text.contains("LIBKML"))
        #expect(!text.contains("ERROR") && !text.contains("Warning"))
        // Vertices of the lines, as WKT; GPX is shown as lines and as points too.
        let lines = text.matches(of: #/(?:MULTI)?LINESTRING (?:Z )?\(+([^A-Z]*)\)/#)
        let vertices = lines.flatMap { $0.1.split(separator: ",") }.map {
            $0.split { " ()".contains($0) }.compactMap { Double($0) }
        }
        let wanted = awkward.map { ($0.fix.longitude, $0.fix.latitude) }
        for (longitude, latitude) in wanted where abs(latitude) < 89.9 {
            #expect(
                vertices.contains {
                    abs($0[0] - longitude) < 2e-9 && abs($0[1] - latitude) < 2e-9
                }, "\(format) \(longitude) \(latitude)")
        }
    }
}
