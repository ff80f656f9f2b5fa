import Configuration
import DutyCycle
import GNSS
import Scheduling
import Simulation

/// Tells what a policy would have cost and recorded on a track.
enum SimulateCommand: ToolCommand {
    /// What decides: the daemon's policies, and two simple loggers to compare with.
    private enum Decider {
        case policy(DutyCycle.Policy)
        case simple(isGated: Bool)

        static let words =
            DutyCycle.Policy.allCases.map(\.rawValue) + ["simple-interval", "motion-gated"]

        init?(_ word: String) {
            switch word {
            case "simple-interval": self = .simple(isGated: false)
            case "motion-gated": self = .simple(isGated: true)
            default:
                guard let policy = DutyCycle.Policy(rawValue: word) else { return nil }
                self = .policy(policy)
            }
        }
    }

    static let name = "simulate"
    static let command = Command(
        name, "tells what a policy would cost and how true its track would be",
        options: [
            Option("track", value: "FILE", "run on this track", isRepeatable: true),
            Option(
                "days", value: "LIST", "run on made-up days, as commuter,van",
                byDefault: "all of them without --track"),
            Option(
                "policy", value: "POLICY", "let this decide", choices: Decider.words,
                byDefault: "adaptive"),
            Option(
                "error-bound", value: "METRES", "set it for adaptive",
                setting: "DutyCycle.ErrorBound"),
            Option(
                "interval", value: "DURATION", "set it for the intervals",
                setting: "DutyCycle.Interval"),
            Option(
                "set", short: "s", value: "SECTION.KEY=VALUE", "set one setting",
                isRepeatable: true),
            Option(
                "receiver", value: "KIND", "take the times and draws of this one",
                choices: ReceiverPreset.allCases.map(\.rawValue), byDefault: "m8"),
            Option(
                "seed", value: "N", "take another chance, the same for every policy",
                byDefault: "1"),
            Option("pad-day", "put rest before and after a track to make a day of it"),
            Zone.option,
            Option("no-sensor", "go without a motion sensor"),
            Option(
                "host-delay", value: "SECONDS",
                "from the command to a running receiver; 4.5 where gpsd opens it anew",
                byDefault: "0.5"),
            Option("json", short: "j", "print one JSON object, in metres and seconds"),
            Option(
                "curve", value: "FILE",
                "write on-time against error for many settings, by its ending as SVG or JSON",
                isRepeatable: true),
        ],
        examples: [
            ("tracklog simulate", "The adaptive policy on six made-up days."),
            (
                "tracklog simulate --track ride.gpx --pad-day --policy interval --interval 60s",
                "A fix a minute on a ride with the rest of its day."
            ),
            (
                "tracklog simulate --days van --curve van.svg",
                "Draws what each policy costs a van."
            ),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let seed = try arguments.value("seed", as: .integer(0...Int(Int32.max))) ?? 1
        let setup = Setup(
            settings: try settings(arguments),
            preset: arguments.value("receiver").flatMap(ReceiverPreset.init) ?? .m8,
            times: try startTimes(arguments), seed: UInt64(seed))
        let word = arguments.value("policy") ?? DutyCycle.Policy.adaptive.rawValue
        guard let decider = Decider(word) else {
            throw UsageError("bad value '\(word)' for --policy")
        }
        for path in arguments.values("curve") where curveKind(path) == nil {
            throw UsageError("the ending of '\(path)' is neither .svg nor .json")
        }
        let tracks = try tracks(arguments, setup.seed)
        let outcomes = tracks.map { outcome(decider, setup, on: $0) }
        if arguments.has("json") {
            SimulationReport.appendJSON(
                outcomes, policy: word, receiver: setup.preset.rawValue, seed: setup.seed,
                to: &output.text)
        } else {
            output.print(SimulationReport.table(outcomes, Style(arguments)))
        }
        let paths = arguments.values("curve")
        if !paths.isEmpty {
            let curves = curves(setup, tracks)
            for path in paths { try write(curves, path) }
        }
        return .ok
    }

    private struct Setup {
        var settings: DutyCycle.Settings
        var preset: ReceiverPreset
        var times: StartTimes
        var seed: UInt64
    }

    /// Built-in settings, those of a file that is named, and those of the command line.
    private static func settings(_ arguments: ParsedArguments) throws -> DutyCycle.Settings {
        let overrides = try arguments.settingOverrides()
        let loaded =
            try arguments.value("config").map {
                try SettingsLoader.load($0, overrides: overrides)
            } ?? SettingsLoader.read([], path: "built-in", overrides: overrides)
        return loaded.settings.dutyCycle
    }

    private static func startTimes(_ arguments: ParsedArguments) throws -> StartTimes {
        var times = StartTimes()
        if let delay = try arguments.value("host-delay", as: .number(0...60, unit: "seconds")) {
            times.delay = delay
        }
        return times
    }

    private static func tracks(_ arguments: ParsedArguments, _ seed: UInt64) throws -> [TrueTrack] {
        let files = arguments.values("track")
        var tracks: [TrueTrack] = []
        for path in files {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let made = TrueTrack(
                name: name, places: try TrackFile.places(path, Zone(arguments)), seed: seed,
                fillsDay: arguments.has("pad-day"))
            guard let made else {
                throw Failure("\(path): fewer than ten places with a time", .dataError)
            }
            tracks.append(made)
        }
        let all = SyntheticDay.allCases.map(\.rawValue)
        let days = arguments.value("days") ?? (files.isEmpty ? all.joined(separator: ",") : "")
        for word in days.split(separator: ",") {
            guard let day = SyntheticDay(rawValue: String(word)) else {
                throw UsageError("no day '\(word)'; there are \(all.joined(separator: ", "))")
            }
            tracks.append(day.track(seed: seed))
        }
        guard arguments.has("no-sensor") else { return tracks }
        return tracks.map { track in
            var track = track
            track.hasSensor = false
            return track
        }
    }

    private static func outcome(
        _ decider: Decider, _ setup: Setup, on track: TrueTrack
    ) -> SimulationReport.Outcome {
        func run(_ schedule: some Schedule) -> SimulatedRun {
            SimulatedRun(
                schedule, on: track, receiver: setup.preset, times: setup.times, seed: setup.seed)
        }
        let run =
            switch decider {
            case .policy(let policy):
                {
                    var settings = setup.settings
                    settings.policy = policy
                    return run(DutyCycle(settings))
                }()
            case .simple(let isGated):
                run(SimpleSchedule(every: setup.settings.interval.seconds, isGated: isGated))
            }
        return SimulationReport.Outcome(track: track, run: run)
    }

    // MARK: Curves

    private static func curveKind(_ path: String) -> Substring? {
        path.split(separator: ".").last.flatMap { ["svg", "json"].contains($0) ? $0 : nil }
    }

    private static func write(_ curves: CostCurves, _ path: String) throws {
        let file = try AsideFile(path: path)
        if curveKind(path) == "svg" {
            curves.appendSVG(to: &file.output.text)
        } else {
            curves.appendJSON(to: &file.output.text)
        }
        try file.finish()
    }

    private static func curves(_ setup: Setup, _ tracks: [TrueTrack]) -> CostCurves {
        let periods = [10.0, 15, 20, 30, 45, 60, 90, 120, 300, 600, 1800]
        let bounds = [15.0, 20, 25, 35, 50, 75, 100, 150, 200, 400]
        func points(
            _ values: [Double], _ unit: String, _ decider: Decider,
            _ change: (inout DutyCycle.Settings, Double) -> Void
        ) -> [CostCurves.Point] {
            values.map { value in
                var setup = setup
                change(&setup.settings, value)
                let outcomes = tracks.map { outcome(decider, setup, on: $0) }
                let share = 1 / Double(max(1, outcomes.count))
                return CostCurves.Point(
                    label: "\(decimal(value, 0)) \(unit)",
                    error: outcomes.reduce(0) { $0 + $1.bridged.p95 } * share,
                    onShare: outcomes.reduce(0) { $0 + $1.run.onShare } * share,
                    milliwattHours: outcomes.reduce(0) { $0 + $1.energyADay } * share)
            }
        }
        func byTime(_ settings: inout DutyCycle.Settings, _ value: Double) {
            settings.interval = .seconds(value)
        }
        var curves = CostCurves()
        curves.curves = [
            ("simple interval", points(periods, "s", .simple(isGated: false), byTime)),
            ("motion-gated", points(periods, "s", .simple(isGated: true), byTime)),
            ("interval", points(periods, "s", .policy(.interval), byTime)),
            (
                "adaptive",
                points(bounds, "m", .policy(.adaptive)) { $0.errorBound = $1 }
            ),
        ]
        return curves
    }
}
