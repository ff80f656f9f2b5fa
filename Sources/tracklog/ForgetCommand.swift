import Configuration
import GNSS
import Glibc
import JSON
import StatusProtocol
import Storage

/// Removes fixes and marks for good.
enum ForgetCommand: ToolCommand {
    static let name = "forget"
    static let command = Command(
        name, "removes fixes and marks by time or place, so that no byte of them is left",
        options: [
            Option("since", value: "TIME", "from TIME on: ISO 8601, yesterday, 14:30, -2h"),
            Option("until", value: "TIME", "up to TIME"),
            Option(
                "within", value: "RADIUS,LAT,LON",
                "only within RADIUS metres of a place in degrees, as 200,52.5163,13.3777"),
            Option("yes", short: "y", "do not ask"),
            Option("json", short: "j", "print one JSON object"),
            Zone.option,
        ],
        examples: [
            ("tracklog forget --since '2026-05-01 20:00' --until '2026-05-02 08:00'", "A night."),
            ("tracklog forget --within 300,52.5163,13.3777 --yes", "Every visit to a place."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let zone = try Zone(arguments)
        let scope = try scope(arguments, zone)
        let path = try Locations.database(arguments)
        let found = try count(scope, path, zone)
        guard found.fixes > 0 || found.marks > 0 else {
            var nothing = ForgetReport()
            nothing.isErased = true
            tell(nothing, "nothing to forget in \(path)", arguments, output)
            return .ok
        }
        if !arguments.has("yes") {
            try ask(
                "forget \(found.fixes) fixes and \(found.marks) marks\(found.span) in \(path)?")
        }
        let report = try forget(scope, path, arguments)
        tell(
            report, "\(report.fixes) fixes and \(report.marks) marks are forgotten", arguments,
            output)
        guard report.isErased else {
            Tool.complain(
                "their bytes stay in \(path)-wal until a program that reads the database lets go of it"
            )
            return .temporary
        }
        return .ok
    }

    /// Tells a program as the daemon would, a person in words.
    private static func tell(
        _ report: ForgetReport, _ words: String, _ arguments: ParsedArguments, _ output: Output
    ) {
        if arguments.has("json") {
            output.text.append(report)
            output.print("\n")
        } else {
            output.print(words + "\n")
        }
    }

    private static func scope(
        _ arguments: ParsedArguments, _ zone: Zone
    ) throws(UsageError) -> RemovalScope {
        var scope = RemovalScope()
        scope.since = try zone.time("since", in: arguments)
        scope.until = try zone.time("until", in: arguments)
        if let since = scope.since, let until = scope.until, until < since {
            throw UsageError("--until \(zone.text(until)) is before --since \(zone.text(since))")
        }
        if let text = arguments.value("within") {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
                .map { DecimalText.parse(String($0.drop { $0 == " " })) }
            guard numbers.count == 3, let radius = numbers[0], let latitude = numbers[1],
                let longitude = numbers[2],
                let circle = RemovalScope.Circle(
                    latitude: latitude, longitude: longitude, radius: radius)
            else {
                throw UsageError(
                    "bad value '\(text)' for --within: expected metres, latitude and longitude, "
                        + "as 200,52.5163,13.3777")
            }
            scope.within = circle
        }
        guard scope != RemovalScope() else {
            throw UsageError("forget needs --since, --until or --within")
        }
        return scope
    }

    /// What there is to forget, and from when to when in words.
    private static func count(
        _ scope: RemovalScope, _ path: String, _ zone: Zone
    ) throws -> (fixes: Int, marks: Int, span: String) {
        let reader = try TrackReader(path: path)
        var query = FixQuery()
        query.since = scope.since
        query.until = scope.until
        query.keptOnly = false
        var fixes = 0
        var first: UTCTime?
        var last: UTCTime?
        try reader.fixes(query) { record in
            guard scope.covers(record.fix) else { return true }
            fixes += 1
            if let time = record.fix.time {
                first = min(first ?? time, time)
                last = max(last ?? time, time)
            }
            return true
        }
        let marks = try reader.marks().count(where: scope.covers)
        guard let first, let last else { return (fixes, marks, "") }
        return (fixes, marks, " from \(zone.text(first)) to \(zone.text(last))")
    }

    private static func ask(_ question: String) throws {
        guard isatty(0) == 1 else {
            throw UsageError("nobody is there to ask; add --yes to forget without asking")
        }
        Output.writeToStandardError("\(question) [y/N] ")
        let answer = readLine() ?? ""
        guard ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure("nothing is forgotten", .usage)
        }
    }

    /// The daemon that records into the database does it; without one it is done here.
    private static func forget(
        _ scope: RemovalScope, _ path: String, _ arguments: ParsedArguments
    ) throws -> ForgetReport {
        let store: TrackStore
        do throws(StoreError) {
            store = try TrackStore(path: path)
        } catch {
            switch error.kind {
            case .locked, .readOnly:
                guard let report = try byDaemon(scope, path, arguments) else { throw error }
                return report
            default: throw error
            }
        }
        var work = Forgetting(scope)
        while !work.isDone {
            try store.advance(&work, now: Zone.now)
        }
        var report = ForgetReport()
        report.fixes = work.fixes
        report.marks = work.marks
        report.isErased = !store.isErasing
        try store.close(ending: "stopped")
        return report
    }

    /// What the daemon did; `nil` when there is none, or it records elsewhere.
    private static func byDaemon(
        _ scope: RemovalScope, _ path: String, _ arguments: ParsedArguments
    ) throws -> ForgetReport? {
        guard let client = try? Daemon.connect(arguments),
            let recorded = try? client.status().store?.path, isSame(recorded, path)
        else { return nil }
        var params = JSONObject()
        if let since = scope.since { params["since"] = .string(since.description) }
        if let until = scope.until { params["until"] = .string(until.description) }
        if let circle = scope.within {
            params["radius"] = .number(circle.radius)
            params["lat"] = .number(circle.latitude)
            params["lon"] = .number(circle.longitude)
        }
        return try Daemon.report(arguments, "forget", params, timeout: nil) {
            (value) throws(DecodeError) in try ForgetReport(value)
        }
    }

    /// Whether two paths name one file.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_ino == second.st_ino && first.st_dev == second.st_dev
    }
}
