import CLinux
import Glibc
public import Scheduling

/// Two programs, one to switch off and one to switch on, each with a time limit.
public final class CommandLever: Lever {
    private let off: [String]
    private let on: [String]
    private let limit: TimeSpan
    private let loop: any DescriptorLoop
    /// The one that is waited for, and those that were killed and are not gone yet.
    private var children: [UInt64: Child] = [:]
    private var numbered: UInt64 = 0

    /// Programs with their arguments; an empty one does nothing.
    public init(off: [String], on: [String], limit: TimeSpan, loop: any DescriptorLoop) {
        self.off = off
        self.on = on
        self.limit = limit
        self.loop = loop
    }

    /// Runs the program; one that still runs from before is killed.
    public func set(
        isOn: Bool, for span: TimeSpan?, _ done: @escaping (LeverFailure?) -> Void
    ) {
        for child in children.values { child.abandon() }
        let words = isOn ? on : off
        guard !words.isEmpty else { return done(nil) }
        numbered += 1
        let number = numbered
        do throws(LeverFailure) {
            let child = try Child(words, on: loop, limit: limit, done)
            child.onGone = { [unowned self] in children[number] = nil }
            children[number] = child
        } catch {
            done(error)
        }
    }
}

/// A program that runs; killed with all it has started when it is late or let go of.
private final class Child {
    /// Told when it is gone and reaped.
    var onGone: () -> Void = {}

    private let loop: any DescriptorLoop
    private let process: pid_t
    private let descriptor: Int32
    private var done: ((LeverFailure?) -> Void)?
    private var watch: WatchID?
    private var timer: TimerID?

    init(
        _ words: [String], on loop: any DescriptorLoop, limit: TimeSpan,
        _ done: @escaping (LeverFailure?) -> Void
    ) throws(LeverFailure) {
        self.loop = loop
        self.done = done
        process = Child.spawn(words)
        guard process > 0 else { throw LeverFailure(words[0], code: -process) }
        descriptor = CLinux_pidfd(process)
        guard descriptor >= 0 else { throw LeverFailure("pidfd_open", code: errno) }
        watch = try? loop.watch(descriptor, for: .readable) { [unowned self] _ in
            let tell = self.done
            let failure = ended(words[0])
            onGone()
            tell?(failure)
        }
        timer = loop.schedule(loop.now + limit, slack: .milliseconds(100)) { [unowned self] in
            timer = nil
            let tell = self.done
            abandon()
            tell?(LeverFailure("\(words[0]) was not done within \(limit.seconds) s"))
        }
    }

    deinit {
        if let watch { loop.cancel(watch) }
        if let timer { loop.cancel(timer) }
        if isRunning {
            kill(-process, SIGKILL)
            _ = waitpid(process, nil, WNOHANG)
        }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Kills it and tells nobody; what cannot be killed at once is reaped when it goes.
    func abandon() {
        done = nil
        if let timer { loop.cancel(timer) }
        timer = nil
        kill(-process, SIGKILL)
    }

    private var isRunning: Bool { watch != nil || descriptor < 0 }

    /// How it ended; it is reaped.
    private func ended(_ name: String) -> LeverFailure? {
        if let watch { loop.cancel(watch) }
        if let timer { loop.cancel(timer) }
        watch = nil
        timer = nil
        var status: Int32 = 0
        guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
        if status & 0x7F != 0 {
            return LeverFailure("\(name) was ended by signal \(status & 0x7F)")
        }
        let code = status >> 8 & 0xFF
        return code == 0 ? nil : LeverFailure("\(name) ended with \(code)")
    }

    private static func spawn(_ words: [String]) -> pid_t {
        let copies = unsafe words.map { unsafe strdup($0) }
        let arguments = unsafe copies + [nil]
        let process = unsafe CLinux_spawn(words[0], arguments)
        unsafe copies.forEach { unsafe free($0) }
        return process
    }
}
