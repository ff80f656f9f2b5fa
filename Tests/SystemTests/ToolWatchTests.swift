import Foundation
import Testing

/// The live screen, on a terminal of Python's making.
@Suite struct ToolWatchTests {
    /// Runs `watch` on a pseudo-terminal of 100 by 40, then of 60 by 20, and ends it by a key or a signal.
    private func screen(_ daemon: ToolDaemon, ending: String) throws -> [String: Any] {
        let script = #"""
            import fcntl, json, os, pty, select, signal, struct, sys, termios, time
            def size(fd, rows, columns):
                fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            main, side = pty.openpty()
            size(main, 40, 100)
            before = termios.tcgetattr(side)
            pid = os.fork()
            if pid == 0:
                os.setsid()
                fcntl.ioctl(side, termios.TIOCSCTTY, 0)
                for fd in (0, 1, 2): os.dup2(side, fd)
                os.environ["TERM"] = "xterm-256color"
                os.execv(sys.argv[1], [sys.argv[1], "--socket", sys.argv[2], "watch"])
            text = b""
            def read(until, limit):
                global text
                start, end = len(text), time.monotonic() + limit
                while time.monotonic() < end:
                    ready, _, _ = select.select([main], [], [], 0.1)
                    if ready:
                        try: text += os.read(main, 65536)
                        except OSError: break
                    if text.count(until, start) >= 3: break
                return text[start:]
            large = read(b"\x1b[J", 20)
            size(main, 20, 60)
            os.kill(pid, signal.SIGWINCH)
            small = read(b"\x1b[J", 20)
            if sys.argv[3] == "key": os.write(main, b"q")
            else: os.kill(pid, signal.SIGINT)
            end = time.monotonic() + 20
            status = None
            while time.monotonic() < end:
                done, status = os.waitpid(pid, os.WNOHANG)
                if done: break
                read(b"nothing", 0.1)
            read(b"nothing", 0.3)
            after = termios.tcgetattr(side)
            print(json.dumps({"large": large.decode(), "small": small.decode(),
                "tail": text[-40:].decode(), "status": status, "restored": before[3] == after[3]}))
            """#
        let program = try Program(
            "/usr/bin/python3",
            ["-c", script, Program.folder.appending(path: "tracklog").path, daemon.socket, ending])
        try #require(program.status == 0, "\(program.errors)")
        return try #require(
            try JSONSerialization.jsonObject(with: program.output) as? [String: Any])
    }

    @Test(arguments: ["key", "signal"])
    func `the screen shows state, sky and way, fits its terminal and gives it back`(
        ending: String
    ) throws {
        let found = try screen(try ToolDaemon(), ending: ending)
        let large = try #require(found["large"] as? String)
        for word in ["\u{1B}[?1049h", "tracklogd", "Source", "Receiver", "Fix", "q quits"] {
            #expect(large.contains(word), "\(word)")
        }
        #expect(large.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
        let small = try #require(found["small"] as? String)
        let last = try #require(
            small.components(separatedBy: "\u{1B}[H").last { $0.hasSuffix("\u{1B}[J") })
        #expect(last.components(separatedBy: "\r\n").count <= 20)
        #expect((found["tail"] as? String)?.contains("\u{1B}[?1049l") == true)
        #expect(found["status"] as? Int == 0)
        #expect(found["restored"] as? Bool == true)
    }

    @Test func `where nobody looks it is lines`() throws {
        let daemon = try ToolDaemon()
        let program = try daemon.tool("watch", "--kinds", "fixes", "--count", "1")
        #expect(try program.objects().first?["kind"] as? String == "fix")
    }
}
