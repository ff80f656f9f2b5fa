import Foundation
import GNSS
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Testing

/// A server on a live loop in a folder of its own; clients are plain sockets of the same thread.
final class Rig {
    let folder: String
    let loop: EventLoop
    let listener: UnixListener
    let server: StatusServer
    var path: String { folder + "/s" }

    init(_ limits: ServerLimits = ServerLimits()) throws {
        folder = NSTemporaryDirectory() + "tracklog-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        loop = try EventLoop()
        listener = try UnixListener(at: UnixAddress(folder + "/s"))
        server = StatusServer(loop: loop, limits: limits)
        server.register(.status) { _, _, result in
            var report = StatusReport()
            report.version = "rig"
            result.append(report)
        }
        try server.listen(on: listener.descriptor)
    }

    deinit {
        server.stop()
        listener.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func turn(
        until done: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let limit = SystemClock.now + .seconds(10)
        while try !done() {
            guard SystemClock.now < limit else {
                Issue.record("it did not happen in 10 s", sourceLocation: sourceLocation)
                return
            }
            try loop.step(atMost: .milliseconds(20))
        }
    }

    func connect() throws -> TestClient {
        let client = try TestClient(path)
        let before = server.counts.accepted
        try turn { server.counts.accepted > before }
        return client
    }

    /// Runs a program to its end while the loop turns.
    func run(_ command: String, input: String? = nil) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = [
            "S": path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        ]
        let output = folder + "/out"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        try process.run()
        try turn { !process.isRunning }
        return try String(contentsOfFile: output, encoding: .utf8)
    }
}

extension StatusProtocol.Method {
    /// One whose answer comes when the test gives it.
    static let slow = Method("slow", "Takes its time.", role: .controller)
}

/// One end of a connection that never blocks.
final class TestClient {
    let descriptor: Int32
    private(set) var received: [UInt8] = []
    private(set) var isClosed = false

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = try UnixAddress(path)
        let descriptor = descriptor
        let code = address.withSockaddr { Glibc.connect(descriptor, $0, $1) }
        try #require(code == 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(descriptor)
    }

    /// Sends as much as fits.
    @discardableResult
    func send(_ text: String) -> Int {
        send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func endInput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads at most that much of what is there.
    func read(atMost limit: Int = .max) {
        var bytes = [UInt8](repeating: 0, count: min(limit, 65_536))
        var rest = limit
        while rest > 0 {
            let count = recv(descriptor, &bytes, min(bytes.count, rest), 0)
            if count == 0 || (count < 0 && errno != EAGAIN) { isClosed = true }
            guard count > 0 else { return }
            received += bytes[..<count]
            rest -= count
        }
    }

    var lines: [String] {
        read()
        return String(decoding: received, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func values() throws -> [JSONValue] {
        try lines.map { try JSONValue.parse($0) }
    }

    var isEnded: Bool {
        read()
        return isClosed
    }

    func forget() {
        received = []
    }
}
