import Foundation
import Testing

/// The programs as they ship, which `make release` builds.
enum Release {
    static let required = ProcessInfo.processInfo.environment["CI"] == "true"

    static func program(_ name: String) -> URL {
        SourceTree.root.appending(path: ".build/release/\(name)")
    }

    static let isBuilt = ["tracklogd", "tracklog"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: program($0).path)
    }

    /// The output of a tool of the system.
    static func output(of tool: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(tool) failed")
        return String(decoding: data, as: UTF8.self)
    }
}

/// What the shipped programs link; in CI they must have been built, elsewhere `make release` does it.
@Suite(.enabled(if: Release.required || Release.isBuilt, "skipped: no release build"))
struct LinkTests {
    @Test(arguments: ["tracklogd", "tracklog"])
    func `a program links no Swift library, Foundation or libdispatch`(name: String) throws {
        let libraries = try Release.output(of: "ldd", [Release.program(name).path])
        #expect(!libraries.contains(#/Foundation|dispatch|libswift|libicu|BlocksRuntime/#))
    }

    @Test func `the daemon loads its libraries at its start, the tool what it needs when it does`()
        throws
    {
        // A daemon finds out at its start; a tool that is asked for the status does not load twenty libraries.
        let daemon = try Release.output(of: "ldd", [Release.program("tracklogd").path])
        for library in ["libgps", "libsqlite3", "libsystemd", "libjansson", "libz"] {
            #expect(daemon.contains("\(library).so"))
        }
        let tool = try Release.output(of: "ldd", [Release.program("tracklog").path])
        #expect(!tool.contains(#/libgps|libdbus|libsystemd|libstdc|libsqlite3|libexpat/#))
    }

    @Test func `the daemon does not link what reads files of strangers`() throws {
        let libraries = try Release.output(of: "ldd", [Release.program("tracklogd").path])
        #expect(!libraries.contains("libexpat"))
    }

    @Test(arguments: ["tracklogd", "tracklog"])
    func `a program holds no code of Foundation, libdispatch or the concurrency runtime`(
        name: String
    ) throws {
        let symbols = try Release.output(of: "nm", [Release.program(name).path])
        #expect(symbols.contains("swift_retain"), "stripped: nothing can be told")
        #expect(
            !symbols.contains(
                #/\s(?:swift_task_\w+|swift_job_run|_?dispatch_\w+|\$s10Foundation\w*|\$s20FoundationEssentials\w*)/#
            ))
    }
}
