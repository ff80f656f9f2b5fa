import Foundation
import Geodesy
import Testing

@Suite struct MapOffsetTests {
    @Test func `both offsets agree with fifty-digit arithmetic, forward`() throws {
        for row in try Table("vectors").rows {
            guard let gcjLat = row.number("gcj_lat"), let gcjLon = row.number("gcj_lon"),
                let bdLat = row.number("bd_lat"), let bdLon = row.number("bd_lon")
            else { continue }
            let id = Comment(rawValue: row.text("id"))
            let gcj = GCJ02.fromWGS84(latitude: try row["wgs_lat"], longitude: try row["wgs_lon"])
            let bd = BD09.fromGCJ02(latitude: gcj.latitude, longitude: gcj.longitude)
            for (ours, theirs) in [
                (gcj.latitude, gcjLat), (gcj.longitude, gcjLon), (bd.latitude, bdLat),
                (bd.longitude, bdLon),
            ] {
                // The shift itself grows without bound towards a pole.
                let tolerance = max(1e-11, abs(theirs) * 1e-13)
                #expect(abs(ours - theirs) <= tolerance, id)
            }
        }
    }

    @Test func `both offsets agree with fifty-digit arithmetic, backward`() throws {
        for row in try Table("vectors").rows {
            guard let gcjLat = row.number("gcj_lat"), let gcjLon = row.number("gcj_lon"),
                let bdLat = row.number("bd_lat"), let bdLon = row.number("bd_lon"),
                row.text("region") != "abroad", abs(try row["wgs_lat"]) <= 89
            else { continue }
            let id = Comment(rawValue: row.text("id"))
            let tolerance = row.text("name").hasPrefix("lon 105") ? 1e-9 : 1e-11
            let gcj = BD09.toGCJ02(latitude: bdLat, longitude: bdLon)
            #expect(abs(gcj.latitude - gcjLat) <= 1e-11, id)
            #expect(abs(gcj.longitude - gcjLon) <= 1e-11, id)
            let wgs = GCJ02.toWGS84(latitude: gcjLat, longitude: gcjLon)
            #expect(abs(wgs.latitude - (try row["wgs_lat"])) <= tolerance, id)
            #expect(abs(wgs.longitude - (try row["wgs_lon"])) <= tolerance, id)
        }
    }

    @Test func `inputs in either shifted system are undone`() throws {
        for row in try Table("inverse_vectors").rows {
            var gcj = (latitude: try row["input_lat"], longitude: try row["input_lon"])
            if row.text("input_system") == "bd" {
                gcj = BD09.toGCJ02(latitude: gcj.latitude, longitude: gcj.longitude)
            }
            let id = Comment(rawValue: row.text("id"))
            #expect(abs(gcj.latitude - (try row["gcj_lat"])) <= 1e-11, id)
            #expect(abs(gcj.longitude - (try row["gcj_lon"])) <= 1e-11, id)
            let wgs = GCJ02.toWGS84(latitude: gcj.latitude, longitude: gcj.longitude)
            #expect(abs(wgs.latitude - (try row["wgs_lat"])) <= 1e-11, id)
            #expect(abs(wgs.longitude - (try row["wgs_lon"])) <= 1e-11, id)
        }
    }

    @Test func `map providers' own answers lie within their noise`() throws {
        for row in try Table("official_pairs").rows {
            var ours = GCJ02.fromWGS84(latitude: try row["wgs_lat"], longitude: try row["wgs_lon"])
            if row.text("system") == "bd09" {
                ours = BD09.fromGCJ02(latitude: ours.latitude, longitude: ours.longitude)
            }
            let distance = Geodesic.distance(
                ours.latitude, ours.longitude, try row["lat"], try row["lon"])
            #expect(distance <= 1.5, "\(row.text("id"))")
            #expect(abs(distance - (try row["formula_minus_provider_m"])) <= 0.001)
        }
    }

    @Test func `the height term is a millimetre per metre on both axes`() {
        let low = GCJ02.fromWGS84(latitude: 29.65, longitude: 91.17)
        let high = GCJ02.fromWGS84(latitude: 29.65, longitude: 91.17, height: 3650)
        let shift = ENU(
            fromLatitude: low.latitude, longitude: low.longitude, toLatitude: high.latitude,
            longitude: high.longitude)
        #expect(abs(shift.east - 3.65) < 0.02)
        #expect(abs(shift.north - 3.65) < 0.02)
        let back = GCJ02.toWGS84(latitude: high.latitude, longitude: high.longitude, height: 3650)
        #expect(abs(back.latitude - 29.65) <= 1e-11)
        #expect(abs(back.longitude - 91.17) <= 1e-11)
    }

    @Test func `any double is survived, and what has no value comes back`() {
        let values = [
            0, -0.0, 0.8293, 55.8271, 72.004, 72.005, 105, 137.8347, 89, 89.1, 90, -90, 180, 1e300,
            .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        ]
        for lat in values {
            for lon in values {
                _ = GCJ02.fromWGS84(latitude: lat, longitude: lon)
                _ = GCJ02.toWGS84(latitude: lat, longitude: lon)
                _ = BD09.fromGCJ02(latitude: lat, longitude: lon)
                _ = BD09.toGCJ02(latitude: lat, longitude: lon)
            }
        }
        #expect(GCJ02.fromWGS84(latitude: 90, longitude: 10) == (90, 10))
        #expect(GCJ02.toWGS84(latitude: 89.5, longitude: 10) == (89.5, 10))
        #expect(GCJ02.toWGS84(latitude: 10, longitude: .infinity).longitude == .infinity)
    }
}
