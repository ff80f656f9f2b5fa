import Foundation
import Testing

import Geodesy

/// Lengths of `corpus/coordinates/geodesic.csv` (GeographicLib 2.1, `GeodSolve -i`), and limits of use.
@Suite struct LocalDistanceTests {
    static var lines:
        [(id: String, lat1: Double, lon1: Double, lat2: Double, lon2: Double, metres: Double)]
    {
        let root = ProcessInfo.processInfo.environment["TRACKLOG_CORPUS"] ?? "../shared/corpus"
        let text = try? String(contentsOfFile: root + "/coordinates/geodesic.csv", encoding: .utf8)
        guard let text else {
            if ProcessInfo.processInfo.environment["CI"] == "true" { Issue.record("no corpus") }
            print("skipped: no corpus")
            return []
        }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            guard cells.count > 6, let lat1 = Double(cells[2]), let lon1 = Double(cells[3]),
                let lat2 = Double(cells[4]), let lon2 = Double(cells[5]),
                let metres = Double(cells[6])
            else { return nil }
            return (String(cells[0]), lat1, lon1, lat2, lon2, metres)
        }
    }

    @Test func `lengths under 100 km agree with GeographicLib to 2e-5`() {
        for line in Self.lines where line.metres < 100_000 {
            let ours = LocalDistance.between(line.lat1, line.lon1, line.lat2, line.lon2)
            #expect(abs(ours - line.metres) <= max(2e-5 * line.metres, 1e-6), "\(line.id)")
        }
    }

    @Test func `lengths beyond agree with GeographicLib to a millimetre`() {
        for line in Self.lines where line.metres >= 100_000 {
            let ours = LocalDistance.between(line.lat1, line.lon1, line.lat2, line.lon2)
            #expect(abs(ours - line.metres) <= 1e-3, "\(line.id)")
        }
    }

    @Test func `every longitude at a pole is the same point`() {
        #expect(LocalDistance.between(90, 0, 90, 120) < 1e-6)
        #expect(LocalDistance.between(-90, -180, -90, 12) < 1e-6)
    }

    @Test func `180 east and 180 west are the same meridian`() {
        #expect(LocalDistance.between(51, 180, 51, -180) == 0)
    }
}
