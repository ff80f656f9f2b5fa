import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite(.serialized) struct IdleTests {
    /// How long it is watched.
    static let seconds: UInt32 = 5

    @Test func `a daemon that waits has one thread, does not wake and stays small`() throws {
        // The first fix is stored at once, the next one is three hours away.
        let folder = try TemporaryFolder()
        let daemon = try RunningDaemon(
            in: folder, ["--speed", "0.0001", "--set", "Store.CommitCount=1"])
        // Asked once, so that the socket's code and memory are in the sum.
        #expect(try Program("tracklog", ["--socket", daemon.socket.path, "status"]).status == 0)
        let before = try ProcessFacts(daemon.pid)
        sleep(Self.seconds)
        let after = try ProcessFacts(daemon.pid)
        #expect(after.threads == 1)
        #expect(after.voluntarySwitches == before.voluntarySwitches)
        #expect(after.ownKilobytes <= 4096)
        // Of the programs as they ship; what is built for debugging is larger.
        if ProcessInfo.processInfo.environment["TRACKLOG_BIN"] != nil {
            #expect(after.residentKilobytes * 1024 <= 10_000_000)
        }
        #expect(daemon.end(SIGTERM) == 0)
    }
}

/// What the kernel says of a process with one thread, proc(5).
private struct ProcessFacts {
    let threads: Int
    let voluntarySwitches: Int
    /// Without the pages of programs and libraries, which other processes share.
    let ownKilobytes: Int
    /// With them, as far as they are mapped.
    let residentKilobytes: Int

    init(_ pid: Int32) throws {
        let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        func value(_ key: String) throws -> Int {
            let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
            let number = try #require(line).drop { !$0.isNumber }.prefix { $0.isNumber }
            return try #require(Int(number))
        }
        threads = try value("Threads")
        voluntarySwitches = try value("voluntary_ctxt_switches")
        ownKilobytes = try value("RssAnon")
        residentKilobytes = try value("VmRSS")
    }
}
