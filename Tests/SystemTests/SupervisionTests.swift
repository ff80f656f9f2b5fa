import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct SupervisionTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    // Half of the interval at least, three quarters at most: sd_watchdog_enabled(3) asks for half.
    @Test func `a daemon that works feeds the watchdog in time, a stopped one does not`() throws {
        let daemon = try RunningDaemon(in: folder, watchdog: 2)
        for _ in 0..<3 { #expect(daemon.manager.hears("WATCHDOG=1", within: 1.9)) }
        #expect(kill(daemon.pid, SIGSTOP) == 0)
        while daemon.manager.hears("WATCHDOG=1", within: 0) {}
        #expect(!daemon.manager.hears("WATCHDOG=1", within: 2.5))
        #expect(kill(daemon.pid, SIGCONT) == 0)
        #expect(daemon.manager.hears("WATCHDOG=1", within: 2))
        #expect(daemon.end(SIGTERM) == 0)
        #expect(daemon.manager.hears("STOPPING=1\nSTATUS=stopping: signal", within: 1))
    }

    @Test func `a hang-up reads the settings again, and a mistake in them changes nothing`() throws
    {
        let file = folder.url.appending(path: "t.conf")
        func write(_ text: String) throws { try Data(text.utf8).write(to: file) }
        try write("[Tracking]\nGapAfter=20\n")
        let daemon = try RunningDaemon(in: folder, ["--config", file.path])
        func gapAfter() throws -> String {
            let run = try Program(
                "tracklog", ["--socket", daemon.socket.path, "get", "Tracking.GapAfter"])
            return String(decoding: run.output, as: UTF8.self)
        }
        func reload() {
            #expect(kill(daemon.pid, SIGHUP) == 0)
            #expect(daemon.manager.hears("RELOADING=1", within: 5))
        }
        try write("[Tracking]\nGapAfter=30\n")
        reload()
        #expect(daemon.manager.hears("READY=1\nSTATUS=replaying", within: 5))
        #expect(try gapAfter().contains("30s"))
        try write("[Tracking]\nGapAfter=thirty\n")
        reload()
        #expect(daemon.manager.hears("the settings files have a mistake", within: 5))
        #expect(try gapAfter().contains("30s"))
        #expect(daemon.said.contains("t.conf:2:10: bad value 'thirty'"), "\(daemon.said)")
        #expect(daemon.end(SIGTERM) == 0)
    }
}
