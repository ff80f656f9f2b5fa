import Correction
import Geodesy
import Testing

@Suite struct PositionTests {
    @Test func `GCJ-02 inputs by the border are decided as the vectors say`() throws {
        for row in try coordinateRows("gcj_boundary") {
            let input = try #require(
                Position<GCJ02>(
                    latitude: try row.number("gcj_lat"), longitude: try row.number("gcj_lon")))
            let (position, boundary) = input.wgs84(.mainland)
            let id = Comment(rawValue: "\(row["id"] ?? "") \(row["case"] ?? "")")
            #expect(abs(position.latitude - (try row.number("wgs_lat"))) <= 1e-9, id)
            #expect(abs(position.longitude - (try row.number("wgs_lon"))) <= 1e-9, id)
            switch row["case"] {
            case "ambiguous": #expect(boundary == .ambiguous, id)
            case "gap": #expect(boundary == .gap, id)
            default: #expect(boundary == .clear, id)
            }
            if row["unshift"] == "0" {
                #expect(position.latitude == input.latitude, id)
                #expect(position.longitude == input.longitude, id)
            }
        }
    }

    @Test func `where a policy does not shift the position is the same bit for bit`() throws {
        for row in try coordinateRows("vectors") {
            guard let lat = row["wgs_lat"].flatMap({ Double($0) }),
                let lon = row["wgs_lon"].flatMap({ Double($0) }),
                let position = Position<WGS84>(latitude: lat, longitude: lon)
            else { continue }
            for policy in [OffsetPolicy.mainland, OffsetPolicy(.all), .none] {
                let shifted = position.gcj02(policy)
                let applies =
                    OffsetRegion.containing(latitude: lat, longitude: lon).map {
                        policy.regions.contains(OffsetRegions($0))
                    } ?? false
                let same = shifted.latitude == lat && shifted.longitude == lon
                #expect(same == !applies, "\(row["id"] ?? "") \(policy.text)")
                let back = shifted.wgs84(policy).position
                if applies {
                    #expect(abs(back.latitude - lat) <= 1e-9 && abs(back.longitude - lon) <= 1e-9)
                }
            }
        }
    }

    @Test func `what is no position is refused, a swapped pair included`() {
        for (lat, lon) in [
            (116.3975, 39.9), (90.000_001, 0), (0, 180.000_001), (.nan, 0), (0, .infinity),
        ] as [(Double, Double)] {
            #expect(Position<WGS84>(latitude: lat, longitude: lon) == nil)
            #expect(Position<GCJ02>(latitude: lat, longitude: lon) == nil)
        }
        #expect(Position<BD09>(latitude: -90, longitude: -180) != nil)
    }

    @Test func `policies are known by provider, by region and by name`() {
        #expect(OffsetPolicy("baidu") == OffsetPolicy(.all))
        #expect(OffsetPolicy("Huawei") == OffsetPolicy([.mainland, .hongKong, .macau]))
        #expect(OffsetPolicy("mainland, macau") == OffsetPolicy([.mainland, .macau]))
        #expect(OffsetPolicy("everywhere")?.shifts(latitude: -33, longitude: 151) == true)
        #expect(OffsetPolicy("osm")?.shifts(latitude: 39.9, longitude: 116.4) == false)
        for bad in ["", "china", "mainland;macau", "mainland,atlantis"] {
            #expect(OffsetPolicy(bad) == nil)
        }
        for (_, policy) in OffsetPolicy.providers {
            #expect(OffsetPolicy(policy.text) == policy)
        }
    }

    @Test func `round trips hold inside the regions for random and adversarial positions`() throws {
        var random = SplitMix(seed: 2)
        var positions = (0..<4000).map { _ in
            (
                Double.random(in: 17.5...54, using: &random),
                Double.random(in: 73...135, using: &random)
            )
        }
        for lat in [18, 21.7, 22.3, 26, 30, 35, 39.9, 45, 53] as [Double] {
            for lon in [105, 105.0.nextUp, 105.0.nextDown, 105 + 1e-12, 73.6, 97, 120] as [Double] {
                positions.append((lat, lon))
            }
        }
        let policy = OffsetPolicy(.all)
        for (lat, lon) in positions {
            let wgs = try #require(Position<WGS84>(latitude: lat, longitude: lon))
            guard policy.shifts(latitude: lat, longitude: lon) else { continue }
            let tolerance = abs(lon - 105) < 0.01 ? 1e-9 : 1e-11
            for back in [wgs.gcj02(policy).wgs84(policy), wgs.bd09(policy).wgs84(policy)] {
                #expect(abs(back.position.latitude - lat) <= tolerance, "\(lat) \(lon)")
                #expect(abs(back.position.longitude - lon) <= tolerance, "\(lat) \(lon)")
                #expect(back.boundary != .gap, "\(lat) \(lon)")
            }
        }
    }
}
