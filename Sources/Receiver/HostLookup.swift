import CGPS
import Glibc
import Scheduling

/// The look-up of one host name, in a child process so that a hanging resolver stalls nothing.
final class HostLookup {
    private let loop: any DescriptorLoop
    private let child: Int32
    private let input: Int32
    private var watch: WatchID?
    private var timer: TimerID?
    private var answer: [UInt8] = []
    private var isEnded = false

    /// Begins to look up; `done` is called once, with numeric addresses or with the reason why there are none.
    init?(
        _ host: String, on loop: any DescriptorLoop, within limit: TimeSpan,
        _ done: @escaping (_ addresses: [String], _ reason: String) -> Void
    ) {
        self.loop = loop
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = ends[0]
        child = unsafe CGPS_resolve(host, ends[1])
        close(ends[1])
        guard child > 0 else {
            close(input)
            return nil
        }
        watch = try? loop.watch(input, for: .readable) { [unowned self] _ in
            if read() { finish(done) }
        }
        timer = loop.schedule(loop.now + limit, slack: .seconds(1)) { [unowned self] in
            timer = nil
            answer = Array("!no answer".utf8)
            finish(done)
        }
    }

    deinit {
        end()
        close(input)
    }

    /// Takes what the child has written; true at its end.
    private func read() -> Bool {
        var block = [UInt8](repeating: 0, count: 1024)
        let count = unsafe Glibc.read(input, &block, block.count)
        if count < 0 { return errno != EINTR && errno != EAGAIN }
        answer += block.prefix(count)
        return count == 0 || answer.count > 16 * 1024
    }

    private func finish(
        _ done: (_ addresses: [String], _ reason: String) -> Void
    ) {
        end()
        let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
        var addresses: [String] = []
        for line in lines where line.first != "!" && !addresses.contains(String(line)) {
            addresses.append(String(line))
        }
        let reason = lines.first { $0.first == "!" }.map { String($0.dropFirst()) }
        done(addresses, reason ?? "no address")
    }

    private func end() {
        guard !isEnded else { return }
        isEnded = true
        if let watch { loop.cancel(watch) }
        if let timer { loop.cancel(timer) }
        kill(child, SIGKILL)
        // The wait is short: a killed process runs no more.
        _ = waitpid(child, nil, 0)
    }
}
