import Foundation
import Testing

/// A process of its own that writes to a database: the built `bench-store`.
final class Bench {
    private let process = Process()
    private let pipe = Pipe()
    private var text = ""

    /// Starts it, through another program if one is named.
    init(_ prefix: [String], _ arguments: [String]) throws {
        let command = prefix + [try Bench.path()] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        kill()
    }

    /// The program stands beside the test bundle.
    private static func path() throws -> String {
        let bundles = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        for neighbour in bundles + [executable] {
            let path = (neighbour as NSString).deletingLastPathComponent + "/bench-store"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw CocoaError(.fileNoSuchFile)
    }

    /// Everything it prints; waits for its end.
    func output() -> String {
        text += String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return text
    }

    /// Its exit status; waits for its end.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Reads on until it prints some words.
    func waitForOutput(_ words: String) throws {
        while !text.contains(words) {
            let data = pipe.fileHandleForReading.availableData
            try #require(!data.isEmpty, "it ended without '\(words)': \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
        // Nobody reads any more: what follows must not block it.
        pipe.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    /// Waits until it has acknowledged more than a sequence; gives the last one.
    func waitForAcks(_ file: String, above sequence: Int64) throws -> Int64 {
        while true {
            let last = try Bench.lastAck(file)
            if last > sequence { return last }
            try #require(process.isRunning, "it ended: \(last)")
            usleep(2000)
        }
    }

    static func lastAck(_ file: String) throws -> Int64 {
        guard let handle = FileHandle(forReadingAtPath: file) else { return 0 }
        defer { try? handle.close() }
        // Whole lines at the end; the file grows meanwhile.
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size < 100 ? 0 : size - 100)
        let text = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        guard let end = text.lastIndex(of: "\n") else { return 0 }
        return text[..<end].split(separator: "\n").last
            .flatMap { $0.hasPrefix("ACK ") ? Int64($0.dropFirst(4)) : nil } ?? 0
    }

    static func acks(_ file: String) throws -> Set<Int64> {
        let data = FileManager.default.contents(atPath: file) ?? Data()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        return Set(lines.compactMap { $0.hasPrefix("ACK ") ? Int64($0.dropFirst(4)) : nil })
    }

    func liftFileSizeLimit() throws {
        let lift = Process()
        lift.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        lift.arguments = ["--pid", "\(process.processIdentifier)", "--fsize=unlimited"]
        try lift.run()
        lift.waitUntilExit()
        try #require(lift.terminationStatus == 0)
    }

    func terminate() {
        process.terminate()
    }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
