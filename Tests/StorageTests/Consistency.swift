import Foundation
import GNSS
import Testing

@testable import Storage

/// Sums up a database from its fixes alone and compares every table that says the same in sum.
enum Consistency {
    static func check(
        _ path: String, isVersion1: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        func expect(_ condition: Bool, _ comment: @autoclosure () -> String) {
            if !condition {
                Issue.record(Comment(rawValue: comment()), sourceLocation: sourceLocation)
            }
        }
        let database = try Database(path: path, access: .readOnly)
        let check = try Statement("PRAGMA integrity_check", on: database)
        expect(try check.step() && check.text(0) == "ok", "integrity: \(check.text(0) ?? "")")
        var counts = FixCounts()
        var chunks: [Int64: ChunkRow] = [:]
        var kept: [(sequence: Int64, row: FixRow)] = []
        let rows = try RowCursor(database, from: 0, through: .max)
        while let (sequence, row) = try rows.next() {
            counts.add(FixFlags(rawValue: UInt32(truncatingIfNeeded: row.flags)))
            let id = sequence >> Schema.chunkShift
            chunks[id, default: ChunkRow(id: id)].add(row)
            if row.isKept { kept.append((sequence, row)) }
        }
        let ledger = try Ledger(of: database)
        expect(ledger.counts == counts, "counts: \(ledger.counts), found \(counts)")
        // Version 1 did not count the fixes of a chunk.
        let columns =
            isVersion1
            ? ChunkRow.columns.replacing(" fixes,", with: " 0,").replacing(" kept,", with: " 0,")
            : ChunkRow.columns
        let stored = try Statement("SELECT \(columns) FROM chunk", on: database)
        while try stored.step() {
            var chunk = ChunkRow(stored)
            if isVersion1 {
                chunk.all.fixes = chunks[chunk.id]?.all.fixes ?? 0
                chunk.kept.fixes = chunks[chunk.id]?.kept.fixes ?? 0
            }
            expect(chunks[chunk.id] == chunk, "chunk \(chunk)\nfound \(chunks[chunk.id] as Any)")
        }
        let segments = try TrackReader(path: path).segments()
        var index = 0
        for segment in segments {
            var sums = Ledger.Summary()
            expect(
                index < kept.count && kept[index].sequence == segment.first,
                "segment \(segment) begins at no kept fix")
            while index < kept.count, kept[index].sequence <= segment.last {
                let (latitude, longitude) = kept[index].row.coarsePosition
                sums.add(
                    time: kept[index].row.milliseconds, latitude: latitude, longitude: longitude)
                index += 1
            }
            expect(
                index > 0 && kept[index - 1].sequence == segment.last,
                "segment \(segment) ends at no kept fix")
            expect(segment.fixes == sums.fixes, "segment \(segment), found \(sums.fixes) fixes")
            expect(segment.bounds == sums.bounds, "segment \(segment), found \(sums)")
            expect(
                segment.begin?.milliseconds == sums.timeFrom
                    && segment.end?.milliseconds == sums.timeTo, "segment \(segment), found \(sums)"
            )
        }
        expect(index == kept.count, "\(kept.count - index) kept fixes in no segment")
        expect(Set(segments.map(\.id)).count == segments.count, "a segment's number twice")
        for table in ["detail", "corrected"] {
            let orphans = try database.number(
                "SELECT count(*) FROM \(table) WHERE sequence NOT IN (SELECT sequence FROM fix)")
            expect(orphans == 0, "\(table) of no fix")
        }
    }

    /// How many of some needles of the same eight bytes or more are in the file or beside it in its log.
    static func found(_ needles: [[UInt8]], in path: String) throws -> Int {
        func head(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let byHead = Dictionary(grouping: needles) { head($0[...]) }
        var found = Set<[UInt8]>()
        for file in [path, path + "-wal"] {
            let text = [UInt8](FileManager.default.contents(atPath: file) ?? Data())
            var window: UInt64 = 0
            for index in text.indices {
                window = window << 8 | UInt64(text[index])
                guard index >= 7, let candidates = byHead[window] else { continue }
                for needle in candidates where text[(index - 7)...].starts(with: needle) {
                    found.insert(needle)
                }
            }
        }
        return found.count
    }
}

extension RecordedFix {
    /// Latitude and longitude as they stand side by side in a row (SQLite file format, section 2.1: big-endian).
    var bytes: [UInt8] {
        [fix.latitude, fix.longitude].flatMap { degrees in
            withUnsafeBytes(of: Int32((degrees * 1e7).rounded()).bigEndian) { Array($0) }
        }
    }

    /// The same of the corrected position, in 1e-9 degrees: six bytes each.
    var correctedBytes: [UInt8]? {
        corrected.map { position in
            [position.latitude, position.longitude].flatMap { degrees in
                withUnsafeBytes(of: Int64((degrees * 1e9).rounded()).bigEndian) {
                    Array($0.dropFirst(2))
                }
            }
        }
    }
}
