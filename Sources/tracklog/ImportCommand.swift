import Configuration
import Correction
import GNSS
import Glibc
import Receiver
import Scheduling
import Storage

/// Takes tracks of other programs into the database.
enum ImportCommand: ToolCommand {
    static let name = "import"
    static let command = Command(
        name, "takes tracks of other programs into the database",
        operands: Operands("FILE...", count: 1...100_000),
        options: [
            Option(
                "format", short: "f", value: "FORMAT",
                "take the files as this instead of looking at them",
                choices: ImportSource.Kind.names),
            Option("dry-run", short: "N", "read everything, store nothing"),
            Option("tz", value: "ZONE", "the zone of times that name none", byDefault: "UTC"),
            Option("json", short: "j", "print one JSON object a file"),
        ],
        examples: [
            ("tracklog import *.gpx", "Every GPX file; a second time adds nothing."),
            ("tracklog import Takeout/Records.json", "Google's location history."),
            ("zcat log.nmea.gz | tracklog import -", "Reads standard input."),
            ("tracklog import --database new.db trip.kml", "Into a database of its own."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        let path = try Locations.database(arguments)
        let settings = try Locations.settings(arguments)
        let kind = arguments.value("format").flatMap(ImportSource.Kind.init)
        // Every file is read to its end before the first point is stored.
        let sources = try arguments.operands.map { operand in
            let source = try ImportSource(operand, as: kind, zone)
            var points = 0
            try source.forEach("reading") { if case .point = $0 { points += 1 } }
            return (source: source, points: points - source.drawn)
        }
        for (source, points) in sources {
            let tally: ImportRecorder.Tally
            if arguments.has("dry-run") || points == 0 {
                tally = ImportRecorder.Tally()
            } else {
                tally = try store(source, path, settings)
            }
            report(source, points, tally, arguments, output)
            try output.flush()
        }
        return .ok
    }

    private static func store(
        _ source: ImportSource, _ path: String, _ settings: Settings
    ) throws -> ImportRecorder.Tally {
        var options = TrackStore.Options()
        options.checkpointPages = 1000
        let store = try TrackStore(path: path, options: options)
        let identity = "import \(source.kind.name)"
        // A file is known by its bytes, whatever its name; one that was cut short goes on where it was.
        let whole = source.progress
        let stored = try store.storedSources(settings: identity).first {
            $0.bytes == whole.bytes && $0.hash == whole.digest
        }
        let run = run(identity, source.name)
        let again = try InterruptedImport(store, source: run.source)
        store.beginRun(run)
        var chain = try CorrectionChain(CorrectionSettings())
        if case .log = source.kind {
            // What receivers gave is corrected as what they give; what programs wrote is taken as they wrote it.
            chain = try CorrectionChain(settings.correction)
            if !chain.isIdentity {
                chain.id = try store.correction(digest: chain.digest, text: chain.canonicalText)
            }
        }
        var recorder = try ImportRecorder(store, settings, chain, again: again)
        var id = stored?.id
        var seen: Int64 = 0
        let known = stored?.fixes ?? 0
        func note() throws {
            try recorder.settle()
            guard store.runIsKnown else { return recorder.wasCommitted() }
            let number =
                id ?? store.addSource(kind: "import", name: source.name, settings: identity)
            id = number
            store.updateSource(number, bytes: whole.bytes, hash: whole.digest, fixes: seen)
            try store.commit()
            recorder.wasCommitted()
        }
        try source.forEach("storing") { item in
            guard case .point(let point) = item else { return try recorder.takeNoFix() }
            seen += 1
            guard seen > known || recorder.isTakingAgain else { return recorder.pass() }
            try recorder.take(point)
            if seen % 65_536 == 0 { try note() }
        }
        try recorder.finish()
        try note()
        try store.close(
            ending: "stopped", repairingHoles: settings.tracking.gapAfter.milliseconds)
        return recorder.tally
    }

    private static func run(_ identity: String, _ name: String) -> Run {
        let boot = try? InputFile("/proc/sys/kernel/random/boot_id").next()
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Run(
            bootID: String(decoding: (boot ?? []).filter { $0 > 32 }, as: UTF8.self),
            started: ImportRecorder.now,
            startedBoot: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
            source: "\(identity) \(name)", configuration: identity, version: Product.version)
    }

    private static func report(
        _ source: ImportSource, _ points: Int, _ tally: ImportRecorder.Tally,
        _ arguments: ParsedArguments, _ output: Output
    ) {
        if let system = source.system {
            Tool.complain("\(source.name): positions in \(system.rawValue) taken back to WGS 84")
        }
        if !source.notUnderstood.isEmpty {
            let names = source.notUnderstood.map { "'\($0)'" }.joined(separator: ", ")
            Tool.complain("\(source.name): not understood and left out: \(names)")
        }
        if tally.forgotten > 0 {
            Tool.complain(
                "\(source.name): \(count(Int(tally.forgotten), "point")) of times of which fixes were "
                    + "forgotten; 'tracklog forget' takes them out again")
        }
        for words in source.assumptions { Tool.complain("\(source.name): \(words)") }
        let reasons = FixFlags.names.compactMap { flag, name in
            tally.rejected[flag].map { (name: name, count: $0) }
        }
        guard arguments.has("json") else {
            var parts = ["\(points) \(points == 1 ? "point" : "points")"]
            if !arguments.has("dry-run"), points > 0 {
                parts.append("\(tally.kept) kept in \(count(tally.segments, "segment"))")
                if tally.totalRejected > 0 {
                    let words = reasons.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
                    parts.append("\(tally.totalRejected) rejected (\(words))")
                }
                if tally.known > 0 { parts.append("\(tally.known) known already") }
            }
            output.print("\(source.name): \(source.formatName), \(parts.joined(separator: ", "))\n")
            if !source.leftOut.isEmpty {
                Tool.complain("\(source.name): left out \(source.leftOut.joined(separator: ", "))")
            }
            return
        }
        output.print("{\"file\":")
        output.text.append(json: source.name)
        output.print(",\"format\":\"\(source.formatName)\",\"points\":\(points)")
        output.print(",\"kept\":\(tally.kept),\"known\":\(tally.known),\"rejected\":{")
        output.print(reasons.map { "\"\($0.name)\":\($0.count)" }.joined(separator: ","))
        output.print("},\"segments\":\(tally.segments)}\n")
    }

    private static func count(_ number: Int, _ what: String) -> String {
        "\(number) \(what)\(number == 1 ? "" : "s")"
    }
}
