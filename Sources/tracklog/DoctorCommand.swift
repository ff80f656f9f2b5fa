import Configuration
import DutyCycle
import GNSS
import Glibc
import StatusProtocol
import Storage

/// Looks for the broken link between the sky and the database.
enum DoctorCommand: ToolCommand {
    static let name = "doctor"
    static let command = Command(
        name, "looks for what keeps fixes from being recorded",
        options: [
            Option("json", short: "j", "print one JSON object a link"),
            Option(
                "root", value: "FOLDER", "look at the files of a machine below it", byDefault: "/"),
        ],
        examples: [
            ("tracklog doctor", "One line a link; the exit code is 0 only when fixes arrive.")
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let style = Style(arguments)
        var isHealthy = true
        func tell(_ name: String, _ finding: Finding) throws {
            let line =
                switch finding {
                case .good(let what): style.good("ok   ") + " \(name.padded(9)) \(what)"
                case .doubtful(let what, let remedy):
                    style.doubtful("doubt") + " \(name.padded(9)) \(what); \(remedy)"
                case .bad(let what, let remedy):
                    style.bad("FAIL ") + " \(name.padded(9)) \(what); \(remedy)"
                }
            if case .bad = finding { isHealthy = false }
            if arguments.has("json") {
                output.text.append(link: name, finding)
            } else {
                output.print(line + "\n")
            }
            try output.flush()
        }
        var settings = Settings()
        do {
            let loaded = try SettingsLoader.load(arguments.value("config"))
            settings = loaded.settings
            try tell(
                "settings",
                .good(
                    loaded.files.isEmpty
                        ? "no file, the defaults hold" : loaded.files.joined(separator: ", ")))
        } catch let error as SettingsError {
            try tell(
                "settings",
                .bad(
                    "\(error.problems.first.map { "\($0)" } ?? "wrong")",
                    remedy: "set it right, 'tracklog config check' finds all"))
        }
        let machine = Machine(root: arguments.value("root") ?? "/")
        let examination = GPSDExamination(
            machine: machine, server: settings.source.gpsd, device: settings.source.device,
            sleeps: settings.dutyCycle.policy != .continuous)
        let path = arguments.value("socket") ?? settings.status.socket
        let answer = Result { () throws(ClientError) in try StatusClient(path: path).status() }
        let isRunning = if case .success = answer { true } else { false }
        try tell("group", group(settings.status.group, isRunning: isRunning))
        let track = arguments.value("database") ?? settings.store.database
        try tell("database", database(track))
        if let finding = try? ShiftExamination(reader: TrackReader(path: track)).finding() {
            try tell("positions", finding)
        }
        let report: StatusReport
        switch answer {
        case .success(let answered): report = answered
        case .failure(let error):
            try tell(
                "daemon",
                .bad(
                    Daemon.failure(error).message,
                    remedy: "'journalctl -u tracklogd' says why it ended"))
            for (name, finding) in examination.findings() { try tell(name, finding) }
            return .unavailable
        }
        try tell(
            "daemon",
            .good(
                "version \(report.version), pid \(report.pid), up \(span(seconds: report.uptime))"))
        if report.source.kind == "gpsd" {
            for (name, finding) in examination.findings() { try tell(name, finding) }
        }
        try tell("source", source(report.source))
        try tell("clock", clock(report))
        try tell("store", store(report.store))
        try tell("fix", fix(report))
        return isHealthy ? .ok : .failure
    }

    /// Without its group a daemon that runs records all the same, and answers its own user and root alone.
    private static func group(_ name: String?, isRunning: Bool) -> Finding {
        guard let name else { return .good("the socket keeps the group of the daemon") }
        guard unsafe getgrnam(name) != nil else {
            let found = "there is no group '\(name)'"
            let remedy = "sudo addgroup --system \(name)"
            guard isRunning else { return .bad(found, remedy: remedy) }
            return .doubtful(
                "\(found): others than root may not ask the daemon",
                remedy: "\(remedy); sudo systemctl restart tracklogd")
        }
        return .good("'\(name)' may read the position")
    }

    private static func database(_ path: String) -> Finding {
        do throws(StoreError) {
            let reader = try TrackReader(path: path)
            let counts = try reader.counts()
            if let full = fullDisk(at: path) { return full }
            guard unsafe access(path, W_OK) == 0 else {
                let reason = unsafe String(cString: strerror(errno))
                return .doubtful(
                    "\(path) cannot be written by you: \(reason)",
                    remedy: "fine when it is tracklogd's; else make the medium writable")
            }
            return .good("\(path), \(size(bytes: reader.sizeOnDisk)), \(counts.kept) fixes kept")
        } catch {
            if error.isEmpty {
                return fullDisk(at: path)
                    ?? .doubtful("\(error)", remedy: "the daemon fills it with the first fix")
            }
            if error.kind == .cannotOpen, unsafe access(path, F_OK) != 0 {
                let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
                guard unsafe access(folder, W_OK) == 0 else {
                    let reason = unsafe String(cString: strerror(errno))
                    return .bad(
                        "nothing can be written in \(folder): \(reason)",
                        remedy: "make it, or name another place with [Store] Database=")
                }
                return fullDisk(at: folder)
                    ?? .doubtful("\(error)", remedy: "the daemon makes it with the first fix")
            }
            return .bad("\(error)", remedy: "name another one with [Store] Database=")
        }
    }

    /// A file system that has no room for a day and a database; `nil` for one that has.
    private static func fullDisk(at path: String) -> Finding? {
        var facts = statvfs()
        guard unsafe statvfs(path, &facts) == 0 else { return nil }
        let free = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        guard !free.overflow, free.partialValue < 1 << 20 else { return nil }
        let left = size(bytes: Int64(free.partialValue))
        return .bad(
            "the disk of \(path) is full: \(left) left",
            remedy: "make room, or name another place with [Store] Database=;"
                + " the daemon goes on by itself")
    }

    private static func source(_ source: SourceReport) -> Finding {
        let what =
            "\(source.kind) \(source.name), \(source.state) for \(span(seconds: source.stateAge))"
        if let quality = source.inputQuality {
            return .doubtful(what, remedy: quality)
        }
        switch SourceAdvice(source) {
        case .fine: return .good(what)
        case .wait(let remedy): return .doubtful(what, remedy: remedy)
        case .act(let remedy): return .bad(what, remedy: remedy)
        }
    }

    private static func clock(_ report: StatusReport) -> Finding {
        report.isClockTrusted
            ? .good("trusted")
            : .doubtful(
                "not trusted yet", remedy: "wait for the receiver, or switch on systemd-timesyncd")
    }

    private static func store(_ store: StoreReport?) -> Finding {
        guard let store else { return .bad("nothing is recorded", remedy: "set [Store] Database=") }
        guard store.state == "ok", store.dropped == 0 else {
            return .bad(
                "\(store.path) is \(store.state), \(store.dropped) fixes dropped",
                remedy: "free the disk or look at its health, then 'tracklog flush'")
        }
        return .good("\(store.path), \(store.queue) fixes wait for their commit")
    }

    private static func remedy(_ rejected: RejectionCounts) -> String {
        rejected[.untrustedTime] == nil
            ? "see [Quality] in tracklogd.conf(5)"
            : "the receiver's dates are not believed: look at them with 'tracklog watch'; for a recorded log "
                + "set [Source] DateFloor="
    }

    private static func fix(_ report: StatusReport) -> Finding {
        guard let fix = report.lastFix else {
            let rejected = StatusScreen.rejections(report.counts)
            if report.counts.kept == 0, !rejected.isEmpty {
                return .bad(
                    "all were rejected: \(rejected)", remedy: remedy(report.counts.rejected))
            }
            return .bad(
                "none yet",
                remedy: "give the antenna a view of the sky; 'tracklog sky' shows what it hears")
        }
        let age = span(seconds: fix.age)
        if !fix.flags.isKept {
            return .bad(
                "\(age) ago, rejected: \(fix.flags.names.joined(separator: ", "))",
                remedy: remedy(report.counts.rejected))
        }
        // One that was asleep until now has not had its minute yet.
        let isExcused =
            report.receiver.state == "off" || report.receiver.stateAge.map { $0 < 60 } ?? false
        guard fix.age < 60 || isExcused else {
            return .bad("the last one is \(age) old", remedy: "give the antenna a view of the sky")
        }
        return .good("\(age) ago")
    }
}

extension TextBuffer {
    /// Appends a link and what was found of it as one JSON object.
    fileprivate mutating func append(link name: String, _ finding: Finding) {
        let (verdict, what, remedy): (StaticString, String, String?) =
            switch finding {
            case .good(let what): ("ok", what, nil)
            case .doubtful(let what, let remedy): ("doubt", what, remedy)
            case .bad(let what, let remedy): ("fail", what, remedy)
            }
        append("{\"link\":")
        append(json: name)
        append(",\"verdict\":\"")
        append(verdict)
        append("\",\"found\":")
        append(json: what)
        if let remedy {
            append(",\"remedy\":")
            append(json: remedy)
        }
        append("}\n")
    }
}
