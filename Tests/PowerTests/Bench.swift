import Foundation
import GNSS
import Storage
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A receiver on a pseudo-terminal, the gpsd that people run, and the daemon as it ships.
final class Bench {
    static let gpsdPath = "/usr/sbin/gpsd"
    static var isPossible: Bool {
        FileManager.default.isExecutableFile(atPath: gpsdPath)
            || ProcessInfo.processInfo.environment["CI"] == "true"
    }
    /// How many cycles are run; `nil`, without `TRACKLOG_CYCLES`, leaves out what takes minutes.
    static var cycles: Int? {
        ProcessInfo.processInfo.environment["TRACKLOG_CYCLES"].flatMap { Int($0) }
    }
    static var isLong: Bool { cycles != nil }

    let receiver: SleepingReceiver
    let folder: URL
    let port: UInt16
    private var gpsd: Process?
    private var daemon: Process?
    private var arguments: [String] = []
    private let programs: URL

    init(_ make: SleepingReceiver.Make) throws {
        receiver = SleepingReceiver(make)
        folder = FileManager.default.temporaryDirectory.appending(path: "tracklog-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        port = try Bench.freePort()
        programs =
            ProcessInfo.processInfo.environment["TRACKLOG_BIN"].map { URL(filePath: $0) }
            ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    }

    deinit {
        for process in [daemon, gpsd] {
            if let process, process.isRunning {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }
    var socket: String { path("s") }
    var database: String { path("track.db") }
    /// What the daemon wrote to standard error.
    var said: String { (try? String(contentsOfFile: path("err"), encoding: .utf8)) ?? "" }

    // MARK: Programs

    func startGPSD(_ options: [String] = []) throws {
        gpsd = try start(
            URL(filePath: Bench.gpsdPath), ["-N"] + options + ["-S", "\(port)", receiver.path])
    }

    func killGPSD() {
        end(&gpsd, SIGKILL)
    }

    /// Starts the daemon with a fix every `interval` seconds and settings of its receiver.
    func startDaemon(interval: Int, _ settings: [String]) throws {
        arguments =
            ["--gpsd", "127.0.0.1:\(port)", "--database", database, "--socket", socket]
            + [
                "DutyCycle.Policy=interval", "DutyCycle.Interval=\(interval)s",
                "DutyCycle.KeepOnBelow=0s", "DutyCycle.Lead=1s", "DutyCycle.Settle=1s",
                "DutyCycle.GoodAccuracy=100", "Store.CommitEvery=1s", "Store.CommitCount=1",
                "Source.DrainEvery=0s", "Status.Group=",
            ].appending(settings).flatMap { ["--set", $0] }
        daemon = try start(programs.appending(path: "tracklogd"), arguments)
    }

    /// Runs `tracklogd --receiver-on` with the settings of the daemon, as the unit does when that has ended.
    func receiverOn() throws -> Int32 {
        let process = try start(
            programs.appending(path: "tracklogd"), arguments + ["--receiver-on"])
        try serve(upTo: 30) { !process.isRunning }
        return process.terminationStatus
    }

    /// Sends a signal and waits for the end.
    @discardableResult
    func endDaemon(_ signal: Int32) throws -> Int32 {
        guard let daemon else { return -1 }
        kill(daemon.processIdentifier, signal)
        try serve(upTo: 30) { !daemon.isRunning }
        self.daemon = nil
        return daemon.terminationStatus
    }

    private func start(_ program: URL, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "SWIFT_BACKTRACE": "enable=no"
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = path("err")
        if !FileManager.default.fileExists(atPath: errors) {
            _ = FileManager.default.createFile(atPath: errors, contents: nil)
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: errors))
        try handle.seekToEnd()
        process.standardError = program.path == Bench.gpsdPath ? FileHandle.nullDevice : handle
        try process.run()
        return process
    }

    private func end(_ process: inout Process?, _ signal: Int32) {
        guard let running = process else { return }
        kill(running.processIdentifier, signal)
        running.waitUntilExit()
        process = nil
    }

    // MARK: Watching

    /// Lets the receiver run until `condition` holds, at most that many seconds.
    func serve(
        upTo limit: Double, at location: SourceLocation = #_sourceLocation,
        until condition: () throws -> Bool
    ) throws {
        let end = Date().addingTimeInterval(limit)
        while try !condition() {
            guard Date() < end else {
                Issue.record("not within \(limit) s; daemon: \(said)", sourceLocation: location)
                throw CancellationError()
            }
            receiver.serve()
        }
    }

    /// What the daemon says of the receiver, once it answers.
    func receiverStatus() throws -> [String: Any]? {
        let reply = try? ask(socket, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\"}\n")
        guard let reply,
            let value = try JSONSerialization.jsonObject(with: reply) as? [String: Any],
            let result = value["result"] as? [String: Any]
        else { return nil }
        return result["receiver"] as? [String: Any]
    }

    private var askedAt = Date.distantPast

    /// Waits until `status` says something of the receiver; asked once a quarter of a second.
    func wait(
        upTo limit: Double, for what: (_ state: String, _ saving: String) -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        var last = ("", "")
        try serve(upTo: limit, at: location) {
            guard Date() >= askedAt else { return false }
            askedAt = Date().addingTimeInterval(0.25)
            guard let status = try receiverStatus() else { return false }
            last = (status["lever_state"] as? String ?? "", status["saving"] as? String ?? "")
            return what(last.0, last.1)
        }
    }

    /// The cycles that were recorded.
    func cycles() throws -> [Cycle] {
        guard FileManager.default.fileExists(atPath: database) else { return [] }
        return (try? TrackReader(path: database).cycles().map(\.cycle)) ?? []
    }

    /// The times of the recorded fixes, seconds.
    func recordedTimes() throws -> [Double] {
        var times: [Double] = []
        try TrackReader(path: database).fixes {
            if let time = $0.fix.time { times.append(Double(time.milliseconds) / 1000) }
            return true
        }
        return times
    }

    /// How often the daemon has begun to wait: once for each time it was woken.
    func daemonWakeUps() throws -> Int {
        let daemon = try #require(daemon)
        let status = try String(
            contentsOfFile: "/proc/\(daemon.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt") }
        return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
    }

    // MARK: Sockets

    /// A connection to gpsd that watches, as another program would.
    ///
    /// - Returns: its descriptor, the caller's to close; `nil` while gpsd does not listen.
    func otherClient() -> Int32? {
        let client = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(client)
            return nil
        }
        let request = Array("?WATCH={\"enable\":true,\"json\":true}\n".utf8)
        #expect(write(client, request, request.count) == request.count)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        return client
    }

    private func ask(_ path: String, _ request: String) throws -> Data {
        let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw CocoaError(.fileReadUnknown) }
        let bytes = Array(request.utf8)
        guard write(client, bytes, bytes.count) == bytes.count else {
            throw CocoaError(.fileReadUnknown)
        }
        var answer = Data()
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        while answer.last != 10 {
            var state = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, 2000) == 1 else { break }
            let count = read(client, &block, block.count)
            guard count > 0 else { break }
            answer.append(contentsOf: block[..<count])
        }
        return answer
    }

    private static func freePort() throws -> UInt16 {
        let probe = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(probe, $0, length) == 0 && getsockname(probe, $0, &length) == 0
            }
        }
        try #require(isBound)
        return UInt16(bigEndian: address.sin_port)
    }
}

extension Array {
    fileprivate func appending(_ more: [Element]) -> [Element] { self + more }
}
