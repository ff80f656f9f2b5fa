import Export
import GNSS
import Testing

@testable import Import

/// What this program exports comes back as it was.
@Suite struct RoundTripTests {
    private static let pairs: [(ExportFormat, ImportFormat)] = [
        (.gpx, .gpx), (.kml, .kml), (.geojson, .geojson), (.csv, .csv), (.jsonl, .jsonl),
    ]

    @Test(arguments: pairs)
    func `an export is recognised and comes back with its times, places and segments`(
        written: ExportFormat, read: ImportFormat
    ) throws {
        let text = exported(drive, written)
        #expect(ImportFormat.guess(text.utf8) == read)
        let found = try points(text, read)
        #expect(found.map(\.fix.time) == drive.map(\.fix.time))
        #expect(found.map(\.fix.latitude) == drive.map(\.fix.latitude))
        #expect(found.map(\.fix.longitude) == drive.map(\.fix.longitude))
        let breaks = found.indices.filter { found[$0].beginsSegment && $0 > 0 }
        #expect(breaks == [5])
    }

    @Test(arguments: [(ExportFormat.gpx, ImportFormat.gpx), (.csv, .csv), (.jsonl, .jsonl)])
    func `heights, motion and quality come back too`(
        written: ExportFormat, read: ImportFormat
    ) throws {
        for (point, record) in zip(try points(exported(drive, written), read), drive) {
            var fix = point.fix
            fix.notes = record.fix.notes
            #expect(fix == record.fix)
        }
    }

    @Test(arguments: [ExportFormat.gpx, .csv, .jsonl], FixStatus.allCases)
    func `how a solution was made comes back, but for GPX's silence about an autonomous one`(
        written: ExportFormat, status: FixStatus
    ) throws {
        var record = drive[0]
        record.fix.status = status
        let format = try #require(ImportFormat(rawValue: written.rawValue))
        let found = try points(exported([record], written), format).map(\.fix.status)
        #expect(found == [written == .gpx && status == .gps ? nil : status])
    }

    @Test
    func `a segment of one fix in GeoJSON keeps its time, and nothing of it is not understood`()
        throws
    {
        var importer = TrackImporter(.geojson)
        var found: [ImportedPoint] = []
        try importer.feed(Array(exported([drive[0]], .geojson).utf8)) { found.append($0) }
        try importer.finish { found.append($0) }
        #expect(found.map(\.fix.time) == [drive[0].fix.time])
        #expect(importer.notUnderstood == [])
    }

    @Test(arguments: pairs, [1, 7])
    func `where the bytes are cut makes no difference`(
        pair: (ExportFormat, ImportFormat), piece: Int
    ) throws {
        let text = exported(drive, pair.0)
        #expect(try points(text, pair.1, piece: piece) == points(text, pair.1))
    }

    @Test func `KML keeps a segment whole where heights come and go, and a height of 0`() throws {
        var records = drive
        for index in records.indices where index % 2 == 1 && index < 5 {
            records[index].fix.altitudeMSL = nil
        }
        for index in 5..<records.count { records[index].fix.altitudeMSL = 0 }
        let found = try points(exported(records, .kml), .kml)
        #expect(found.map(\.fix.altitudeMSL) == records.map(\.fix.altitudeMSL))
        #expect(found.indices.filter { found[$0].beginsSegment } == [0, 5])
        #expect(found[5].fix.mode == .threeD)
    }

    @Test func `KML keeps a segment whole however long it is`() throws {
        // KMLWriter.limit is 40,000.
        let records = (0..<90_000).map { index in
            var record = drive[0]
            record.fix.time = UTCTime(milliseconds: 1_777_629_600_000 + Int64(index) * 1000)
            record.segment = index < 85_000 ? 1 : 2
            return record
        }
        let text = exported(records, .kml)
        #expect(text.split(separator: "<gx:Track>").count == 5)
        let found = try points(text, .kml, piece: 65_536)
        #expect(found.map(\.fix.time) == records.map(\.fix.time))
        #expect(found.indices.filter { found[$0].beginsSegment } == [0, 85_000])
    }

    @Test func `rejected fixes keep the verdict they had`() throws {
        var records = drive
        records[3].flags = [.outlier, .speedSuspect]
        records[3].segment = 0
        let found = try points(exported(records, .jsonl), .jsonl)
        #expect(found[3].flags == [.outlier, .speedSuspect])
        #expect(found[4].flags == [])
    }

    @Test func `the cut at the antimeridian leaves no points behind`() throws {
        var records = Array(drive.prefix(4))
        for (index, longitude) in [179.999, 179.9995, -179.9995, -179.999].enumerated() {
            records[index].fix.longitude = longitude
            records[index].segment = 1
        }
        let text = exported(records, .geojson)
        #expect(text.contains("MultiLineString"))
        let found = try points(text, .geojson)
        #expect(found.map(\.fix.longitude) == [179.999, 179.9995, -179.9995, -179.999])
        #expect(found.map(\.fix.time) == records.map(\.fix.time))
        #expect(found.dropFirst().allSatisfy { !$0.beginsSegment })
    }
}
