import Configuration
import GNSS
import NMEA
import Quality
import Receiver
import Scheduling

/// Shows the fixes of recorded logs, one JSON object a line.
enum DecodeCommand: ToolCommand {
    static let name = "decode"
    static let command = Command(
        name, "shows the fixes of recorded logs as JSON Lines",
        operands: Operands("FILE...", count: 1...100_000),
        options: [
            Option(
                "flags", short: "f",
                "judge each fix as the daemon does and name what is wrong with it"),
            Option("kept", short: "k", "leave out fixes that the daemon would reject"),
            Option(
                "format", value: "KIND", "take the logs as this instead of looking at them",
                choices: LogFormat.allCases.map(\.rawValue)),
            Option(
                "floor", value: "DATE",
                "move dates before DATE forward by 1024 weeks (GPS week rollover) until they are not"
            ),
            Option(
                "missing-checksum", value: "WHAT", "what happens to sentences without a checksum",
                choices: SourceSettings.ChecksumPolicy.allCases.map(\.rawValue), byDefault: "auto"),
            Option("json", short: "j", "print JSON Lines, as it does anyway"),
        ],
        examples: [
            ("tracklog decode drive.nmea", "Every fix of a log, times and degrees as JSON."),
            ("zcat *.gz | tracklog decode -", "Reads standard input."),
            (
                "tracklog decode --flags monday.nmea.gz tuesday.json",
                "Two logs as one history, judged."
            ),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let source = try open(arguments)
        let judges = arguments.has("flags") || arguments.has("kept")
        var gate = QualityGate()
        var clock = ReplayClock()
        var epoch = Epoch.noFix(nil)
        var fixes = 0
        // What later fixes may still say otherwise of.
        var waiting: [(fix: Fix, flags: FixFlags)] = []
        func write(_ fix: Fix, _ flags: FixFlags) throws {
            if arguments.has("kept"), !flags.isKept { return }
            output.text.append("{")
            output.text.appendMembers(of: fix)
            if fix.device < source.deviceNames.count {
                output.text.append(",\"device\":")
                output.text.append(json: source.deviceNames[Int(fix.device)])
            }
            output.text.appendMember(flags: flags)
            output.text.append("}\n")
            try output.drain()
        }
        while true {
            guard try source.next(into: &epoch) else {
                guard source.starved != nil else { break }
                // What a pipe has given is shown while more is waited for.
                try output.flush()
                source.wait()
                continue
            }
            guard case .fix(var fix) = epoch else { continue }
            fixes += 1
            guard judges else {
                try write(fix, fix.notes)
                continue
            }
            let flags = gate.judge(&fix, at: clock.arrival(of: fix))
            waiting.append((fix, flags))
            for revision in gate.revisions {
                waiting[waiting.count - 1 - revision.ago].flags = revision.flags
            }
            guard !gate.isUndecided else { continue }
            for (fix, flags) in waiting { try write(fix, flags) }
            waiting.removeAll(keepingCapacity: true)
        }
        for (fix, flags) in waiting { try write(fix, flags) }
        for warning in source.warnings { Tool.complain("\(warning)") }
        if fixes == 0, source.counts.bytes > 0 {
            let names = arguments.operands.map { $0 == "-" ? "standard input" : $0 }
                .joined(separator: ", ")
            Tool.complain("\(names): no fix in \(InputSummary.text(of: source.counts))")
        }
        return .ok
    }

    private static func open(_ arguments: ParsedArguments) throws -> ReplaySource {
        var settings = ReplaySource.Settings()
        settings.format = arguments.value("format").flatMap(LogFormat.init)
        settings.waits = false
        let floor = ValueKind<UTCTime>(
            expects: "a date, as 2026-01-01", parse: { UTCTime($0) }, format: { "\($0)" })
        switch arguments.value("missing-checksum").flatMap(SourceSettings.ChecksumPolicy.init) {
        case .admit: settings.nmea.missingChecksum = .admit
        case .refuse: settings.nmea.missingChecksum = .refuse
        case .auto, nil: settings.nmea.missingChecksum = .untilShown
        }
        settings.nmea.floor = try arguments.value("floor", as: floor)
        return try ReplaySource(paths: arguments.operands, settings: settings)
    }
}

/// What a log held, in words.
enum InputSummary {
    /// As `12 lines: 3 with a wrong checksum, 9 without a position`.
    static func text(of counts: InputCounts) -> String {
        let parts: [(Int64, String)] = [
            (
                counts.noFixes,
                counts.noFixes == 1 ? "epoch without a position" : "epochs without a position"
            ),
            (counts.badChecksum, "with a wrong checksum"),
            (counts.missingChecksum, "refused for want of a checksum"),
            (counts.malformed, "malformed"), (counts.overlong, "too long"),
            (counts.errors, counts.errors == 1 ? "complaint of gpsd" : "complaints of gpsd"),
            (counts.ignored, "of other kinds"), (counts.noise, "bytes of noise"),
        ]
        let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return (counts.lines == 1 ? "1 line" : "\(counts.lines) lines")
            + (told.isEmpty ? "" : ": " + told.joined(separator: ", "))
    }
}

/// When recorded fixes arrive: by their own time, never backwards.
struct ReplayClock {
    private var first: Int64?
    private var latest: Int64 = 0

    /// When the last one came.
    var now: BootTime { BootTime(milliseconds: latest) }

    mutating func arrival(of fix: Fix) -> BootTime {
        let moment = fix.time?.milliseconds ?? fix.timeOfDay.map(Int64.init)
        if let moment {
            let start = first ?? moment
            first = start
            latest = max(latest, min(moment &- start, 1 << 42))
        }
        return now
    }
}
