import Foundation
import Platform
import Scheduling
import Testing

@Suite struct EventLoopTests {
    let loop: EventLoop

    init() throws {
        loop = try EventLoop()
    }

    /// Turns the loop until `done`, at most 10 s.
    private func turn(until done: () -> Bool) throws {
        let limit = SystemClock.now + .seconds(10)
        while !done(), SystemClock.now < limit {
            try loop.step(atMost: .seconds(1))
        }
        #expect(done())
    }

    private func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        #expect(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func `timers fire once each and never early`() throws {
        let start = SystemClock.now
        var fired: [(Int64, BootTime)] = []
        for delay in [20, 5, 10] as [Int64] {
            _ = loop.schedule(start + .milliseconds(delay), slack: .milliseconds(0)) {
                fired.append((delay, loop.now))
            }
        }
        try turn { fired.count == 3 }
        #expect(fired.map(\.0).sorted() == [5, 10, 20])
        for (delay, time) in fired { #expect(time >= start + .milliseconds(delay)) }
    }

    @Test func `a due time in the past fires at once`() throws {
        var fired = 0
        for due in [
            BootTime(nanoseconds: .min), BootTime(nanoseconds: -1), BootTime(nanoseconds: 0),
        ] {
            _ = loop.schedule(due, slack: .seconds(1e12)) { fired += 1 }
        }
        try turn { fired == 3 }
    }

    @Test func `a timer at the end of time is admitted and does not fire`() throws {
        var fired = false
        let timer = loop.schedule(BootTime(nanoseconds: .max), slack: .seconds(3600)) {
            fired = true
        }
        try loop.step(atMost: .milliseconds(1))
        loop.cancel(timer)
        #expect(!fired)
    }

    @Test func `a cancelled timer does not fire, even when another handler cancels it while due`()
        throws
    {
        var fired: [String] = []
        let start = loop.now
        var timers: [String: TimerID] = [:]
        for (name, other) in [("a", "b"), ("b", "a")] {
            timers[name] = loop.schedule(start, slack: .milliseconds(0)) {
                fired.append(name)
                if let timer = timers[other] { loop.cancel(timer) }
            }
        }
        // Both are due by now; whichever comes first, the other one must not.
        _ = loop.schedule(start + .milliseconds(5), slack: .milliseconds(0)) {
            fired.append("later")
        }
        try turn { fired.contains("later") }
        #expect(fired == ["a", "later"] || fired == ["b", "later"])
    }

    @Test func `a handler may set its timer again`() throws {
        var count = 0
        func tick() {
            count += 1
            if count < 3 {
                _ = loop.schedule(loop.now + .milliseconds(1), slack: .milliseconds(0), tick)
            }
        }
        _ = loop.schedule(loop.now, slack: .milliseconds(0), tick)
        try turn { count == 3 }
    }

    @Test func `a readable descriptor is reported until it is read, and its end as a hang-up`()
        throws
    {
        let (read, write) = pipe()
        defer { close(read) }
        var seen: [Readiness] = []
        let watch = try loop.watch(read, for: .readable) { seen.append($0) }
        #expect(Glibc.write(write, "x", 1) == 1)
        try turn { seen.count == 2 }
        #expect(seen == [.readable, .readable])
        var byte: UInt8 = 0
        #expect(Glibc.read(read, &byte, 1) == 1)
        close(write)
        try turn { seen.count == 3 }
        #expect(seen.last == .hangup)
        loop.cancel(watch)
    }

    @Test func `a handler may cancel its own watch and close the descriptor`() throws {
        let (read, write) = pipe()
        defer { close(write) }
        var watch: WatchID?
        var calls = 0
        watch = try loop.watch(read, for: .readable) { _ in
            calls += 1
            if let watch { loop.cancel(watch) }
            close(read)
        }
        #expect(Glibc.write(write, "x", 1) == 1)
        try turn { calls == 1 }
        #expect(try loop.step(atMost: .milliseconds(5)) == false)
        #expect(calls == 1)
    }

    @Test func `a watch that only waits to write is not woken by an end that sends no more`() throws
    {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(shutdown(ends[1], Int32(SHUT_WR)) == 0)
        var seen: [Readiness] = []
        let watch = try loop.watch(ends[0], for: []) { seen.append($0) }
        #expect(try loop.step(atMost: .milliseconds(5)) == false)
        loop.change(watch, to: .readable)
        try turn { !seen.isEmpty }
        #expect(seen.first == [.readable, .hangup])
    }

    @Test func `a regular file cannot be watched`() throws {
        let file = open("/etc/passwd", O_RDONLY)
        defer { close(file) }
        #expect(throws: WatchError(code: EPERM)) {
            _ = try loop.watch(file, for: .readable) { _ in }
        }
    }

    @Test func `a signal is handled by the loop`() throws {
        var caught = 0
        try loop.onSignal(SIGUSR2) { caught += 1 }
        #expect(pthread_kill(pthread_self(), SIGUSR2) == 0)
        try turn { caught == 1 }
    }

    @Test(arguments: [("exit 3", EventLoop.ChildExit.exited(3)), ("kill -9 $$", .killed(9))])
    func `a child is reaped and its end told`(script: String, end: EventLoop.ChildExit) throws {
        let words = (["sh", "-c", script] as [String]).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var pid: pid_t = 0
        #expect(posix_spawn(&pid, "/bin/sh", nil, nil, words, environ) == 0)
        var told: EventLoop.ChildExit?
        try loop.onExit(ofChild: pid) { told = $0 }
        try turn { told != nil }
        #expect(told == end)
        #expect(waitpid(pid, nil, WNOHANG) == -1)
    }

    @Test func `run returns the code given to exit`() throws {
        _ = loop.schedule(loop.now, slack: .milliseconds(0)) { loop.exit(75) }
        #expect(try loop.run() == 75)
    }

    @Test func `a loop that goes away lets go of what its handlers hold`() throws {
        final class Held {}
        weak var held: Held?
        let (read, write) = pipe()
        defer {
            close(read)
            close(write)
        }
        try {
            let strong = Held()
            held = strong
            let short = try EventLoop()
            _ = try short.watch(read, for: .readable) { _ in _ = strong }
            _ = short.schedule(short.now + .seconds(60), slack: .seconds(1)) { _ = strong }
            #expect(held != nil)
        }()
        #expect(held == nil)
    }
}
