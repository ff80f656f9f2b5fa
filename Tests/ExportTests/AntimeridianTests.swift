import Foundation
import GNSS
import Testing

@testable import Export

/// RFC 7946, section 3.1.9: a line over the antimeridian is cut in two, neither part of which crosses it.
@Suite struct AntimeridianTests {
    private func geometry(_ positions: [(Double, Double)]) throws -> (String, [[[Double]]]) {
        let records = positions.enumerated().map {
            RecordedFix.sample(Int64($0.offset), $0.element.1, $0.element.0)
        }
        let object = try JSONSerialization.jsonObject(with: Data(export(.geojson, records).utf8))
        let features = (object as? [String: Any])?["features"] as? [[String: Any]]
        let feature = try #require(features?.first)
        let geometry = try #require(feature["geometry"] as? [String: Any])
        let type = try #require(geometry["type"] as? String)
        let coordinates = geometry["coordinates"]
        let times = (feature["properties"] as? [String: Any])?["coordTimes"]
        if let many = coordinates as? [[[Double]]] {
            #expect((times as? [[String]])?.map(\.count) == many.map(\.count))
            return (type, many)
        }
        if let one = coordinates as? [[Double]] {
            #expect((times as? [String])?.count == one.count)
            return (type, [one])
        }
        return (type, [[try #require(coordinates as? [Double])]])
    }

    @Test func `a line across it becomes two that end and begin on it`() throws {
        let (type, lines) = try geometry([(170, 40), (-170, 50)])
        #expect(type == "MultiLineString")
        // The example of the section, with the height of the fixture.
        #expect(
            lines == [
                [[170, 40, 455.5], [180, 45, 455.5]], [[-180, 45, 455.5], [-170, 50, 455.5]],
            ])
    }

    @Test func `a line that touches it is not cut`() throws {
        let (type, lines) = try geometry([(179, 0), (180, 1), (-180, 2), (179, 3)])
        #expect(type == "LineString")
        #expect(lines[0].map { $0[0] } == [179, 180, 180, 179])
    }

    @Test(arguments: [[(180.0, 1.0), (-179.0, 2.0)], [(179, 0), (-180, 1), (-179, 2)]])
    func `a vertex on it needs no other`(positions: [(Double, Double)]) throws {
        let (_, lines) = try geometry(positions)
        #expect(lines.allSatisfy { $0.count > 1 })
        #expect(lines.joined().count <= positions.count + 1)
        for line in lines {
            for (a, b) in zip(line, line.dropFirst()) { #expect(abs(a[0] - b[0]) <= 180) }
        }
    }

    @Test func `one fix alone is a point`() throws {
        #expect(try geometry([(8, 47)]).0 == "Point")
    }
}
