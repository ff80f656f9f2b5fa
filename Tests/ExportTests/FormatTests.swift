import Foundation
import GNSS
import Testing

@testable import Export

@Suite struct FormatTests {
    @Test(arguments: ExportFormat.allCases)
    func `no number has an exponent, a NaN or a negative zero`(format: ExportFormat) {
        var broken = RecordedFix.sample(9, 47, 8)
        broken.fix.speed = .nan
        broken.fix.altitudeMSL = .infinity
        broken.fix.altitudeHAE = -.infinity
        broken.fix.errors.eph = 1e300
        let text = export(format, awkward + [broken])
        #expect(!text.contains("nan") && !text.contains("inf"))
        // What JSON has for a number that is none (RFC 8259, section 6 knows no NaN).
        #expect(format == .jsonl || !text.contains("null"))
        #expect(text.firstMatch(of: /[0-9][eE][+-]?[0-9]/) == nil)
        #expect(text.firstMatch(of: /[>",\[ ]-0(\.0+)?[<",\] ]/) == nil)
    }

    @Test func `the same fixes give the same bytes in a locale with a decimal comma`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        guard isInstalled("localedef"),
            FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/de_DE")
        else { return print("skipped: no locale de_DE") }
        // Made here, so that the rule does not depend on what the machine has installed.
        let made = folder.appendingPathComponent("de_DE.UTF-8").path
        _ = try run(["localedef", "-i", "de_DE", "-f", "UTF-8", made], input: "")
        let plain = ExportFormat.allCases.map { export($0, awkward) }
        setenv("LOCPATH", folder.path, 1)
        try #require(setlocale(LC_NUMERIC, "de_DE.UTF-8") != nil)
        defer { setlocale(LC_NUMERIC, "C") }
        #expect(String(cString: localeconv().pointee.decimal_point) == ",")
        #expect(ExportFormat.allCases.map { export($0, awkward) } == plain)
    }

    /// h = H + N (NIMA TR8350.2, section 6): any two tell the third.
    @Test func `no format loses a height that was measured`() {
        var both = RecordedFix.sample(1, 47, 8)
        both.fix.geoidSeparation = nil
        #expect(export(.gpx, [both]).contains("<geoidheight>47.4</geoidheight>"))
        #expect(export(.nmea, [both]).contains(",408.1,M,47.4,M,"))
        var ellipsoid = RecordedFix.sample(1, 47, 8)
        ellipsoid.fix.altitudeMSL = nil
        #expect(export(.gpx, [ellipsoid]).contains("<ele>408.1</ele>"))
        ellipsoid.fix.geoidSeparation = nil
        let text = export(.gpx, [ellipsoid])
        #expect(text.contains("<tracklog:hae>455.5</tracklog:hae>") && !text.contains("<ele>"))
    }

    @Test func `GPX writes 180 degrees east as 180 west, which its schema admits`() {
        let text = export(.gpx, [.sample(1, 0, 180), .sample(2, 0, 179.999_999_999_9)])
        #expect(text.matches(of: /lon="-180"/).count == 2)
    }

    @Test func `GPX breaks the line where the segment changes and nowhere else`() {
        let text = export(.gpx, awkward)
        #expect(text.matches(of: /<trkseg>/).count == 2)
        #expect(text.matches(of: /<\/trkseg>/).count == 2)
    }

    @Test func `the elements of a GPX point stand in the order of the schema`() {
        // wptType of gpx.xsd, TrackPointExtension_t of TrackPointExtensionv2.xsd.
        let order = [
            "ele", "time", "geoidheight", "fix", "sat", "hdop", "vdop", "pdop", "extensions",
            "gpxtpx:TrackPointExtension", "gpxtpx:speed", "gpxtpx:course",
        ]
        let text = export(.gpx, [.sample(1, 47, 8)])
        let point = text.split(separator: "\n").first { $0.hasPrefix("<trkpt") } ?? ""
        let found = point.matches(of: /<([a-zA-Z:]+)[ >]/).map { String($0.1) }
        #expect(found == ["trkpt"] + order)
    }

    @Test(arguments: ExportFormat.allCases.filter(\.isLine))
    func `a rejected fix is in no line`(format: ExportFormat) {
        var rejected = RecordedFix.sample(2, 11.111_111, 22.222_222)
        rejected.flags = .outlier
        let with = export(format, [.sample(1, 47, 8), rejected, .sample(3, 47.1, 8)])
        #expect(with == export(format, [.sample(1, 47, 8), .sample(3, 47.1, 8)]))
    }

    @Test func `CSV has the columns of its header in every row, unknown ones empty`() {
        var bare = RecordedFix.sample(1, 47, 8)
        bare.fix = Fix(time: nil, latitude: 47.5, longitude: -8.25, mode: .twoD)
        bare.flags = [.outlier, .outOfOrder]
        let rows = export(.csv, awkward + [bare]).split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows.allSatisfy { $0.count == rows[0].count })
        #expect(
            rows.last?.joined(separator: ",")
                == ",47.5,-8.25,,,,,,,,2,,,,,,,,,,,,,,1,1,outlier out_of_order,")
    }

    @Test(arguments: [ExportFormat.jsonl, .geojson])
    func `a fix is named by its database and its sequence`(format: ExportFormat) {
        var info = ExportInfo(name: "", creator: "")
        let store = "c0ffee" + String(repeating: "0", count: 26)
        info.store = store
        var exporter = TrackExporter(format, info)
        for sequence in [Int64(41), 42] {
            var record = RecordedFix.sample(sequence, 47, 8)
            record.sequence = sequence
            exporter.add(record)
        }
        exporter.end()
        var text = ""
        exporter.drain(over: 0) { text += String(decoding: $0, as: UTF8.self) }
        #expect(text.contains("\"id\":\"\(store)-41\""))
        #expect(text.contains("\"id\":\"\(store)-42\"") == (format == .jsonl))
    }

    @Test(arguments: [ExportFormat.jsonl, .geojson])
    func `what is JSON is read by a JSON reader`(format: ExportFormat) throws {
        let text = export(format, awkward, name: "a \"b\" \\ \u{1}\n")
        for line in format == .jsonl ? text.split(separator: "\n").map(String.init) : [text] {
            _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        }
    }

    @Test func `the corrected position takes the place of the received one when asked for`() {
        var record = RecordedFix.sample(1, 39.9, 116.4)
        record.corrected = CorrectedPosition(
            latitude: 39.901_4, longitude: 116.406_2, altitudeMSL: 50, altitudeHAE: 60,
            correction: 1)
        let raw = export(.csv, [record])
        let corrected = export(.csv, [record], position: .corrected)
        #expect(raw.contains(",39.9,116.4,455.5,408.1,47.4,"))
        #expect(corrected.contains(",39.9014,116.4062,60,50,,"))
        record.corrected = nil
        #expect(export(.csv, [record], position: .corrected) == raw)
    }

    @Test func `KML puts every when before every coordinate and starts anew without a time`() {
        var flat = RecordedFix.sample(3, 47.3, 8)
        flat.fix.altitudeMSL = nil
        var undated = RecordedFix.sample(4, 47.4, 8)
        undated.fix.time = nil
        let text = export(.kml, [.sample(1, 47.1, 8), .sample(2, 47.2, 8), flat, undated])
        let marks = text.matches(of: /<(when|gx:coord|gx:Track|Point)>/).map { String($0.1) }
        #expect(
            marks == [
                "gx:Track", "when", "when", "when", "gx:coord", "gx:coord", "gx:coord", "Point",
            ])
        #expect(text.contains("<gx:coord>8 47.1 408.1</gx:coord>"))
        #expect(text.contains("<gx:Track><altitudeMode>clampToGround</altitudeMode>"))
        #expect(text.contains("<gx:coord>8 47.3</gx:coord>"))
    }

    @Test func `memory stays bounded: the buffer can be drained at any fix`() {
        var exporter = TrackExporter(.geojson, ExportInfo(name: "", creator: ""))
        var largest = 0
        for index in 0..<100_000 {
            exporter.add(.sample(Int64(index), 47, 8 + Double(index) * 1e-5))
            exporter.drain { largest = max(largest, $0.count) }
        }
        #expect(exporter.count == 100_000)
        // 40,000 vertices of about 60 bytes.
        #expect(largest > 65_536 && largest < 4_000_000)
    }
    @Test(arguments: [(ExportFormat.csv, ",gcj02\n"), (.jsonl, ",\"crs\":\"gcj02\"}\n")])
    func `a file in another system says so with each fix, one in WGS 84 has no word of it`(
        format: ExportFormat, end: String
    ) {
        func text(_ system: String?) -> String {
            let info = ExportInfo(name: "", creator: "", coordinateSystem: system)
            var exporter = TrackExporter(format, info)
            exporter.add(.sample(1, 31.2, 121.4))
            var bytes: [UInt8] = []
            exporter.drain(over: 0) { bytes += $0 }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text("GCJ-02").hasSuffix(end))
        #expect(!text(nil).contains("crs") && !text(nil).contains("gcj02"))
    }
}
