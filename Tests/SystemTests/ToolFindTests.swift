import Foundation
import Testing

/// `tracklog find` and `tracklog db` on the bundled drive.
@Suite struct ToolFindTests {
    let folder: TemporaryFolder
    let database: URL

    init() throws {
        folder = try TemporaryFolder()
        database = folder.url.appending(path: "drive.db")
        let run = try Program(
            "tracklogd", ["--replay", Fixture.drive.path, "--database", database.path])
        try #require(run.status == 0, "\(run.errors)")
    }

    private func tool(_ arguments: String...) throws -> Program {
        try Program("tracklog", arguments + ["--database", database.path])
    }

    private func sequences(_ run: Program) throws -> [Int] {
        #expect(run.status == 0, "\(run.errors)")
        return try String(decoding: run.output, as: UTF8.self).split(separator: "\n").map {
            let object = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            return try #require(object?["sequence"] as? Int)
        }
    }

    private func sql(_ text: String) throws -> [Int] {
        try SQLite.run(text, on: database).split(separator: "\n").compactMap { Int($0) }
    }

    @Test func `a box finds what SQL finds`() throws {
        let found = try sequences(tool("find", "--box", "-28.3,126.9,-28.2,127.2", "--json"))
        let right = try sql(
            """
            SELECT sequence FROM track WHERE lat BETWEEN -28.3 AND -28.2 AND lon BETWEEN 126.9
            AND 127.2 ORDER BY sequence
            """)
        #expect(!right.isEmpty)
        #expect(found == right)
    }

    @Test func `a circle finds what the haversine of SQL finds, but at its edge`() throws {
        let place = try SQLite.run(
            "SELECT lat || ',' || lon FROM track WHERE sequence = 3000", on: database)
        let parts = place.split(separator: ",").map(String.init)
        let found = Set(try sequences(tool("find", "--within", "500,\(place)", "--json")))
        func within(_ metres: Int) throws -> Set<Int> {
            // Over the mean radius (IUGG: 6371.0088 km): within 0.5 % of the ellipsoid.
            Set(
                try sql(
                    """
                    SELECT sequence FROM track WHERE 2 * 6371008.8 * asin(sqrt(
                    pow(sin(radians(lat - \(parts[0])) / 2), 2) + cos(radians(lat))
                    * cos(radians(\(parts[0]))) * pow(sin(radians(lon - \(parts[1])) / 2), 2)))
                    <= \(metres)
                    """))
        }
        #expect(try found.isSuperset(of: within(497)))
        #expect(try found.isSubset(of: within(503)))
    }

    @Test func `the nearest fix to one is that one`() throws {
        let place = try SQLite.run(
            "SELECT lat || ',' || lon FROM track WHERE sequence = 2000", on: database)
        #expect(try sequences(tool("find", "--near", place, "--last", "1", "--json")) == [2000])
        // From the other side of the Earth it is found as well.
        #expect(try sequences(tool("find", "--near", "28,-53", "--last", "3", "--json")).count == 3)
    }

    @Test func `a visit lasts from coming to leaving`() throws {
        let place = try SQLite.run(
            "SELECT lat || ',' || lon FROM track WHERE sequence = 3000", on: database)
        let run = try tool("find", "--within", "500,\(place)", "--visits", "--json")
        let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
        let fixes = try sequences(tool("find", "--within", "500,\(place)", "--json"))
        let visits = try lines.map {
            try #require(
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(visits.compactMap { $0["fixes"] as? Int }.reduce(0, +) == fixes.count)
        #expect(visits.first?["first_sequence"] as? Int == fixes.first)
        #expect(visits.last?["last_sequence"] as? Int == fixes.last)
    }

    @Test(arguments: [
        ["find"], ["find", "--within", "1,2"], ["find", "--within", "0,47,8"],
        ["find", "--box", "48,8,47,9"], ["find", "--near", "91,0"],
        ["find", "--near", "1,2", "--box", "1,2,3,4"], ["db", "inform"], ["db", "backup"],
        ["db", "info", "--output", "x"], ["db", "vacuum", "--output", "x"],
    ])
    func `what makes no sense is refused with a word`(arguments: [String]) throws {
        let run = try Program("tracklog", arguments + ["--database", database.path])
        #expect(run.status == EX_USAGE, "\(run.errors)")
        #expect(run.errors.hasPrefix("tracklog: "))
    }

    @Test func `the sums of the days are those of the track`() throws {
        let run = try tool("stats", "--by", "day", "--json")
        let days = try String(decoding: run.output, as: UTF8.self).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(days.compactMap { $0["day"] as? String } == ["2026-03-14", "2026-03-15"])
        let kept = days.compactMap { ($0["sums"] as? [String: Any])?["kept"] as? Int }
        #expect(
            try kept
                == sql("SELECT count(*) FROM track GROUP BY substr(time, 1, 10) ORDER BY min(time)")
        )
        let gaps = days.map { day in
            let list = (day["sums"] as? [String: Any])?["gaps"] as? [[String: Any]]
            return (list ?? []).reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
        }
        #expect(
            try gaps
                == sql(
                    """
                    SELECT (SELECT count(*) FROM gaps g WHERE substr(g.time_from, 1, 10) = day)
                    FROM (SELECT DISTINCT substr(time, 1, 10) AS day FROM track) ORDER BY day
                    """))
        #expect(gaps.contains { $0 > 0 })
    }

    @Test func `info, check, backup, salvage and vacuum of a sound database end well`() throws {
        let info = try tool("db", "info", "--json")
        let object = try JSONSerialization.jsonObject(with: info.output) as? [String: Any]
        #expect(
            try object?["durable_sequence"] as? Int == sql("SELECT max(sequence) FROM fix").first)
        #expect(try object?["kept"] as? Int == sql("SELECT count(*) FROM track").first)
        #expect(try tool("db", "check").status == 0)
        let before = try SQLite.content(of: database)
        for action in ["backup", "salvage"] {
            let target = folder.url.appending(path: "\(action).db")
            let run = try tool("db", action, "--output", target.path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try SQLite.content(of: target) == before)
        }
        #expect(try tool("db", "vacuum").status == 0)
        #expect(try SQLite.content(of: database) == before)
    }

    @Test func `a damaged database is told in words, and salvaged`() throws {
        var bytes = try Data(contentsOf: database)
        bytes.replaceSubrange(20 * 4096..<21 * 4096, with: Data(repeating: 0x5A, count: 4096))
        try bytes.write(to: database)
        let check = try tool("db", "check")
        #expect(check.status == EX_DATAERR)
        let said = String(decoding: check.output, as: UTF8.self)
        #expect(said.contains("damaged") && said.contains("salvage"), "\(said)")
        let target = folder.url.appending(path: "rescued.db")
        let salvage = try tool("db", "salvage", "--output", target.path)
        #expect(salvage.status == 0, "\(salvage.errors)")
        #expect(try Program("tracklog", ["db", "check", target.path]).status == 0)
        #expect(try Int(SQLite.run("SELECT count(*) FROM fix", on: target)) ?? 0 > 6700)
    }
}
