import GNSS
import Simulation

/// What simulated runs came to, for people and programs.
enum SimulationReport {
    /// One run and the errors of its track.
    struct Outcome {
        let track: TrueTrack
        let run: SimulatedRun
        let bridged: RecordedTrack.Deviation

        init(track: TrueTrack, run: SimulatedRun) {
            self.track = track
            self.run = run
            bridged = run.recorded.deviation(from: track, .bridged)
        }

        /// Milliwatt hours in a day of such seconds.
        var energyADay: Double {
            run.cost.milliwattHours * 86_400 / Double(max(1, track.seconds))
        }
    }

    static func table(_ outcomes: [Outcome], _ style: Style) -> String {
        let width = max(12, outcomes.map(\.track.name.count).max() ?? 0) + 2
        var rows = [
            style.bold(
                "Track".padded(width) + row("On-time", "Energy", "Starts", "Fixes")
                    + row("Mean", "95 %", "Worst"))
        ]
        for outcome in outcomes {
            let cost = outcome.run.cost
            let error = outcome.bridged
            rows.append(
                outcome.track.name.padded(width)
                    + row(
                        "\(decimal(outcome.run.onShare * 100, 2)) %",
                        "\(decimal(outcome.energyADay, 1))", "\(cost.starts)",
                        "\(outcome.run.recorded.count)")
                    + row(
                        "\(decimal(error.mean, 1)) m", "\(decimal(error.p95, 1)) m",
                        "\(decimal(error.worst, 0)) m"))
        }
        rows.append("Energy in mWh a day; errors of the track as read back, over trip seconds.")
        return rows.joined(separator: "\n") + "\n"
    }

    private static func row(_ cells: String...) -> String {
        cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
    }

    static func appendJSON(
        _ outcomes: [Outcome], policy: String, receiver: String, seed: UInt64,
        to text: inout TextBuffer
    ) {
        text.append("{\"policy\":")
        text.append(json: policy)
        text.append(",\"receiver\":")
        text.append(json: receiver)
        text.append(",\"seed\":")
        text.append(seed)
        text.append(",\"runs\":[")
        for (index, outcome) in outcomes.enumerated() {
            if index > 0 { text.append(",") }
            append(outcome, to: &text)
        }
        text.append("]}\n")
    }

    private static func append(_ outcome: Outcome, to text: inout TextBuffer) {
        let cost = outcome.run.cost
        text.append("{\"track\":")
        text.append(json: outcome.track.name)
        func number(_ key: StaticString, _ value: Double, _ decimals: Int = 3) {
            text.append(key)
            text.append(value, decimals: decimals, trimming: true)
        }
        number(",\"seconds\":", Double(outcome.track.seconds))
        number(",\"trip_share\":", outcome.track.tripShare, 6)
        number(",\"on_time\":", cost.onTime)
        number(",\"on_share\":", outcome.run.onShare, 6)
        number(",\"on_without_sky\":", cost.withoutSky)
        number(",\"on_at_rest\":", cost.atRest)
        number(",\"energy_day\":", outcome.energyADay)
        number(",\"starts\":", Double(cost.starts))
        number(",\"hot\":", Double(cost.hot))
        number(",\"warm\":", Double(cost.warm))
        number(",\"cold\":", Double(cost.cold))
        number(",\"fixes\":", Double(outcome.run.recorded.count))
        text.append(",\"error\":")
        append(outcome.bridged, to: &text)
        for (key, reading) in [
            (",\"error_linear\":" as StaticString, RecordedTrack.Reading.linear),
            (",\"error_live\":", .live),
        ] {
            text.append(key)
            append(outcome.run.recorded.deviation(from: outcome.track, reading), to: &text)
        }
        text.append("}")
    }

    private static func append(_ error: RecordedTrack.Deviation, to text: inout TextBuffer) {
        text.append("{\"mean\":")
        text.append(error.mean, decimals: 3, trimming: true)
        text.append(",\"p95\":")
        text.append(error.p95, decimals: 3, trimming: true)
        text.append(",\"worst\":")
        text.append(error.worst, decimals: 3, trimming: true)
        text.append("}")
    }
}
