import Foundation
import Testing

/// A daemon that replays the bundled drive in real time, so that it stands for a live one.
final class ToolDaemon {
    let folder: TemporaryFolder
    private let process = Process()

    var socket: String { folder.url.appending(path: "s").path }

    /// Starts it and waits until it says that it is ready, as systemd would (sd_notify(3)).
    init(speed: String = "1") throws {
        folder = try TemporaryFolder()
        let drive = Program.root.appending(path: "Tests/Fixtures/drive.nmea.gz").path
        let notices = try NoticeSocket(path: folder.url.appending(path: "n").path)
        process.executableURL = Program.folder.appending(path: "tracklogd")
        process.arguments = [
            "--replay", drive, "--speed", speed, "--socket", socket, "--database",
            folder.url.appending(path: "d.db").path,
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "NOTIFY_SOCKET": notices.path, "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try #require(notices.waitForReady(), "tracklogd did not become ready")
    }

    /// Runs the tool on its socket.
    func tool(_ arguments: String...) throws -> Program {
        try Program("tracklog", ["--socket", socket] + arguments)
    }

    /// Stops and continues it.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// Where a service says that it is ready.
private final class NoticeSocket {
    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    func waitForReady() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return false }
            if String(decoding: bytes[..<count], as: UTF8.self).contains("READY=1") { return true }
        }
    }
}
