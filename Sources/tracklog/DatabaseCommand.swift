import Configuration
import GNSS
import JSON
import StatusProtocol
import Storage

/// Looks after the database itself.
enum DatabaseCommand: ToolCommand {
    static let name = "db"
    static let command = Command(
        name, "checks, copies, compacts and repairs a database, and says what it holds",
        operands: Operands("ACTION [FILE]", count: 1...2, words: actions.map(\.name)),
        options: [
            Option(
                "output", short: "o", value: "FILE",
                "backup, salvage: write FILE, whole or not at all"),
            Option(
                "replace",
                "backup, salvage: write FILE also where it is a database, which is lost"),
            Option("json", short: "j", "print one JSON object"),
            Zone.option,
        ],
        examples: [
            ("tracklog db info", "What it holds, how large it is, up to where it is durable."),
            (
                "tracklog db check",
                "Reads every page and row; the exit code is 65 when one is damaged."
            ),
            (
                "tracklog db backup -o /media/usb/track.db",
                "Copies it while the daemon records, and checks the copy."
            ),
            (
                "tracklog db salvage track.db.damaged-1 -o rescued.db",
                "Reads what can be read of a damaged one into a new one."
            ),
            ("tracklog db vacuum", "Gives unused space back; stop the daemon first."),
            ("tracklog db unseal", "Makes rows of sealed days; stop the daemon first."),
            (
                "tracklog db acknowledge",
                "Says that a damaged database was noticed; status is well again."
            ),
        ])

    private static let actions: [(name: String, run: @Sendable (Request) throws -> ExitCode)] = [
        ("info", info), ("check", check), ("salvage", salvage), ("backup", backup),
        ("vacuum", vacuum), ("unseal", unseal), ("acknowledge", acknowledge),
    ]

    /// What an action is given.
    struct Request {
        let arguments: ParsedArguments
        let path: String
        let output: Output

        /// Tells a program the members of an object, a person the words.
        func tell(_ words: String, _ members: KeyValuePairs<String, JSONValue>) {
            if arguments.has("json") {
                output.print(json: members)
            } else {
                output.print(words + "\n")
            }
        }

