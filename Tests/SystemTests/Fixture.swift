import Foundation
import Testing

/// Inputs of the system tests.
enum Fixture {
    static let folder = Program.root.appending(path: "Tests/Fixtures")
    static let drive = folder.appending(path: "drive.nmea.gz")

    struct Truth: Decodable {
        var epochs, epochsWithFix, epochsWithoutFix: Int
        var badFixes, damagedSentences: [String]
        var distance, movingTime, topSpeed: Double
    }

    static func truth() throws -> Truth {
        try JSONDecoder().decode(
            Truth.self, from: Data(contentsOf: folder.appending(path: "drive.truth.json")))
    }
}

/// Reads a database with SQLite's own shell.
enum SQLite {
    static func run(_ sql: String, on database: URL) throws -> String {
        let shell = try Program("/usr/bin/sqlite3", ["-batch", database.path, sql])
        try #require(shell.status == 0, "sqlite3: \(shell.errors)")
        return String(decoding: shell.output, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Every fix, as recorded; a log gives the same whether it went in at once or in parts.
    static func fixes(of database: URL) throws -> String {
        try run("SELECT * FROM fix; SELECT * FROM detail", on: database)
    }

    /// Everything that one log fills the same way every time it is replayed from end to end.
    static func content(of database: URL) throws -> String {
        try fixes(of: database)
            + run("SELECT * FROM segments; SELECT * FROM gaps", on: database)
    }
}
