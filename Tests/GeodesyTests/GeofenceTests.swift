import Geodesy
import Testing

@Suite struct GeofenceTests {
    @Test func `a ring contains what is between its corners`() throws {
        let fence = try Geofence(ring: [(10, 10), (10, 20), (20, 20), (20, 10), (10, 10)])
        #expect(fence.contains(latitude: 15, longitude: 15))
        #expect(!fence.contains(latitude: 15, longitude: 21))
        #expect(!fence.contains(latitude: 9.99, longitude: 15))
        #expect(fence.contains(latitude: 15, longitude: 375))
    }

    @Test func `a ring may cross the antimeridian`() throws {
        let fence = try Geofence(ring: [(-10, 170), (-10, -170), (10, -170), (10, 170)])
        for longitude in [170.5, 179.9, 180, -180, -179.9, -170.5] {
            #expect(fence.contains(latitude: 0, longitude: longitude), "\(longitude)")
        }
        for longitude in [0, 169.5, -169.5] {
            #expect(!fence.contains(latitude: 0, longitude: longitude), "\(longitude)")
        }
    }

    @Test func `a ring may enclose a pole`() throws {
        let north = try Geofence(ring: [(80, 0), (80, 90), (80, 180), (80, -90)])
        #expect(north.contains(latitude: 90, longitude: 12))
        #expect(north.contains(latitude: 85, longitude: -91))
        #expect(north.contains(latitude: 85, longitude: 180))
        #expect(!north.contains(latitude: 79, longitude: 45))
        #expect(!north.contains(latitude: -85, longitude: 45))
        let south = try Geofence(ring: [(-70, 0), (-70, -120), (-70, 120), (-70, 0)])
        #expect(south.contains(latitude: -90, longitude: 0))
        #expect(south.contains(latitude: -80, longitude: 77))
        #expect(!south.contains(latitude: 0, longitude: 77))
    }

    @Test func `a point on the parallel of a corner is counted once`() throws {
        let diamond = try Geofence(ring: [(0, -1), (1, 0), (0, 1), (-1, 0)])
        #expect(diamond.contains(latitude: 0, longitude: 0))
        #expect(!diamond.contains(latitude: 0, longitude: 1.5))
        #expect(!diamond.contains(latitude: 0, longitude: -1.5))
        #expect(!diamond.contains(latitude: 1, longitude: -1))
    }

    @Test func `a circle is measured on the ellipsoid`() throws {
        let fence = try Geofence(latitude: 51.5, longitude: 179.9999, radius: 100)
        for azimuth in stride(from: 0.0, to: 360, by: 30) {
            let inside = Geodesic.direct(
                latitude: 51.5, longitude: 179.9999, azimuth: azimuth, distance: 99.9)
            #expect(fence.contains(latitude: inside.latitude, longitude: inside.longitude))
            let outside = Geodesic.direct(
                latitude: 51.5, longitude: 179.9999, azimuth: azimuth, distance: 100.1)
            #expect(!fence.contains(latitude: outside.latitude, longitude: outside.longitude))
        }
    }

    @Test func `what is no area is refused`() {
        #expect(throws: Geofence.Problem.tooFewCorners) {
            try Geofence(ring: [(0, 0), (0, 0), (1, 1), (0, 0)])
        }
        #expect(throws: Geofence.Problem.notAPosition) {
            try Geofence(ring: [(0, 0), (0, .nan), (1, 1)])
        }
        #expect(throws: Geofence.Problem.radius) {
            try Geofence(latitude: 0, longitude: 0, radius: 0)
        }
        #expect(throws: Geofence.Problem.notAPosition) {
            try Geofence(latitude: 91, longitude: 0, radius: 1)
        }
    }

    @Test func `any double is survived`() throws {
        let fence = try Geofence(ring: [(80, 0), (80, 120), (80, -120)])
        for bad in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(!fence.contains(latitude: bad, longitude: 0))
            _ = fence.contains(latitude: 85, longitude: bad)
        }
        #expect(!fence.contains(latitude: 85, longitude: .nan))
    }
}
