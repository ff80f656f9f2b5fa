import Foundation
import GNSS
import Testing

@testable import Export

/// Formats that a receiver's log has, looked at as text; that they replay is tested with the programs.
@Suite struct ReplayFormatTests {
    @Test func `sentences have the checksums that NMEA asks for`() {
        let text = export(.nmea, awkward)
        let lines = text.split(separator: "\r\n")
        #expect(lines.count == awkward.count * 3)
        for line in lines {
            let body = line.dropFirst().prefix { $0 != "*" }
            let sum = body.utf8.reduce(0, ^)
            #expect(line.hasPrefix("$") && line.hasSuffix(String(format: "*%02X", sum)), "\(line)")
        }
    }

    @Test func `degrees and minutes carry, and longitude has three digits`() {
        func fields(_ latitude: Double, _ longitude: Double) -> [String] {
            export(.nmea, [.sample(1, latitude, longitude)]).split(separator: ",")[2...5].map(
                String.init)
        }
        // 59.9999999996° is within a hundred-millionth of a minute of 60°.
        #expect(fields(59.999_999_999_99, 8.5) == ["6000.0000", "N", "00830.0000", "E"])
        #expect(fields(-0.000_000_1, -179.999_999_9) == ["0000.000006", "S", "17959.999994", "W"])
        #expect(fields(47.376_9, 8.541_7) == ["4722.6140", "N", "00832.5020", "E"])
        #expect(fields(90, 180) == ["9000.0000", "N", "18000.0000", "E"])
    }

    @Test func `NMEA has knots, a two-digit year and both heights`() throws {
        let lines = export(.nmea, [.sample(1, 47, 8)]).split(separator: "\r\n")
        // 13.25 m/s × 3600 / 1852 = 25.7559 kn.
        #expect(
            lines[2].hasPrefix(
                "$GPRMC,100001.000,A,4700.0000,N,00800.0000,E,25.7559,71.5,010526,,,A*"))
        #expect(
            lines[0].hasPrefix(
                "$GPGGA,100001.000,4700.0000,N,00800.0000,E,1,09,0.9,408.1,M,47.4,M,,*"))
        #expect(lines[1].hasPrefix("$GPGSA,A,3,,,,,,,,,,,,,1.66,0.9,1.4*"))
    }

    /// NMEA 0183: datum 999 is one of the user's own.
    @Test func `positions in another system are not called WGS 84`() {
        let nmea = export(.nmea, [.sample(1, 47, 8)], system: "GCJ-02")
        #expect(nmea.hasPrefix("$GPDTM,999,,0.0,N,0.0,E,0.0,W84*"))
        #expect(
            export(.gpsd, [.sample(1, 47, 8)], system: "GCJ-02").contains("\"export in gcj02\""))
        #expect(!export(.nmea, [.sample(1, 47, 8)]).contains("DTM"))
    }

    @Test func `every report of gpsd is one JSON object a line`() throws {
        for line in export(.gpsd, awkward).split(separator: "\r\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(["VERSION", "SKY", "TPV"].contains(object?["class"] as? String))
        }
    }

    @Test func `what one fix says of its satellites is not the next one's`() {
        var bare = RecordedFix.sample(2, 47.1, 8)
        bare.fix.dop = DOP()
        bare.fix.satellitesUsed = nil
        bare.fix.status = nil
        let lines = export(.gpsd, [.sample(1, 47, 8), bare, bare]).split(separator: "\r\n")
        let kinds = lines.map { $0.contains("\"SKY\"") ? "SKY" : $0.contains("TPV") ? "TPV" : "" }
        #expect(kinds == ["", "TPV", "SKY", "TPV", "SKY", "TPV"])
        #expect(
            lines[4]
                == "{\"class\":\"SKY\",\"device\":\"tracklog\",\"time\":\"2026-05-01T10:00:02.000Z\"}"
        )
        #expect(lines[1].contains("\"status\":1,") && !lines[3].contains("status"))
    }

    @Test(arguments: [ExportFormat.nmea, .gpsd])
    func `a rejected fix is not sent`(format: ExportFormat) {
        var record = RecordedFix.sample(1, 47, 8)
        record.flags = .outlier
        #expect(!export(format, [record]).contains(format == .nmea ? "RMC" : "TPV"))
    }
}
