import GNSS
import Receiver
import Testing

/// SKY reports belong to the fixes of some seconds, until another says otherwise.
@Suite struct EmptySkyTests {
    private func fixes(_ lines: [String]) throws -> [Fix] {
        let decoder = try GPSDDecoder()
        var fixes: [Fix] = []
        func take(_ epoch: Epoch) { if case .fix(let fix) = epoch { fixes.append(fix) } }
        for line in lines {
            Array((line + "\r\n").utf8).withUnsafeBytes { decoder.decode($0, take) }
        }
        decoder.finish(take)
        return fixes
    }

    private func position(_ second: Int) -> String {
        "{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":3,"
            + "\"time\":\"2026-05-01T10:00:0\(second).000Z\",\"lat\":51.0,\"lon\":0.5}"
    }

    @Test func `a report that says nothing takes back what was said before`() throws {
        let full = "{\"class\":\"SKY\",\"device\":\"/dev/a\",\"hdop\":0.9,\"nSat\":12,\"uSat\":9}"
        let empty = "{\"class\":\"SKY\",\"device\":\"/dev/a\"}"
        let found = try fixes([position(0), full, position(1), position(2), empty])
        #expect(found.map(\.dop.hdop) == [0.9, 0.9, nil])
        #expect(found.map(\.satellitesUsed) == [9, 9, nil])
        #expect(found.map(\.satellitesSeen) == [12, 12, nil])
    }
}
