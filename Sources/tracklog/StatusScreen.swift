import GNSS
import StatusProtocol

/// A status report for people.
struct StatusScreen {
    let units: Units
    let zone: Zone
    let style: Style
    let form: PositionForm

    func text(of report: StatusReport) -> String {
        let rows = rows(of: report).map { style.dim($0.0.padded(10)) + $0.1 + "\n" }
        return style.bold(head(of: report)) + "\n" + rows.joined()
    }

    /// Which daemon it is.
    func head(of report: StatusReport) -> String {
        "tracklogd \(report.version), pid \(report.pid), up \(span(seconds: report.uptime))"
    }

    /// What it says, as name and value.
    func rows(of report: StatusReport) -> [(String, String)] {
        var rows = [("Source", source(report.source)), ("Receiver", receiver(report.receiver))]
        rows += lever(report.receiver)
        if case .act(let remedy) = SourceAdvice(report.source) {
            rows.insert(("", remedy), at: 1)
        }
        if let quality = report.source.inputQuality { rows.append(("", style.doubtful(quality))) }
        if let pause = report.pause { rows.append(("Paused", self.pause(pause))) }
        rows += fix(report.lastFix)
        if let sky = report.sky, !sky.systems.isEmpty { rows.append(("Sky", self.sky(sky))) }
        rows.append(("Fixes", counts(report.counts)))
        rows.append(("Track", track(report.track)))
        if let store = report.store { rows += self.store(store) }
        if let next = report.nextEvent {
            rows.append(("Next", "\(next.what) in \(span(seconds: next.due))"))
        }
        if !report.isClockTrusted {
            rows.append(
                ("Clock", style.doubtful("not trusted yet: no receiver has proven the time")))
        }
        rows.append(("Clients", clients(report.clients)))
        return rows
    }

    private func source(_ source: SourceReport) -> String {
        let state =
            switch SourceAdvice(source) {
            case .fine: source.state
            case .wait: style.doubtful(source.state)
            case .act: style.bad(source.state)
            }
        return "\(source.kind) \(source.name), \(state) for \(span(seconds: source.stateAge))"
    }

    private func pause(_ pause: PauseReport) -> String {
        let age = pause.age.map { "for \(span(seconds: $0))" } ?? ""
        let rest = pause.resumesIn.map { "goes on in \(span(seconds: $0))" }
        return style.doubtful("\(age), \(rest ?? "until 'tracklog resume'")")
    }

    private func receiver(_ receiver: ReceiverReport) -> String {
        var text = receiver.state
        if let age = receiver.stateAge { text += " for \(span(seconds: age))" }
        if !receiver.policy.isEmpty { text += ", policy \(receiver.policy)" }
        if let wake = receiver.nextWake { text += ", wakes in \(span(seconds: wake))" }
        return text
    }

    /// What switches the receiver, once it has been switched or cannot be.
    private func lever(_ receiver: ReceiverReport) -> [(String, String)] {
        guard let lever = receiver.lever, let state = receiver.leverState,
            receiver.policy != "continuous", let saving = receiver.saving
        else { return [] }
        let text = "by \(lever), \(state): \(saving)"
        return [
            ("", ["verified", "untried", "checking"].contains(state) ? text : style.doubtful(text))
        ]
    }

    func fix(_ report: FixReport?) -> [(String, String)] {
        guard let report else { return [("Fix", style.doubtful("none yet"))] }
        let age = "\(span(seconds: report.age)) ago"
        guard let fix = report.fix else { return [("Fix", "\(age), position withheld")] }
        var first = form.text(fix.latitude, fix.longitude)
        first += ", \(fix.mode == .threeD ? "3D" : "2D")"
        if let status = fix.status, status != .gps { first += " \(status.name)" }
        if let eph = fix.errors.eph { first += ", ± \(units.length(eph, decimals: 1))" }
        first += ", \(age)"
        let names = report.flags.names.joined(separator: ", ")
        if !report.flags.isKept { first += ", " + style.bad("rejected: \(names)") }
        var second: [String] = []
        if let time = fix.time { second.append(zone.text(time)) }
        if let height = fix.altitudeMSL { second.append(units.length(height)) }
        if let speed = fix.speed { second.append(units.speed(speed)) }
        if let course = fix.course { second.append("course \(decimal(course, 0))°") }
        if let used = fix.satellitesUsed {
            second.append(
                fix.satellitesSeen.map { "\(used) of \($0) satellites" } ?? "\(used) satellites")
        }
        return [("Fix", first)] + (second.isEmpty ? [] : [("", second.joined(separator: ", "))])
    }

    private func sky(_ sky: SkySummary) -> String {
        let systems = sky.systems.map { system in
            let signal = system.signal.map { " at \(decimal($0, 0)) dB-Hz" } ?? ""
            return "\(system.name) \(system.used)/\(system.seen)\(signal)"
        }
        let jamming = sky.jamming.map { $0 > 0 ? ["jamming \($0) of 255"] : [] } ?? []
        let antenna =
            sky.antenna == 2 ? ["antenna open"] : sky.antenna == 3 ? ["antenna shorted"] : []
        return (systems + jamming + antenna.map(style.bad)).joined(separator: ", ")
    }

    private func counts(_ counts: VerdictCounts) -> String {
        let reasons = Self.rejections(counts)
        return "\(counts.kept) kept, \(counts.totalRejected) rejected"
            + (reasons.isEmpty ? "" : ": " + reasons)
    }

    /// Rejected fixes by reason, as `outlier 3, stale_time 1`; empty when there are none.
    static func rejections(_ counts: VerdictCounts) -> String {
        FixFlags.names.compactMap { flag, name in counts.rejected[flag].map { "\(name) \($0)" } }
            .joined(separator: ", ")
    }

    private func track(_ track: TrackReport) -> String {
        var text = track.segment == 0 ? "no segment yet" : "segment \(track.segment)"
        if let gap = track.gap {
            text += ", " + style.doubtful("no fix kept: \(gap)")
            if let age = track.gapReasonAge ?? track.gapAge { text += " for \(span(seconds: age))" }
        }
        return text
    }

    private func store(_ store: StoreReport) -> [(String, String)] {
        var text = "\(store.path), \(size(bytes: store.bytes)), \(store.fixes) fixes"
        if store.state != "ok" { text += ", " + style.bad(store.state) }
        var commit =
            store.lastCommitAge.map { "committed \(span(seconds: $0)) ago" }
            ?? "nothing committed yet"
        if store.queue > 0 { commit += ", \(store.queue) waiting" }
        if store.dropped > 0 { commit += ", " + style.bad("\(store.dropped) dropped") }
        return [("Store", text), ("", commit)]
    }

    private func clients(_ clients: ClientsReport) -> String {
        var text = "\(clients.connected) connected"
        if clients.refused > 0 { text += ", \(clients.refused) refused" }
        if clients.dropped > 0 { text += ", \(clients.dropped) dropped" }
        return text
    }
}
