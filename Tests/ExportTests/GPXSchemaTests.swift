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

    @Test func `xmllint finds it valid where the schemas are`() throws {
        // The folder `schema` of gpsbabel's sources; no package has it.
        guard let folder = ProcessInfo.processInfo.environment["TRACKLOG_SCHEMAS"] else {
            print("skipped: no schemas")
            return
        }
        guard isInstalled("xmllint") else { return }
        _ = try run(
            [
                "xmllint", "--nonet", "--noout", "--schema", "\(folder)/gpx/topografix/gpx11.xsd",
                "-",
            ],
            input: export(.gpx, Self.records))
        _ = try run(
            ["xmllint", "--nonet", "--noout", "--schema", "\(folder)/kml/kml22gx.xsd", "-"],
            input: export(.kml, Self.records))
    }

    @Test(arguments: [(ExportFormat.gpx, "GPX"), (.kml, "KML"), (.geojson, "GeoJSON")])
    func `ogrinfo opens it`(format: ExportFormat, driver: String) throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/ogrinfo") else {
            // gdal-bin is too large to be asked of everybody.
            print("skipped: no ogrinfo")
            return
        }
        let file = FileManager.default.temporaryDirectory
            .appending(path: "\(UUID()).\(format.rawValue)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(export(format, awkward).utf8).write(to: file)
        let text = try #require(try run(["ogrinfo", "-ro", "-al", "-so", file.path], input: ""))
        #expect(text.contains("`\(driver)'") || text.contains("LIBKML"))
    }
}
