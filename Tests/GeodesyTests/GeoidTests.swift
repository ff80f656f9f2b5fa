import Foundation
import Geodesy
import Testing

@Suite struct GeoidTests {
    @Test func `the compiled-in table stays within eight metres of the grid`() throws {
        var squares = 0.0
        let rows = try Table("geoid").rows
        for row in rows {
            let separation = try #require(
                Geoid.separation(latitude: try row["lat"], longitude: try row["lon"]))
            let error = separation - (try row["undulation_m"])
            #expect(abs(error) <= 8, "\(row.text("id"))")
            squares += error * error
        }
        #expect((squares / Double(rows.count)).squareRoot() < 1)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: GeoidTests.gridPath)))
    func `the grid of proj-data agrees with PROJ to a centimetre`() throws {
        let grid = try GeoidGrid(path: GeoidTests.gridPath)
        for row in try Table("geoid").rows {
            let separation = try #require(
                grid.separation(latitude: try row["lat"], longitude: try row["lon"]))
            #expect(abs(separation - (try row["undulation_m"])) <= 0.01, "\(row.text("id"))")
        }
    }

    @Test func `a grid file is interpolated, round the earth and to the poles`() throws {
        // Two rows at the poles and one between; four columns from 180 W: 10, 20, 30, 40 at the equator.
        let path = try GeoidTests.written(
            rows: 3, columns: 4, [5, 5, 5, 5, 10, 20, 30, 40, 7, 7, 7, 7])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let grid = try GeoidGrid(path: path)
        #expect(grid.separation(latitude: 0, longitude: -90) == 20)
        #expect(grid.separation(latitude: 0, longitude: -135) == 15)
        #expect(grid.separation(latitude: 0, longitude: 135) == 25)
        #expect(grid.separation(latitude: 0, longitude: 180) == 10)
        #expect(grid.separation(latitude: -90, longitude: 33) == 5)
        #expect(grid.separation(latitude: 90, longitude: 33) == 7)
        #expect(grid.separation(latitude: .nan, longitude: 0) == nil)
        #expect(grid.separation(latitude: 91, longitude: 0) == nil)
    }

    @Test func `a file that is no grid is named`() throws {
        #expect(throws: GeoidGridError.unreadable(path: "/nowhere", code: 2)) {
            try GeoidGrid(path: "/nowhere")
        }
        let short = try GeoidTests.written(rows: 4, columns: 4, [1, 2, 3])
        defer { try? FileManager.default.removeItem(atPath: short) }
        #expect(throws: GeoidGridError.notAGrid(path: short)) { try GeoidGrid(path: short) }
    }

    @Test func `any double is survived`() {
        for bad in [Double.nan, .infinity, -.infinity, 91, -1e300] {
            #expect(Geoid.separation(latitude: bad, longitude: 0) == nil)
        }
        #expect(Geoid.separation(latitude: 0, longitude: .infinity) == nil)
        let east = Geoid.separation(latitude: 10, longitude: 180)
        #expect(east == Geoid.separation(latitude: 10, longitude: -180))
    }

    static let gridPath =
        ProcessInfo.processInfo.environment["TRACKLOG_GEOID"]
        ?? GeoidGrid.defaultPath

    private static func written(rows: Int, columns: Int, _ values: [Float]) throws -> String {
        var data = Data()
        func append(_ value: UInt64) { withUnsafeBytes(of: value.bigEndian) { data += $0 } }
        func append(_ value: UInt32) { withUnsafeBytes(of: value.bigEndian) { data += $0 } }
        for number in [-90, -180, 180 / Double(rows - 1), 360 / Double(columns)] {
            append(number.bitPattern)
        }
        append(UInt32(rows))
        append(UInt32(columns))
        for value in values { append(value.bitPattern) }
        let url = FileManager.default.temporaryDirectory
            .appending(path: "tracklog-geoid-\(UUID().uuidString).gtx")
        try data.write(to: url)
        return url.path
    }
}
