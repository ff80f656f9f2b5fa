import Foundation
import Testing

/// Rights by what the kernel says of a client: needs root to become somebody else.
@Suite struct AccessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What a user without a name gets for a request.
    private func ask(_ daemon: RunningDaemon, _ request: String, group: Int = 64_999) throws
        -> String?
    {
        guard geteuid() == 0 else {
            print("skipped: not root")
            return nil
        }
        chmod(daemon.socket.path, 0o666)
        let socat = try Program(
            "/usr/bin/setpriv",
            [
                "--reuid=64999", "--regid=64998", "--groups=\(group)", "/bin/sh", "-c",
                "echo '\(request)' | socat -t 5 - UNIX-CONNECT:\(daemon.socket.path) | head -n 2",
            ])
        return String(decoding: socat.output, as: UTF8.self) + socat.errors
    }

    @Test func `a reader looks, is not told where, and changes nothing`() throws {
        let daemon = try RunningDaemon(
            in: folder, ["--speed", "5", "--set", "Status.Redact=yes"])
        _ = try Program(
            "tracklog", ["--socket", daemon.socket.path, "watch", "--kinds", "fixes", "-n", "1"])
        guard let fix = try ask(daemon, "fix") else { return }
        #expect(fix.contains("\"withheld\":true") && fix.contains("\"mode\":3"), "\(fix)")
        #expect(!fix.contains("\"lat\"") && !fix.contains("\"course\""))
        for request in ["status", "watch", "sky", "metrics", "config"] {
            let answer = try #require(try ask(daemon, request))
            #expect(answer.contains("\"result\""), "\(answer)")
            for word in ["\"lat\"", "\"lon\"", "\"azimuth\"", "\"alt_msl\""] {
                #expect(!answer.contains(word), "\(request): \(word)")
            }
        }
        for request in ["pause", "locate", "mark", "reload", "flush"] {
            let answer = try #require(try ask(daemon, request))
            #expect(answer.contains("\(request) needs the right of a controller"), "\(answer)")
        }
        let own = try Program("tracklog", ["--socket", daemon.socket.path, "status", "--json"])
        #expect(String(decoding: own.output, as: UTF8.self).contains("\"lat\""))
    }

    @Test func `the settings name who may look and who may change, under way too`() throws {
        let daemon = try RunningDaemon(
            in: folder, ["--set", "Status.Readers=root", "--set", "Status.Controllers=@64999"])
        guard let answer = try ask(daemon, "resume") else { return }
        #expect(answer.contains("\"paused\":false"), "\(answer)")
        let none = try #require(try ask(daemon, "status", group: 64_997))
        #expect(none.contains("status needs the right of a reader"), "\(none)")
        let set = try Program(
            "tracklog", ["--socket", daemon.socket.path, "set", "Readers", "root", "64999"])
        #expect(set.status == 0, "\(set.errors)")
        #expect(try #require(try ask(daemon, "status", group: 64_997)).contains("\"result\""))
        #expect(
            try #require(try ask(daemon, "resume", group: 64_997)).contains("right of a controller")
        )
    }

    @Test func `a name that nobody has gives no right and is told`() throws {
        let daemon = try RunningDaemon(
            in: folder, ["--set", "Status.Readers=nobody-of-this-name"])
        #expect(daemon.said.contains("unknown user or group name=nobody-of-this-name"))
        guard let answer = try ask(daemon, "status") else { return }
        #expect(answer.contains("right of a reader"), "\(answer)")
    }

    @Test func `who may open the socket in the folder beside may change things`() throws {
        guard geteuid() == 0 else {
            print("skipped: not root")
            return
        }
        let place = folder.url.appending(path: "run")
        let control = folder.url.appending(path: "run-control")
        for url in [place, control] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        }
        chmod(folder.url.path, 0o755)
        chmod(place.path, 0o755)
        // As tmpfiles.d makes it; the group is what opens it.
        chown(control.path, 0, 64_997)
        chmod(control.path, 0o2750)
        let daemon = try RunningDaemon(in: folder, name: "run/d")
        let socket = daemon.socket.path
        chmod(socket, 0o666)
        func tool(_ group: Int, _ arguments: String...) throws -> Program {
            try Program(
                "/usr/bin/setpriv",
                [
                    "--reuid=64999", "--regid=64998", "--groups=\(group)", Program.tracklog,
                    "--socket", socket,
                ]
                    + arguments)
        }
        #expect(try tool(64_996, "status").status == 0)
        let refused = try tool(64_996, "pause")
        #expect(
            refused.status == 77 && refused.errors.contains("right of a controller"),
            "\(refused.errors)")
        let paused = try tool(64_997, "pause")
        #expect(paused.status == 0, "\(paused.errors)")
        #expect(try tool(64_997, "resume").status == 0)
        #expect(daemon.end(SIGTERM) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: control.path).isEmpty)
    }

    @Test func `a folder of somebody else gives no control`() throws {
        guard geteuid() == 0 else {
            print("skipped: not root")
            return
        }
        let place = folder.url.appending(path: "run")
        let control = folder.url.appending(path: "run-control")
        for url in [place, control] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        }
        chown(control.path, 64_999, 64_999)
        let daemon = try RunningDaemon(in: folder, name: "run/d")
        #expect(daemon.said.contains("no control socket"), "\(daemon.said)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: control.path).isEmpty)
    }
}
