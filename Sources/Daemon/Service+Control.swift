import Configuration
import DutyCycle
import GNSS
import Glibc
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Storage

extension Service {
    /// A fix older than this is not where the machine is now.
    private static let freshness = TimeSpan.seconds(10)

    /// Registers what changes the course of things.
    func registerControl(on server: StatusServer) {
        locator.wake = { [unowned self] in conductor.tell(.awaited(true)) }
        locator.onBusy = { [unowned self] in
            attend()
            if !locator.isBusy { conductor.tell(.awaited(false)) }
        }
        locator.report = { [unowned self] in report(of: $0) }
        locator.whyNone = { [unowned self] in whyNoFix() }
        pipeline.onKept = { [unowned self] in
            locator.see($0)
            profiles.see($0.fix)
        }
        server.onWatchChange = { [unowned self] _ in attend() }
        server.register(
            .locate,
            later: { [unowned self] request, _, reply in
                locate(request.params, reply)
            })
        server.register(.pause) { [unowned self] request, client, result in
            pause(for: request.params["duration"]?.number.map { .seconds($0) }, client)
            result.append(pauseReport())
        }
        server.register(.resume) { [unowned self] _, client, result in
            if control.pause != nil { resume(because: "asked", client) }
            result.append(pauseReport())
        }
        server.register(.mark) { [unowned self] request, _, result throws(RPCError) in
            result.append(try mark(request.params))
        }
    }

    /// Reads each report as it comes while somebody waits for one.
    private func attend() {
        feed.setWatched(
            server?.isWatched(.all) == true || locator.isBusy || !control.marks.isEmpty)
    }

    // MARK: Locate

    private func locate(_ params: JSONObject, _ reply: PendingReply) {
        guard control.pause == nil else {
            return reply.fail(.unavailable("recording is paused; resume first"))
        }
        feed.refresh()
        let cycle = options.settings.settings.dutyCycle
        let goal = params["accuracy"]?.number
        locator.begin(
            goal: goal ?? cycle.goodAccuracy, settle: goal == nil ? cycle.settle : nil,
            within: .seconds(params["timeout"]?.number ?? 60), reply)
    }

    private func whyNoFix() -> String {
        let state = feed.report().state
        if control.pause != nil { return "recording was paused" }
        if state != "streaming", state != "connected" { return "the source is \(state)" }
        let heard = feed.sky.satellites.count { $0.signal ?? 0 > 0 }
        let rejected = pipeline.lastRejection.map { "; the last one was rejected as \($0)" } ?? ""
        return "\(heard) satellites are heard\(rejected)"
    }

    // MARK: Pause

    private func pause(for duration: TimeSpan?, _ client: Client) {
        if let timer = control.pause?.timer { loop.cancel(timer) }
        let since = control.pause?.since ?? loop.now
        let until = duration.map { loop.now + $0 }
        let timer = until.map { due in
            loop.schedule(due, slack: .seconds(1)) { [unowned self] in
                resume(because: "time")
            }
        }
        let isNew = control.pause == nil
        control.pause = .init(since: since, until: until, timer: timer)
        guard isNew else { return }
        journal.write(
            .notice, "recording paused",
            ["by_uid": client.peer.map { "\($0.uid)" } ?? "unknown"])
        feed.refresh()
        conductor.tell(.paused(true))
        pipeline.pause(true, at: feed.now)
        locator.endAll()
        publishState()
    }

    private func resume(because: String, _ client: Client? = nil) {
        guard let pause = control.pause else { return }
        if let timer = pause.timer { loop.cancel(timer) }
        control.pause = nil
        journal.write(.notice, "recording resumed", ["because": because])
        pipeline.pause(false, at: feed.now)
        conductor.tell(.paused(false))
        publishState()
    }

    /// Whether and how long recording is paused.
    func pauseReport() -> PauseReport {
        var report = PauseReport()
        guard let pause = control.pause else { return report }
        report.isPaused = true
        report.age = (loop.now - pause.since).seconds
        report.resumesIn = pause.until.map { max(0, ($0 - loop.now).seconds) }
        return report
    }

    // MARK: Marks

    private func mark(_ params: JSONObject) throws(RPCError) -> MarkReport {
        feed.refresh()
        let title = params["title"]?.string ?? ""
        let note = params["note"]?.string
        if let record = pipeline.latest, let at = pipeline.lastKeptAt,
            feed.now - at <= Service.freshness, control.pause == nil
        {
            return try keep(title, note, at: record)
        }
        guard control.pause == nil else {
            throw .unavailable("recording is paused, so there is no place to mark; resume first")
        }
        guard params["when_fixed"]?.bool == true else {
            let age = pipeline.lastKeptAt.map {
                "the last fix is \(Int((feed.now - $0).seconds)) s old"
            }
            throw .unavailable(
                "no valid fix: \(age ?? "there was none yet"); ask for it with when_fixed")
        }
        guard control.marks.count < ServiceControl.marksAtMost else {
            throw .unavailable("\(control.marks.count) marks wait for a fix already")
        }
        control.marks.append((title, note))
        attend()
        conductor.tell(.locate)
        var report = MarkReport()
        report.isQueued = true
        report.waiting = Int64(control.marks.count)
        return report
    }

    private func keep(
        _ title: String, _ note: String?, at record: RecordedFix
    ) throws(RPCError) -> MarkReport {
        var report = MarkReport()
        report.id = store.append(Mark(at: record, title: title, note: note))
        commit()
        if let failure = store.failure {
            throw .unavailable("the mark waits until the store is well: \(failure)")
        }
        report.fix = self.report(of: record)
        report.waiting = Int64(control.marks.count)
        return report
    }

    /// Keeps the marks that waited for this fix.
    func keepMarks(at record: RecordedFix) {
        guard !control.marks.isEmpty, record.flags.isKept else { return }
        let marks = control.marks
        control.marks = []
        for (title, note) in marks { store.append(Mark(at: record, title: title, note: note)) }
        commit()
        attend()
    }

    /// Keeps what waits for a fix that will not come: better a mark without a place than none.
    func keepMarksWithoutFix() {
        for (title, note) in control.marks {
            store.append(
                Mark(
                    at: nil, time: isClockTrusted ? SystemClock.wall : nil, title: title, note: note
                ))
        }
        control.marks = []
    }
}
