import Foundation
import Platform
import Scheduling
import Testing

/// What goes through the environment is tried in a process of its own.
@Suite struct ServiceTests {
    // The assignments are those of sd_notify(3).
    @Test func `the service manager hears of each state`() async {
        await #expect(processExitsWith: .success) {
            let (socket, path) = datagramSocket()
            setenv("NOTIFY_SOCKET", path, 1)
            let notifier = ServiceNotifier()
            notifier.ready("recording\nA=b")
            notifier.status("asleep")
            notifier.stopping("bye")
            let heard = [receive(socket), receive(socket), receive(socket)]
            notifier.reloading()
            let reload = receive(socket)
            unlink(path)
            exit(
                heard == [
                    "READY=1\nSTATUS=recording A=b", "STATUS=asleep", "STOPPING=1\nSTATUS=bye",
                ] && reload.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") ? 0 : 1)
        }
    }

    @Test func `without a service manager nothing is sent`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            let notifier = ServiceNotifier()
            notifier.ready("x")
            exit(!notifier.isSupervised && notifier.watchdogInterval == nil ? 0 : 1)
        }
    }

    @Test func `the watchdog is fed and its interval known`() async {
        await #expect(processExitsWith: .success) {
            let (socket, path) = datagramSocket()
            setenv("NOTIFY_SOCKET", path, 1)
            setenv("WATCHDOG_USEC", "40000", 1)
            let notifier = ServiceNotifier()
            notifier.alive()
            let heard = receive(socket)
            unlink(path)
            exit(notifier.watchdogInterval == .milliseconds(40) && heard == "WATCHDOG=1" ? 0 : 1)
        }
    }

    // The protocol is that of sd_listen_fds(3): descriptors from 3, names separated by colons.
    @Test func `sockets that systemd made are taken with their names`() async {
        await #expect(processExitsWith: .success) {
            let (socket, path) = datagramSocket()
            dup2(socket, 3)
            dup2(socket, 4)
            setenv("LISTEN_PID", String(getpid()), 1)
            setenv("LISTEN_FDS", "2", 1)
            setenv("LISTEN_FDNAMES", "status:control", 1)
            let taken = try PassedSocket.takeAll()
            let again = try PassedSocket.takeAll()
            unlink(path)
            exit(
                taken.map(\.name) == ["status", "control"] && taken.map(\.descriptor) == [3, 4]
                    && !taken[0].isUnixListener && again.isEmpty ? 0 : 1)
        }
    }
}

@Suite struct SystemClockTests {
    @Test func `boot time agrees with the kernel`() throws {
        let text = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
        let uptime = try #require(text.split(separator: " ").first.flatMap { Double($0) })
        #expect(abs((SystemClock.now - BootTime(nanoseconds: 0)).seconds - uptime) < 5)
    }

    @Test func `wall time agrees with Foundation`() {
        #expect(
            abs(Double(SystemClock.wall.milliseconds) / 1000 - Date().timeIntervalSince1970) < 5)
    }

    @Test func `the boot id is the kernel's`() throws {
        let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(SystemClock.bootID == text.filter(\.isHexDigit))
    }
}

private func datagramSocket() -> (Int32, String) {
    let path = NSTemporaryDirectory() + "tracklog-notify-\(getpid())"
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    _ = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    return (descriptor, path)
}

private func receive(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}
