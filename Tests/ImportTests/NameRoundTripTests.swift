import Export
import GNSS
import Testing

@testable import Import

/// The names of fixes in the formats that carry them.
@Suite struct NameRoundTripTests {
    private static let here = String(repeating: "0f", count: 16)
    private static let elsewhere = String(repeating: "c3", count: 16)

    private func text(_ records: [RecordedFix], _ format: ExportFormat, store: String?) -> String {
        var info = ExportInfo(name: "drive", creator: "tracklog")
        info.store = store
        var exporter = TrackExporter(format, info)
        for record in records { exporter.add(record) }
        exporter.end()
        var bytes: [UInt8] = []
        exporter.drain(over: 0) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let pairs: [(ExportFormat, ImportFormat)] = [
        (.gpx, .gpx), (.geojson, .geojson), (.csv, .csv), (.jsonl, .jsonl),
    ]

    @Test(arguments: pairs)
    func `fixes come back with their names, those from elsewhere with their old ones`(
        written: ExportFormat, read: ImportFormat
    ) throws {
        var records = drive
        for index in 7..<9 {
            records[index].origin = FixID(store: Self.elsewhere, sequence: Int64(index) + 500)
        }
        let found = try points(text(records, written, store: Self.here), read)
        #expect(found.map(\.fix.time) == records.map(\.fix.time))
        #expect(
            found.map(\.id)
                == records.map { $0.origin ?? FixID(store: Self.here, sequence: $0.sequence) })
        // A change of names within a segment is no break of the line.
        #expect(found.indices.filter { found[$0].beginsSegment && $0 > 0 } == [5])
    }

    @Test(arguments: pairs)
    func `a file without names gives none`(written: ExportFormat, read: ImportFormat) throws {
        let text = text(drive, written, store: nil)
        #expect(!text.contains(Self.here))
        #expect(try points(text, read).allSatisfy { $0.id == nil })
    }

    @Test func `names survive the cut at the antimeridian and a segment of one fix`() throws {
        var records = Array(drive.prefix(5))
        for (index, longitude) in [179.999, 179.9995, -179.9995, -179.999, 7].enumerated() {
            records[index].fix.longitude = longitude
            records[index].segment = index < 4 ? 1 : 2
        }
        let found = try points(text(records, .geojson, store: Self.here), .geojson)
        #expect(found.map(\.id?.sequence) == [1, 2, 3, 4, 5])
    }

    @Test func `a point between fixes has no name, and is left out where it is told`() throws {
        var records = Array(drive.prefix(3))
        records[1].flags = .interpolated
        for (written, read) in Self.pairs {
            let found = try points(text(records, written, store: Self.here), read)
            #expect(found.compactMap(\.id?.sequence) == [1, 3])
            // KML has no place to say it.
            #expect(found.count == (read == .kml ? 3 : 2), "\(read)")
        }
    }

    @Test func `an id of another program is none`() throws {
        let csv = "id,lat,lon,time\n17,47,8,2026-05-01T10:00:00Z\nx-1,47,8,2026-05-01T10:00:01Z\n"
        #expect(try points(csv, .csv).map(\.id) == [nil, nil])
        let lines = "{\"id\":17,\"lat\":47,\"lon\":8,\"time\":\"2026-05-01T10:00:00Z\"}\n"
        #expect(try points(lines, .jsonl).map(\.id) == [nil])
    }
}
