import Foundation
import GNSS
import Testing

@testable import Storage

/// The manual page tracklog_schema(5) against the database itself.
@Suite struct SchemaManualTests {
    private let manual: String
    private let database: Database
    private let folder: Folder

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        manual = try String(
            contentsOf: root.appendingPathComponent("Documentation/tracklog_schema.5"),
            encoding: .utf8)
        folder = try Folder()
        let store = try ForgettingTests.store(ForgettingTests.drive(3000), in: folder)
        store.record(.init(began: 1, because: "start"))
        try store.close(ending: "stopped")
        database = try Database(path: folder.database, access: .readOnly)
    }

    private func names(_ type: String) throws -> [String] {
        let statement = try Statement(
            """
            SELECT name FROM sqlite_schema WHERE type = '\(type)' AND name NOT LIKE 'sqlite%'
            ORDER BY name
            """, on: database)
        var names: [String] = []
        while try statement.step() { names.append(statement.text(0) ?? "") }
        return names
    }

    /// The columns told in a part of the page, by table or view.
    private func told(_ part: String) throws -> [String: [String]] {
        let start = try #require(manual.range(of: "\n.Sh \(part)\n"))
        let rest = manual[start.upperBound...]
        let text = rest[..<(rest.range(of: "\n.Sh ")?.lowerBound ?? rest.endIndex)]
        var told: [String: [String]] = [:]
        var name = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix(".Ss ") { name = String(line.dropFirst(4)) }
            if line.hasPrefix(".It Va ") {
                told[name, default: []].append(String(line.split(separator: " ")[2]))
            }
        }
        return told
    }

    @Test(arguments: [("VIEWS", "view"), ("TABLES", "table")])
    func `every column is told, in its order`(part: String, type: String) throws {
        let told = try told(part)
        #expect(told.keys.sorted() == (try names(type)))
        for (name, columns) in told {
            let statement = try Statement(
                "SELECT name FROM pragma_table_info('\(name)')", on: database)
            var real: [String] = []
            while try statement.step() { real.append(statement.text(0) ?? "") }
            #expect(real == columns, "\(name)")
        }
    }

    @Test func `every reason of a gap is told`() throws {
        let start = try #require(manual.range(of: "\n.Sh GAPS\n"))
        let told = String(manual[start.upperBound...])
            .components(separatedBy: "\n.Sh ")[0].split(separator: "\n")
            .filter { $0.hasPrefix(".It Li ") }.map { String($0.dropFirst(7)) }
        #expect(told == GapReason.allCases.map(\.name))
    }

    @Test func `every query of the page runs`() throws {
        let queries = manual.components(separatedBy: ".Bd -literal -offset indent\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n.Ed").first }
        #expect(queries.count > 5)
        var rows = 0
        for query in queries {
            let statement = try Statement(query, on: database)
            while try statement.step() { rows += 1 }
        }
        #expect(rows > 0)
    }

    /// 100 fixes are in no chunk yet, 3000 in two and an open one.
    @Test(arguments: [100, 3000])
    func `the faster query for a day gives what the plain one gives`(count: Int) throws {
        let folder = try Folder()
        let store = try ForgettingTests.store(ForgettingTests.drive(count), in: folder)
        try store.close(ending: "stopped")
        let database = try Database(path: folder.database, access: .readOnly)
        // All of them on 1 May 2026.
        let kept = try database.number("SELECT count(*) FROM track") ?? 0
        #expect(kept > Int64(count) * 9 / 10)
        let queries = manual.components(separatedBy: ".Bd -literal -offset indent\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n.Ed").first }
            .filter { $0.contains("'2026-05-01'") }
        #expect(queries.count == 2)
        for query in queries {
            let statement = try Statement(query, on: database)
            var rows: Int64 = 0
            while try statement.step() { rows += 1 }
            #expect(rows == kept)
        }
    }

    @Test func `it describes the version that this program writes`() {
        #expect(manual.contains("which this page describes as of \(Schema.version)."))
    }
}
