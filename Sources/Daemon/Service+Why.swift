import Configuration
import GNSS
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Storage

extension Service {
    /// Looking through the database takes some milliseconds: so many looks a second hold nobody up.
    private static let looksASecond = 10

    /// Registers what clients may ask of times that have passed.
    func registerWhy(on server: StatusServer) {
        server.register(.why) { [unowned self] request, _, result throws(RPCError) in
            guard let time = request.params["time"]?.string.flatMap({ UTCTime($0) }) else {
                throw .invalidParameter("time", "is missing")
            }
            let isFuture = isClockTrusted && feed is GPSDFeed && time > SystemClock.wall
            guard !isFuture else { throw .invalidParameter("time", "is still to come") }
            if loop.now - control.looksSince >= .seconds(1) {
                (control.looksSince, control.looks) = (loop.now, 0)
            }
            control.looks += 1
            guard control.looks <= Service.looksASecond else {
                throw RPCError(
                    code: RPCError.Code.busy,
                    message: "more than \(Service.looksASecond) looks into the past in a second")
            }
            result.append(try why(time))
        }
    }

    private func why(_ time: UTCTime) throws(RPCError) -> WhyReport {
        let found: Explanation?
        do throws(StoreError) {
            found = try store.explain(time, lasting: lastingHole)
        } catch {
            throw .unavailable("\(error)")
        }
        guard let found else {
            throw .unavailable("the database cannot be read: \(storeTrouble)")
        }
        var report = WhyReport()
        report.time = time
        report.before = found.before.map { neighbour($0, of: time) }
        report.after = found.after.map { neighbour($0, of: time) }
        report.isRecorded = found.isRecorded
        report.reasons = found.reasons.map { reason in
            var entry = WhyReport.Reason()
            entry.reason = reason.reason.name
            entry.begin = reason.begin
            entry.end = reason.end
            entry.detail = reason.detail
            entry.count = reason.count
            return entry
        }
        if found.after == nil { addPresent(to: &report) }
        return report
    }

    /// After the last fix what holds now explains it.
    private func addPresent(to report: inout WhyReport) {
        let limit = ServiceSettings.gapAfter(options.settings.settings)
        let age = pipeline.lastKeptAt.map { feed.now - $0 }
        let isLatest = report.before != nil && report.before?.sequence == pipeline.latest?.sequence
        if pipeline.reason == nil, let age, age <= limit, isLatest {
            report.isRecorded = report.before?.away.map { $0 <= limit.seconds } ?? false
            if report.isRecorded { report.reasons = [] }
            return
        }
        let (reason, since) = presentGap ?? (.noSky, conductor.since)
        let isSame = { (told: WhyReport.Reason) in told.reason == reason.name && told.end == nil }
        if let index = report.reasons.lastIndex(where: isSame) {
            report.reasons[index].detail = "now"
            return
        }
        var entry = WhyReport.Reason()
        entry.reason = reason.name
        if let kept = pipeline.lastKeptAt, isLatest, let time = report.before?.time {
            entry.begin = UTCTime(
                milliseconds: time.milliseconds
                    &+ max(0, since.milliseconds &- kept.milliseconds))
        }
        // What was the reason until then, is so no longer.
        for index in report.reasons.indices where report.reasons[index].end == nil {
            report.reasons[index].end = entry.begin
        }
        entry.detail = "now"
        report.reasons.append(entry)
    }

    private var storeTrouble: String {
        store.failure.map { "\($0)" } ?? "it is being opened"
    }

    private func neighbour(_ record: RecordedFix, of time: UTCTime) -> WhyReport.Neighbour {
        var neighbour = WhyReport.Neighbour()
        neighbour.sequence = record.sequence
        neighbour.time = record.fix.time
        neighbour.away = record.fix.time.map { Double(abs(time - $0)) / 1000 }
        return neighbour
    }
}
