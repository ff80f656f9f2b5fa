import DutyCycle
import GNSS
import Testing

@Suite struct NoRecordZoneTests {
    /// A fix that many metres north of 47.4 N 8.5 E; a degree of latitude is 111.18 km there (WGS 84).
    private func fix(north metres: Double, eph: Double? = nil) -> Fix {
        var fix = Fix(
            time: UTCTime(milliseconds: 0), latitude: 47.4 + metres / 111_180, longitude: 8.5,
            mode: .threeD)
        fix.errors.eph = eph
        return fix
    }

    private let zone = NoRecordZone(latitude: 47.4, longitude: 8.5, radius: 250)

    @Test(
        arguments: [
            (0.0, nil, true), (249, nil, true), (251, nil, false), (260, 11, true), (260, 9, false),
            (340, 5000, true), (360, 5000, false),
        ] as [(Double, Double?, Bool)])
    func `a fix counts as inside when it may be, within reason`(
        north: Double, eph: Double?, isInside: Bool
    ) {
        #expect(zone.covers(fix(north: north, eph: eph)) == isInside)
    }

    @Test func `a zone on the antimeridian covers both sides of it`() {
        let zone = NoRecordZone(latitude: -17, longitude: 179.9999, radius: 100)
        var fix = fix(north: 0)
        fix.latitude = -17
        fix.longitude = -179.9999
        #expect(zone.covers(fix))
    }
}
