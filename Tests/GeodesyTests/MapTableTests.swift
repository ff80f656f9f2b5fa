import Geodesy
import Testing

@Suite struct MapTableTests {
    private static func places(_ count: Int) -> [(latitude: Double, longitude: Double)] {
        var random = SplitMix(seed: 1)
        return (0..<count).map { _ in
            (.random(in: 15...56, using: &random), .random(in: 70...137, using: &random))
        }
    }

    @Test func `the tables undo the shift as the formula's inverse does`() {
        let places = MapTableTests.places(50_000)
        var worst = 0.0
        for (place, undone) in zip(places, GCJ02Table.shared.toWGS84(places)) {
            let exact = GCJ02.toWGS84(latitude: place.latitude, longitude: place.longitude)
            let shifted = GCJ02.fromWGS84(latitude: undone.latitude, longitude: undone.longitude)
            // The formula's slope has no bound at longitude 105.
            let limit = abs(place.longitude - 105) < 0.02 ? 1e-9 : 5e-12
            worst = max(
                worst, abs(shifted.latitude - place.latitude) / limit,
                abs(shifted.longitude - place.longitude) / limit,
                abs(exact.latitude - undone.latitude) / limit,
                abs(exact.longitude - undone.longitude) / limit)
        }
        #expect(worst <= 1)
    }

    @Test func `one position is undone as many are`() {
        for place in MapTableTests.places(1000) {
            let one = GCJ02Table.shared.toWGS84(
                latitude: place.latitude, longitude: place.longitude)
            let many = GCJ02Table.shared.toWGS84([place])
            #expect(one == many[0])
        }
    }

    @Test(arguments: [
        (0.0, 0.0), (90, 180), (-90, -180), (17, 72), (55, 136), (30, 105), (30, 72.0000001),
        (.nan, 105), (30, .infinity), (-.infinity, .nan), (1e300, 1e300),
    ])
    func `beyond the tables the formula answers`(latitude: Double, longitude: Double) {
        let undone = GCJ02Table.shared.toWGS84(latitude: latitude, longitude: longitude)
        let exact = GCJ02.toWGS84(latitude: latitude, longitude: longitude)
        for (a, b) in [(undone.latitude, exact.latitude), (undone.longitude, exact.longitude)] {
            #expect(a == b || a.isNaN && b.isNaN || abs(a - b) < 5e-12)
        }
    }
}