        /// The file to write.
        func target() throws -> String {
            guard let target = arguments.value("output") else {
                throw UsageError("option '--output' is missing: the file to write")
            }
            guard target != "-" else {
                throw UsageError("a database cannot be written to standard output")
            }
            return target
        }
    }

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let name = arguments.operands[0]
        guard let action = actions.first(where: { $0.name == name }) else {
            throw UsageError(
                "unknown action '\(name)' of db",
                didYouMean: Spelling.nearest(to: name, among: actions.map(\.name)))
        }
        if arguments.has("output"), !["backup", "salvage"].contains(name) {
            throw UsageError("db \(name) writes no file; leave --output out")
        }
        if arguments.has("replace"), !arguments.has("output") {
            throw UsageError("--replace is for the file of --output")
        }
        if arguments.operands.count == 2, arguments.has("database") {
            throw UsageError("the database is named twice: as an argument and by --database")
        }
        let path =
            try arguments.operands.count == 2
            ? arguments.operands[1] : Locations.database(arguments)
        return try action.run(Request(arguments: arguments, path: path, output: output))
    }

    @Sendable private static func backup(_ request: Request) throws -> ExitCode {
        let target = try request.target()
        let bar = ProgressBar("copying")
        try Backup.run(
            from: request.path, to: target, replaces: request.arguments.has("replace")
        ) { bar.show($0) }
        bar.end()
        request.tell(
            "\(target): a sound copy of \(request.path)",
            ["path": .string(request.path), "file": .string(target), "sound": .bool(true)])
        return .ok
    }

    @Sendable private static func salvage(_ request: Request) throws -> ExitCode {
        let target = try request.target()
        let bar = ProgressBar("reading pages")
        let outcome = try Salvage.run(
            from: request.path, to: target, replaces: request.arguments.has("replace")
        ) { bar.show($0, of: $1) }
        bar.end()
        var text = "\(target): \(outcome.fixes) fixes and "
        text += "\(outcome.rows - outcome.fixes) other rows read from \(request.path)"
        if outcome.pagesFromLog > 0 { text += ", \(outcome.pagesFromLog) pages from its log" }
        let lost = [
            outcome.lostPages > 0 ? "\(outcome.lostPages) pages" : nil,
            outcome.lostRows > 0 ? "\(outcome.lostRows) rows on others" : nil,
        ].compactMap(\.self)
        if !lost.isEmpty { text += "\nNot readable: \(lost.joined(separator: ", "))" }
        request.tell(
            text,
            [
                "path": .string(request.path), "file": .string(target),
                "fixes": .count(outcome.fixes), "rows": .count(outcome.rows),
                "pages_from_log": .count(outcome.pagesFromLog),
                "lost_pages": .count(outcome.lostPages), "lost_rows": .count(outcome.lostRows),
            ])
        return .ok
    }

    @Sendable private static func vacuum(_ request: Request) throws -> ExitCode {
        let bar = ProgressBar("compacting")
        let outcome = try Vacuum.run(request.path) { bar.show($0) }
        bar.end()
        request.tell(
            "\(request.path): \(size(bytes: outcome.before)) before, \(size(bytes: outcome.after)) now",
            [
                "path": .string(request.path), "before": .count(outcome.before),
                "after": .count(outcome.after),
            ])
        return .ok
    }

    @Sendable private static func unseal(_ request: Request) throws -> ExitCode {
        _ = try TrackReader(path: request.path)
        let store = try TrackStore(path: request.path)
        let bar = ProgressBar("unsealing")
        let fixes = try store.unseal { bar.show(Int64($0), of: Int64($1)) }
        bar.end()
        try store.close(ending: "stopped")
        request.tell(
            "\(request.path): \(fixes) fixes are rows again",
            ["path": .string(request.path), "fixes": .count(fixes)])
        return .ok
    }

    /// By removing the note of it; who may not asks the daemon.
    @Sendable private static func acknowledge(_ request: Request) throws -> ExitCode {
        let damaged: String?
        do throws(StoreError) {
            damaged = try DamageNote.acknowledge(request.path)
        } catch {
            guard error.kind == .readOnly else { throw error }
            let client = try Daemon.connect(request.arguments)
            damaged = try Daemon.asking { () throws(ClientError) in
                try client.call("acknowledge")["damaged"]?.string
            }
        }
        request.tell(
            damaged.map {
                DamageNote.isLoss($0, of: request.path)
                    ? "\($0): its loss is noticed; status is well again"
                    : "\($0) stays; status is well again"
            }
                ?? "\(request.path): no damage waits to be noticed",
            ["path": .string(request.path), "damaged": damaged.map { .string($0) } ?? .null])
        return .ok
    }

    @Sendable private static func check(_ request: Request) throws -> ExitCode {
        let found = try examine(request.path)
        if request.arguments.has("json") {
            request.output.text.append(json: found, path: request.path)
        } else {
            request.output.print(words(for: found, request.path))
        }
        return found.isSound ? .ok : .dataError
    }

    private static func examine(_ path: String) throws -> Checkup {
        let bar = ProgressBar("reading fixes")
        bar.say("reading pages")
        do throws(StoreError) {
            return try TrackReader(path: path).checkup { done, all in bar.show(done, of: all) }
        } catch {
            guard error.kind == .damaged else { throw error }
            // So damaged that it cannot even be opened.
            var found = Checkup()
            found.damage = [error.detail]
            return found
        }
    }

    private static func words(for found: Checkup, _ path: String) -> String {
        if found.isSound { return "\(path): sound, \(found.rows) fixes read\n" }
        var text = "\(path): \(found.damage.isEmpty ? "sums are wrong" : "damaged")\n"
        text += (found.damage + found.disagreements).map { "  \($0)\n" }.joined()
        if !found.damage.isEmpty {
            text += "What can be read goes into a new file with\n"
            text += "  tracklog db salvage \(path) --output FILE\n"
        }
        return text
    }
}

extension ProgressBar {
    /// Shows how far a copy is.
    func show(_ progress: CopyProgress) {
        switch progress.stage {
        case .copying: show(progress.done, of: progress.total)
        case .verifying: say("reading the copy from end to end")
        }
    }
}

extension TextBuffer {
    /// Appends what a check found as one JSON object.
    fileprivate mutating func append(json found: Checkup, path: String) {
        append("{\"path\":")
        append(json: path)
        append(found.isSound ? ",\"sound\":true" : ",\"sound\":false")
        append(",\"fixes\":")
        append(found.rows)
        for (name, lines) in [("damage", found.damage), ("disagreements", found.disagreements)] {
            append(",")
            append(json: name)
            append(":[")
            for (index, line) in lines.enumerated() {
                if index > 0 { append(",") }
                append(json: line)
            }
            append("]")
        }
        append("}\n")
    }
}
