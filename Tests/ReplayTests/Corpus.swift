import Foundation
import Testing

/// The shared collection of real receiver logs, which is not part of this repository.
enum Corpus {
    /// The package's root.
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A folder of the collection, `nil` when it is not on this machine.
    static func folder(_ name: String) -> URL? {
        let root =
            ProcessInfo.processInfo.environment["TRACKLOG_CORPUS"].map {
                URL(fileURLWithPath: $0)
            } ?? package.appendingPathComponent("../shared/corpus")
        let folder = root.appendingPathComponent(name).standardizedFileURL
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    /// That folder; without it the test is passed over here and fails in CI.
    static func require(_ name: String) throws -> URL? {
        if let folder = folder(name) { return folder }
        print("skipped: no corpus")
        try #require(
            ProcessInfo.processInfo.environment["CI"] != "true", "CI runs with the corpus")
        return nil
    }

    /// One of the cases in `Fixtures/bugs`.
    static func bug(_ name: String) throws -> Data {
        try Data(
            contentsOf: package.appendingPathComponent("Tests/ReplayTests/Fixtures/bugs/\(name)"))
    }
}
