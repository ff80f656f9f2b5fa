import Correction
import Geodesy
import Testing

@Suite struct OffsetSuspicionTests {
    @Test func `every vector of a shifted source is recognised, and honest ones are not`() throws {
        for row in try coordinateRows("inverse_vectors") where row["region"] == "mainland" {
            let honest = try #require(
                Position<WGS84>(
                    latitude: try row.number("wgs_lat"), longitude: try row.number("wgs_lon")))
            for (system, lat, lon) in [
                (CRS.gcj02, "gcj_lat", "gcj_lon"), (.bd09, "bd_lat", "bd_lon"),
            ] {
                let shifted = (latitude: try row.number(lat), longitude: try row.number(lon))
                let noisy = (latitude: shifted.latitude + 2e-5, longitude: shifted.longitude - 2e-5)
                #expect(OffsetSuspicion.system(of: shifted, against: honest) == system)
                #expect(OffsetSuspicion.system(of: noisy, against: honest) == system)
            }
            let near = (latitude: honest.latitude + 2e-5, longitude: honest.longitude)
            let far = (latitude: honest.latitude + 0.01, longitude: honest.longitude)
            #expect(OffsetSuspicion.system(of: near, against: honest) == nil)
            #expect(OffsetSuspicion.system(of: far, against: honest) == nil)
        }
    }

    @Test func `abroad there is no offset to find`() throws {
        let honest = try #require(Position<WGS84>(latitude: 48.85, longitude: 2.35))
        let raw = GCJ02.fromWGS84(latitude: 48.85, longitude: 2.35)
        #expect(OffsetSuspicion.system(of: raw, against: honest) == nil)
    }
}
