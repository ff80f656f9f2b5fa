import Foundation
import Geodesy
import Testing

@Suite struct DatumTests {
    private func named(_ pipeline: String) -> DatumTransform? {
        switch pipeline {
        case "itrf2014_gda2020": DatumTransform(from: .itrf2014, to: .gda2020)
        case "itrf2014_etrf2014": DatumTransform(from: .itrf2014, to: .etrf2014)
        case "itrf2014_etrf2000": DatumTransform(from: .itrf2014, to: .etrf2000)
        case "itrf2014_nad83_2011": DatumTransform(from: .itrf2014, to: .nad83)
        case "itrf2014_itrf2008": DatumTransform(from: .itrf2014, to: .itrf2008)
        case "pmm_eurasia": DatumTransform(.eurasia, toYear: 2010)
        case "pmm_north_america": DatumTransform(.northAmerica, toYear: 2010)
        case "gda94_gda2020": DatumTransform(from: .gda94, to: .gda2020)
        case "osgb36_wgs84": DatumTransform(from: .osgb36, to: .wgs84)
        case "tokyo_wgs84": DatumTransform(from: .tokyo, to: .wgs84)
        default: nil
        }
    }

    @Test func `every transform agrees with PROJ`() throws {
        for row in try Table("datum_vectors").rows {
            let transform = try #require(named(row.text("pipeline")), "\(row.text("pipeline"))")
            let id = Comment(rawValue: "\(row.text("id")) \(row.text("pipeline"))")
            #expect(transform.needsTime == (row.number("epoch") != nil), id)
            let out = try #require(
                transform.applied(
                    latitude: try row["lat_in"], longitude: try row["lon_in"],
                    height: try row["h_in"], year: row.number("epoch")))
            // The vectors have eleven decimals of a degree and five of a metre.
            #expect(abs(out.latitude - (try row["lat_out"])) <= 1.5e-11, id)
            #expect(abs(out.longitude - (try row["lon_out"])) <= 1.5e-11, id)
            #expect(abs(out.height - (try row["h_out"])) <= 6e-6, id)
        }
    }

    @Test func `every pipeline of the list has a transform`() throws {
        for row in try Table("datum_pipelines").rows {
            #expect(named(row.text("pipeline")) != nil, "\(row.text("pipeline"))")
        }
    }

    @Test func `there and back again is a micrometre at most between modern datums`() throws {
        let modern: [Datum] = [.itrf2008, .gda2020, .gda94, .etrf2014, .etrf2000, .nad83]
        for datum in modern {
            for other in modern {
                let there = DatumTransform(from: datum, to: other)
                let back = DatumTransform(from: other, to: datum)
                let (lat, lon, h) = (47.5, 8.25, 512.0)
                let p = try #require(
                    there.applied(latitude: lat, longitude: lon, height: h, year: 2024.5))
                let q = try #require(
                    back.applied(
                        latitude: p.latitude, longitude: p.longitude, height: p.height, year: 2024.5
                    ))
                let rest = ENU(
                    fromLatitude: lat, longitude: lon, height: h, toLatitude: q.latitude,
                    longitude: q.longitude, height: q.height)
                #expect(rest.length <= 1e-6, "\(datum) \(other)")
            }
        }
    }

    @Test func `a transform with rates refuses to guess the time`() {
        let transform = DatumTransform(from: .itrf2014, to: .etrf2000)
        #expect(transform.applied(latitude: 50, longitude: 8, height: 0, year: nil) == nil)
        #expect(transform.applied(latitude: 50, longitude: 8, height: 0, year: .nan) == nil)
        #expect(DatumTransform(from: .wgs84, to: .itrf2014).isIdentity)
    }

    @Test func `datums are found by their usual names`() {
        #expect(Datum(name: "ETRS89") == .etrf2000)
        #expect(Datum(name: "NAD83(2011)") == .nad83)
        #expect(Datum(name: "GDA2020") == .gda2020)
        #expect(Datum(name: "gcj02") == nil)
    }
}
