import Foundation
import Testing

/// A program of the package, run to its end with what it says.
struct Program {
    /// The package's folder.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder the programs under test are in: `TRACKLOG_BIN`, else beside the tests.
    static let folder =
        ProcessInfo.processInfo.environment["TRACKLOG_BIN"].map { URL(filePath: $0) } ?? built

    /// The folder this test bundle was built into.
    static let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    let status: Int32
    let output: Data
    let errors: String

    /// Runs a program and waits for its end.
    ///
    /// - Parameters:
    ///   - tool: a name in ``folder``, or an absolute path.
    ///   - arguments: as on a command line.
    ///   - input: a file for standard input, nothing otherwise.
    ///   - folder: the working directory.
    init(_ tool: String, _ arguments: [String], input: URL? = nil, in folder: URL? = nil) throws {
        let process = Process()
        process.executableURL =
            tool.hasPrefix("/") ? URL(filePath: tool) : Program.folder.appending(path: tool)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging([
            "SWIFT_BACKTRACE": "enable=no"
        ]) { $1 }
        // Files, not pipes: neither end can make the other wait.
        let out = try TemporaryFolder()
        let paths = ["out", "err"].map { out.url.appending(path: $0) }
        for path in paths { try Data().write(to: path) }
        process.standardInput =
            try input.map { try FileHandle(forReadingFrom: $0) }
            ?? FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: paths[0])
        process.standardError = try FileHandle(forWritingTo: paths[1])
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        output = try Data(contentsOf: paths[0])
        errors = String(decoding: try Data(contentsOf: paths[1]), as: UTF8.self)
    }
}

/// A folder that goes away with its owner.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "tracklog-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
