import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A `tracklogd` in the background that told us, as it tells systemd, that it is ready.
final class RunningDaemon {
    let socket: URL
    let database: URL
    let manager: ServiceManager
    private let process = Process()
    private let errors: URL

    /// Starts it on the bundled drive, at a hundredth of real time unless `arguments` say otherwise.
    init(
        in folder: TemporaryFolder, name: String = "d", _ arguments: [String] = [],
        watchdog seconds: Double? = nil
    ) throws {
        socket = folder.url.appending(path: "\(name).sock")
        database = folder.url.appending(path: "\(name).db")
        errors = folder.url.appending(path: "\(name).err")
        manager = try ServiceManager(folder.url.appending(path: "\(name).notify"))
        try Data().write(to: errors)
        process.executableURL = Program.folder.appending(path: "tracklogd")
        process.arguments =
            ["--replay", Fixture.drive.path, "--socket", socket.path]
            + (arguments.contains("--speed") ? [] : ["--speed", "0.01"])
            + (arguments.contains("--database") ? [] : ["--database", database.path]) + arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "NOTIFY_SOCKET": manager.path.path, "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 }
        if let seconds { process.environment?["WATCHDOG_USEC"] = String(Int(seconds * 1e6)) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        try #require(manager.hears("READY=1", within: 20), "not ready: \(said)")
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    var pid: Int32 { process.processIdentifier }

    /// What it wrote to standard error so far.
    var said: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// Sends a signal and waits for the end; the exit status, negative when a signal killed it.
    func end(_ signal: Int32) -> Int32 {
        kill(pid, signal)
        return waitForEnd()
    }

    func waitForEnd() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? process.terminationStatus : -process.terminationStatus
    }
}

/// The end of `$NOTIFY_SOCKET` that systemd has otherwise, sd_notify(3).
final class ServiceManager {
    let path: URL
    private let descriptor: Int32

    init(_ path: URL) throws {
        self.path = path
        unlink(path.path)
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.path.utf8)
        try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(code == 0)
    }

    deinit {
        close(descriptor)
    }

    /// Whether a message that contains `words` comes in that time; what comes before it is passed over.
    func hears(_ words: String, within seconds: Double) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while deadline.timeIntervalSinceNow > 0 {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = Int32(max(1, deadline.timeIntervalSinceNow * 1000))
            guard Glibc.poll(&poll, 1, left) == 1 else { return false }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            if String(decoding: buffer[..<count], as: UTF8.self).contains(words) { return true }
        }
        return false
    }
}
