import Configuration
import GNSS
import Glibc
import StatusProtocol
import Storage

/// Looks for the broken link between the sky and the database.
enum DoctorCommand: ToolCommand {
    static let command = Command(
        "doctor", "looks for what keeps fixes from being recorded",
        options: [Option("json", short: "j", "print one JSON object a link")],
        examples: [
            ("tracklog doctor", "One line a link; the exit code is 0 only when fixes arrive.")
        ])

    /// What one look found.
    fileprivate enum Finding {
        case good(String)
        case doubtful(String, remedy: String)
        case bad(String, remedy: String)
    }

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
        try tell("group", group(settings.status.group))
        try tell("database", database(arguments.value("database") ?? settings.store.database))
        let path = arguments.value("socket") ?? settings.status.socket
        let report: StatusReport
        do throws(ClientError) {
            report = try StatusClient(path: path).status()
        } catch {
            try tell(
                "daemon",
                .bad(
                    Daemon.failure(error).message,
                    remedy: "'journalctl -u tracklogd' says why it ended"))
            try tell("gpsd", gpsd(settings.source.gpsd))
            return .unavailable
        }
        try tell(
            "daemon",
            .good(
                "version \(report.version), pid \(report.pid), up \(span(seconds: report.uptime))"))
        if report.source.kind == "gpsd" { try tell("gpsd", gpsd(settings.source.gpsd)) }
        try tell("source", source(report.source))
        try tell("clock", clock(report))
        try tell("store", store(report.store))
        try tell("fix", fix(report))
        return isHealthy ? .ok : .failure
    }

    private static func group(_ name: String?) -> Finding {
        guard let name else { return .good("the socket keeps the group of the daemon") }
        guard unsafe getgrnam(name) != nil else {
            return .bad("there is no group '\(name)'", remedy: "sudo addgroup --system \(name)")
        }
        return .good("'\(name)' may read the position")
    }

    private static func database(_ path: String) -> Finding {
        do throws(StoreError) {
            let reader = try TrackReader(path: path)
            let counts = try reader.counts()
            return .good("\(path), \(size(bytes: reader.sizeOnDisk)), \(counts.kept) fixes kept")
        } catch {
            if error.kind == .cannotOpen {
                return .doubtful("\(error)", remedy: "the daemon makes it with the first fix")
            }
            return .bad("\(error)", remedy: "name another one with [Store] Database=")
        }
    }

    private static func source(_ source: SourceReport) -> Finding {
        let what =
            "\(source.kind) \(source.name), \(source.state) for \(span(seconds: source.stateAge))"
        if let quality = source.inputQuality {
            return .doubtful(what, remedy: quality)
        }
        switch SourceAdvice(state: source.state) {
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

    private static func fix(_ report: StatusReport) -> Finding {
        guard let fix = report.lastFix else {
            return .bad(
                "none yet",
                remedy: "give the antenna a view of the sky; 'tracklog sky' shows what it hears")
        }
        let age = span(seconds: fix.age)
        if !fix.flags.isKept {
            return .bad(
                "\(age) ago, rejected: \(fix.flags.names.joined(separator: ", "))",
                remedy: "see [Quality] in tracklogd.conf(5)")
        }
        let isAsleep = report.receiver.state == "off"
        guard fix.age < 60 || isAsleep else {
            return .bad("the last one is \(age) old", remedy: "give the antenna a view of the sky")
        }
        return .good("\(age) ago")
    }

    /// Whether gpsd takes a connection.
    private static func gpsd(_ server: HostPort) -> Finding {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(server.host, "\(server.port)", &hints, &list)
        guard code == 0 else {
            return .bad(
                "\(server.host): \(unsafe String(cString: gai_strerror(code)))",
                remedy: "set [Source] Gpsd= right")
        }
        defer { unsafe freeaddrinfo(list) }
        var reason = "no address"
        var next = unsafe list
        while let address = unsafe next?.pointee {
            unsafe next = unsafe address.ai_next
            let descriptor = unsafe socket(
                address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            // It bounds the time that connect(2) may take (socket(7)).
            var limit = timeval(tv_sec: 3, tv_usec: 0)
            unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            if unsafe connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 {
                return .good("\(server.text) takes connections")
            }
            reason = unsafe String(cString: strerror(errno))
        }
        return .bad(
            "\(server.text): \(reason)",
            remedy: "sudo apt install gpsd; sudo systemctl enable --now gpsd.socket")
    }
}

extension TextBuffer {
    /// Appends a link and what was found of it as one JSON object.
    fileprivate mutating func append(link name: String, _ finding: DoctorCommand.Finding) {
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
