import GNSS
import Platform
import Receiver
import Scheduling
import StatusProtocol

/// Drives a replay on the live loop: slice by slice as fast as possible, or epoch by epoch at a speed.
///
/// Between slices the loop serves signals and clients.
final class ReplayFeed: Feed {
    /// Told after each slice.
    var onSlice: () -> Void = {}
    /// Told once, with an error or without.
    var onEnd: ((any Error)?) -> Void = { _ in }

    private let loop: any DescriptorLoop
    private let source: ReplaySource
    private let replay: Replay
    private let speed: Double?
    private let began: BootTime
    private var endedAt: BootTime?
    private var timer: TimerID?
    private var watch: WatchID?

    /// Epochs between two looks at signals and clients: some milliseconds, where the disk is not asked for each.
    private static let slice = 1024
    /// What a slice takes at most, but for the epoch it is at: a slow disk and many commits keep nobody waiting.
    private static let patience = TimeSpan.milliseconds(50)

    init(_ source: ReplaySource, _ replay: Replay, on loop: any DescriptorLoop, speed: Double?) {
        self.source = source
        self.replay = replay
        self.loop = loop
        self.speed = speed
        began = loop.now
    }

    var now: BootTime { replay.loop.now }
    var sky: SkyView { source.sky }

    func report() -> SourceReport {
        var report = SourceReport()
        report.kind = "replay"
        report.name = source.paths.joined(separator: " ")
        report.state = endedAt == nil ? "connected" : "ended"
        report.stateAge = (loop.now - (endedAt ?? began)).seconds
        report.counts = source.counts
        return report
    }

    func start() {
        again(at: loop.now)
    }

    func stop(_ done: @escaping () -> Void) {
        if let timer { loop.cancel(timer) }
        timer = nil
        if let watch { loop.cancel(watch) }
        watch = nil
        done()
    }

    // A replay is as fresh as its clock.
    func setReceiver(isOn: Bool, until: BootTime?) {}
    func setDrain(every: TimeSpan) {}
    func refresh() {}
    func setWatched(_ isWatched: Bool) {}

    func noteProgress() {
        replay.noteProgress()
    }

    func summarise(_ tally: Pipeline.Tally, stored: Int64, _ say: FeedWords) {
        for warning in source.warnings { say(true, "\(warning)", [:]) }
        let counts = source.counts
        if tally.decoded == 0 {
            say(
                true, "no fix in the log",
                [
                    "lines": "\(counts.lines)", "without_position": "\(counts.noFixes)",
                    "other": "\(counts.ignored)", "bad_checksums": "\(counts.badChecksum)",
                    "malformed": "\(counts.malformed)",
                ])
        }
        let known = tally.known.kept + tally.known.totalRejected
        guard stored == tally.recorded else {
            // How many were judged well is no comfort where they are not on the disk.
            say(
                true, "replay not stored to its end",
                [
                    "fixes": "\(tally.decoded)", "known": "\(known)", "stored": "\(stored)",
                    "not_stored": "\(tally.recorded - stored)",
                ])
            return
        }
        if replay.forgottenFixes > 0 {
            say(
                true, "fixes of times of which fixes were forgotten",
                ["fixes": "\(replay.forgottenFixes)"])
        }
        // What a filter or a policy left out is not stored, however good.
        let passedOver = tally.verdicts.rejected[.passedOver] ?? 0
        let rejected =
            tally.verdicts.totalRejected - passedOver
            - (tally.known.totalRejected - (tally.known.rejected[.passedOver] ?? 0))
        say(
            false, "replay ended",
            [
                "fixes": "\(tally.decoded)", "known": "\(known)", "new": "\(tally.recorded)",
                "kept": "\(tally.verdicts.kept - tally.known.kept)", "rejected": "\(rejected)",
                "passed_over": "\(passedOver)",
            ])
    }

    private func again(at due: BootTime) {
        timer = loop.schedule(due, slack: .milliseconds(1)) { [unowned self] in
            timer = nil
            runSlice()
        }
    }

    private func again(whenReadable descriptor: Int32) throws {
        watch = try loop.watch(descriptor, for: .readable) { [unowned self] _ in
            if let watch { loop.cancel(watch) }
            watch = nil
            runSlice()
        }
    }

    private func runSlice() {
        let limit = speed.map { factor in
            BootTime(nanoseconds: 0) + .seconds((loop.now - began).seconds * factor)
        }
        // The loop's own time stands still meanwhile.
        let end = SystemClock.now + ReplayFeed.patience
        var left = ReplayFeed.slice
        do {
            while left > 0, SystemClock.now < end {
                left -= 1
                switch try replay.step(until: limit) {
                case .took: continue
                case .waits(let due):
                    let wait = (due - BootTime(nanoseconds: 0)).seconds / (speed ?? 1)
                    again(at: began + .seconds(wait))
                    onSlice()
                    return
                case .starved(let descriptor):
                    try again(whenReadable: descriptor)
                    onSlice()
                    return
                case .ended:
                    endedAt = loop.now
                    onSlice()
                    onEnd(nil)
                    return
                }
            }
        } catch {
            onEnd(error)
            return
        }
        // Before the slice is told of: whoever hears of it may stop us.
        again(at: loop.now)
        onSlice()
    }
}
