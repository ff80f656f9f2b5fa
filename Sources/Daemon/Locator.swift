import DutyCycle
import GNSS
import Scheduling
import StatusProtocol
import StatusServer

/// Answers those who want a fix now: keeps the receiver awake for them and gives each the best of its wait.
final class Locator {
    /// Asks for the receiver to be on.
    var wake: () -> Void = {}
    /// Told when the first begins to wait and when the last has its answer.
    var onBusy: () -> Void = {}
    /// Makes a report of a fix.
    var report: (RecordedFix) -> FixReport = { _ in FixReport() }
    /// Says why there is no fix.
    var whyNone: () -> String = { "" }

    private let loop: any Loop
    private var entries: [Entry] = []

    private final class Entry {
        var wait: LocateWait
        let began: BootTime
        let reply: PendingReply
        var timer: TimerID?

        init(_ wait: LocateWait, _ began: BootTime, _ reply: PendingReply) {
            self.wait = wait
            self.began = began
            self.reply = reply
        }
    }

    init(on loop: any Loop) {
        self.loop = loop
    }

    /// Whether somebody waits.
    var isBusy: Bool { !entries.isEmpty }

    /// Begins a wait.
    func begin(goal: Double, settle: TimeSpan?, within limit: TimeSpan, _ reply: PendingReply) {
        let now = loop.now
        let entry = Entry(LocateWait(goal: goal, settle: settle, due: now + limit), now, reply)
        entries.append(entry)
        arm(entry)
        if entries.count == 1 { onBusy() }
        wake()
    }

    /// Takes note of a kept fix.
    func see(_ record: RecordedFix) {
        for entry in entries {
            let due = entry.wait.due
            if entry.wait.take(record, at: loop.now) || !entry.reply.isWanted {
                end(entry)
            } else if entry.wait.due != due {
                arm(entry)
            }
        }
    }

    /// Takes note that the receiver was switched off: for those who still wait it is asked for again.
    func receiverIsOff() {
        guard isBusy else { return }
        // Not from within the switching.
        _ = loop.schedule(loop.now, slack: .milliseconds(50)) { [weak self] in
            guard let self, isBusy else { return }
            wake()
        }
    }

    /// Answers everybody at once, as when recording is paused.
    func endAll() {
        for entry in entries { end(entry) }
    }

    private func arm(_ entry: Entry) {
        if let timer = entry.timer { loop.cancel(timer) }
        entry.timer = loop.schedule(entry.wait.due, slack: .milliseconds(50)) {
            [weak self, weak entry] in
            guard let self, let entry else { return }
            entry.timer = nil
            end(entry)
        }
    }

    private func end(_ entry: Entry) {
        entries.removeAll { $0 === entry }
        if let timer = entry.timer { loop.cancel(timer) }
        entry.timer = nil
        if let best = entry.wait.best {
            var report = LocateReport()
            report.fix = self.report(best)
            report.waited = (loop.now - entry.began).seconds
            report.candidates = entry.wait.candidates
            report.isGood = entry.wait.isGood
            entry.reply.succeed { $0.append(report) }
        } else {
            let seconds = Int((loop.now - entry.began).seconds.rounded())
            entry.reply.fail(.unavailable("no fix within \(seconds) s: \(whyNone())"))
        }
        if entries.isEmpty { onBusy() }
    }
}
