import Foundation
import Geodesy
import Testing

@Suite struct OffsetRegionTests {
    @Test func `every boundary point lies in its region and is shifted by its policies`() throws {
        for row in try Table("boundary_points").rows {
            let (lat, lon) = (try row["lat"], try row["lon"])
            let id = Comment(rawValue: "\(row.text("id")) \(row.text("name"))")
            let region = OffsetRegion.containing(latitude: lat, longitude: lon)
            guard row.text("region") != "invalid" else {
                #expect(!Angle.isPosition(latitude: lat, longitude: lon), id)
                #expect(region == nil, id)
                continue
            }
            #expect((region?.name ?? "abroad") == row.text("region"), id)
            for (column, policy) in [
                ("shift_mainland", OffsetRegions.mainland),
                ("shift_huawei", [.mainland, .hongKong, .macau]), ("shift_baidu", .all),
            ] {
                let shifted = policy.contains(latitude: lat, longitude: lon)
                #expect(shifted == (row.text(column) == "1"), id)
            }
        }
    }

    @Test func `every vector lies in the region its row names`() throws {
        for row in try Table("vectors").rows where row.number("wgs_lat") != nil {
            let region = OffsetRegion.containing(
                latitude: try row["wgs_lat"], longitude: try row["wgs_lon"])
            #expect((region?.name ?? "abroad") == row.text("region"), "\(row.text("id"))")
        }
    }

    @Test func `the compiled-in index agrees with ray casting over the whole boundary`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/china_boundary.geojson")
        struct Collection: Decodable {
            struct Feature: Decodable {
                struct Geometry: Decodable { let coordinates: [[[[Double]]]] }
                let id: String
                let geometry: Geometry
            }
            let features: [Feature]
        }
        let features = try JSONDecoder().decode(Collection.self, from: Data(contentsOf: url))
            .features
        func expected(_ lat: Double, _ lon: Double) -> String {
            for name in ["hongkong", "macau", "taiwan", "mainland"] {
                var inside = false
                for ring in features.first(where: { $0.id == name })!.geometry.coordinates.joined()
                {
                    for (a, b) in zip(ring, ring.dropFirst())
                    where (a[1] > lat) != (b[1] > lat)
                        && lon < a[0] + (lat - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
                    {
                        inside.toggle()
                    }
                }
                if inside { return name }
            }
            return "abroad"
        }
        var random = SplitMix(seed: 5)
        for _ in 0..<1500 {
            let lat = Double.random(in: 17...54, using: &random)
            let lon = Double.random(in: 73...135, using: &random)
            let region = OffsetRegion.containing(latitude: lat, longitude: lon)?.name ?? "abroad"
            #expect(region == expected(lat, lon), "\(lat) \(lon)")
        }
    }

    @Test func `no double is in a region that is not a position`() {
        for bad in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(OffsetRegion.containing(latitude: bad, longitude: 110) == nil)
            #expect(OffsetRegion.containing(latitude: 30, longitude: bad) == nil || bad == 1e300)
        }
        #expect(OffsetRegion.containing(latitude: 39.9, longitude: 476.3975) == .mainland)
    }
}

/// Steele, Lea and Flood's SplitMix64: the same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
