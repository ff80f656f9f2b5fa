import GNSS
import Testing

@testable import Import

@Suite struct PackedPointsTests {
    @Test func `a point comes out as it was, whatever it says`() {
        var full = Fix(
            time: UTCTime(milliseconds: -1), latitude: -47.123456789, longitude: 180, mode: .threeD)
        full.timeOfDay = 86_400_500
        full.status = .rtkFloat
        (full.altitudeMSL, full.altitudeHAE, full.geoidSeparation) = (-0.5, 47.25, 47.75)
        (full.speed, full.course, full.climb, full.heading) = (1.5, 359.9, -2.5, 0)
        (full.errors.eph, full.errors.epv, full.errors.eps) = (1.1, 2.2, 3.3)
        (full.errors.epc, full.errors.ept) = (4.4, 5.5)
        (full.dop.hdop, full.dop.vdop, full.dop.pdop) = (0.1, 0.2, 0.3)
        (full.dop.tdop, full.dop.gdop) = (0.4, 0.5)
        (full.satellitesUsed, full.satellitesSeen) = (9, 255)
        full.notes = [.dateBackfilled, .outlier]
        (full.rolloverEras, full.device) = (-1, 3)
        // One that is added to a fix is to be packed too.
        for part in [full, full.errors, full.dop] as [Any] {
            #expect(!Mirror(reflecting: part).children.contains { "\($0.value)" == "nil" })
        }
        var named = ImportedPoint(full, beginsSegment: true, flags: [])
        named.isInSegment = true
        named.id = FixID(store: "0123456789abcdef0123456789abcdef", sequence: .max)
        named.system = "gcj02"
        let bare = ImportedPoint(Fix(time: nil, latitude: 0, longitude: 0, mode: .none))
        var points = PackedPoints(count: 5)
        points.put(named, at: 4)
        points.put(bare, at: 0)
        points.put(named, at: 2)
        #expect(points.point(at: 0) == bare && points.point(at: 1) == nil)
        #expect(points.point(at: 2) == named && points.point(at: 4) == named)
    }
}
