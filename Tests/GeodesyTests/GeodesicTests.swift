import Geodesy
import Testing

@Suite struct GeodesicTests {
    @Test func `distance and azimuths agree with GeodSolve on every row`() throws {
        for row in try Table("geodesic").rows {
            let line = Geodesic.inverse(
                try row["lat1"], try row["lon1"], try row["lat2"], try row["lon2"])
            let distance = try row["distance_m"]
            #expect(abs(line.distance - distance) <= 1e-6, "\(row.text("id"))")
            guard row.text("azimuth_checkable") == "1" else { continue }
            let tolerance =
                distance > 1
                ? 1e-6 : max(1e-6, 1e-7 / distance * 180 / .pi)
            for (ours, name) in [(line.azimuth1, "azimuth1_deg"), (line.azimuth2, "azimuth2_deg")] {
                let turn = abs((ours - (try row[name])).remainder(dividingBy: 360))
                #expect(turn <= tolerance, "\(row.text("id")) \(name)")
            }
        }
    }

    @Test func `distances to the neighbourhood of the antipode agree with GeodSolve`() throws {
        for row in try Table("geodesic_antipodal").rows {
            let distance = Geodesic.distance(
                try row["lat1"], try row["lon1"], try row["lat2"], try row["lon2"])
            #expect(abs(distance - (try row["distance_m"])) <= 1e-6, "\(row.text("id"))")
        }
    }

    @Test func `the direct problem leads to the other end`() throws {
        for row in try Table("geodesic").rows {
            let (lat1, lon1) = (try row["lat1"], try row["lon1"])
            let (lat2, lon2) = (try row["lat2"], try row["lon2"])
            let line = Geodesic.inverse(lat1, lon1, lat2, lon2)
            let end = Geodesic.direct(
                latitude: lat1, longitude: lon1, azimuth: line.azimuth1, distance: line.distance)
            #expect(
                Geodesic.distance(end.latitude, end.longitude, lat2, lon2) <= 1e-6,
                "\(row.text("id"))")
            #expect(end.longitude > -180 && end.longitude <= 180)
        }
    }

    // GeographicLib's own regression cases, geodtest.cpp: GeodSolve 0, 2, 6, 10 and 12.
    @Test(arguments: [
        (40.6, -73.8, 49.01666667, 2.55, 5853.226e3, 0.5e3),
        (36.493349428792, 0, 36.49334942879201, 0.0000008, 0.072, 0.5e-3),
        (88.202499451857, 0, -88.202499451857, 179.981022032992859592, 20003898.214, 1e-3),
        (89.262080389218, 0, -89.262080389218, 179.992207982775375662, 20003925.854, 1e-3),
        (89.333123580033, 0, -89.333123580032997687, 179.99295812360148422, 20003926.881, 1e-3),
        (56.320923501171, 0, -56.320923501171, 179.664747671772880215, 19993558.287, 1e-3),
        (52.784459512564, 0, -52.784459512563990912, 179.634407464943777557, 19991596.095, 1e-3),
    ])
    func `published cases that caught other implementations`(
        lat1: Double, lon1: Double, lat2: Double, lon2: Double, distance: Double, tolerance: Double
    ) {
        #expect(abs(Geodesic.distance(lat1, lon1, lat2, lon2) - distance) <= tolerance)
    }

    @Test func `any double is survived`() {
        let values = [
            0, -0.0, 90, -90, 180, -180, 360, 89.999_999_999_999, .leastNonzeroMagnitude, 1e300,
            -1e300,
            .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
        ]
        for a in values {
            for b in values {
                for c in values {
                    let line = Geodesic.inverse(a, b, c, 12)
                    let valid = abs(a) <= 90 && abs(c) <= 90 && b.isFinite
                    #expect(line.distance.isNaN == !valid, "\(a) \(b) \(c)")
                    let end = Geodesic.direct(latitude: a, longitude: b, azimuth: c, distance: 1e5)
                    #expect(end.latitude.isNaN == !(abs(a) <= 90 && b.isFinite && c.isFinite))
                }
            }
        }
    }
}
