import Configuration
import GNSS
import Glibc
import JSON
import Scheduling
import StatusProtocol

/// Shows what the daemon sees, as it sees it.
enum WatchCommand: ToolCommand {
    static let name = "watch"
    static let command = Command(
        name, "shows what the daemon sees as it comes: a live screen, or JSON Lines",
        options: [
            Option("json", short: "j", "print JSON Lines on a terminal too"),
            Option(
                "kinds", value: "LIST",
                "lines of these kinds only: \(WatchKinds.all.names.joined(separator: ","))"),
            Option(
                "after", value: "SEQUENCE",
                "lines: fixes once they are on the disk, those after SEQUENCE first"),
            Option("interval", value: "DURATION", "leave out fixes closer together than this"),
            Option("count", short: "n", value: "N", "end after N lines"),
            CoordinateChoice.option, PositionForm.option,
            Units.option,
            Zone.option,
        ],
        examples: [
            ("tracklog watch", "The live screen; q ends it."),
            ("tracklog watch --json", "Everything as JSON Lines, until interrupted."),
            ("tracklog watch --kinds fixes --count 1", "The next fix."),
        ])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let wantsLines = ["json", "kinds", "after", "count"].contains { arguments.has($0) }
        if !wantsLines, isatty(1) == 1, isatty(0) == 1, Environment.value("TERM") != "dumb" {
            return try LiveWatch(arguments).run()
        }
        var params = JSONObject()
        if let text = arguments.value("kinds") { params["kinds"] = .array(try kinds(text)) }
        if let interval = try interval(arguments) { params["interval"] = .number(interval) }
        if let after = try arguments.value("after", as: .integer(0...Int.max)) {
            params["after"] = .integer(Int64(after))
        }
        let count = try arguments.value("count", as: .integer(1...Int(Int32.max), unit: "lines"))
        let coordinates = arguments.has("crs") ? try CoordinateChoice(arguments) : nil
        let client = try Daemon.connect(arguments)
        _ = try Daemon.asking { () throws(ClientError) in try client.call("watch", params) }
        var shown = 0
        while shown < count ?? Int.max {
            let event = try Daemon.asking { () throws(ClientError) in try client.next() }
            output.print("{\"kind\":")
            output.text.append(json: event.method)
            let params = JSONValue.object(event.params)
            for member in (coordinates?.annotated(params) ?? params).object?.members ?? [] {
                output.print(",")
                output.text.append(json: member.name)
                output.print(":")
                member.value.append(to: &output.text.bytes)
            }
            output.print("}\n")
            try output.flush()
            shown += 1
        }
        return .ok
    }

    /// Seconds between two fixes that are shown, at least.
    static func interval(_ arguments: ParsedArguments) throws -> Double? {
        try arguments.value("interval", as: .duration(.seconds(0) ... .seconds(86_400)))?.seconds
    }

    private static func kinds(_ text: String) throws(UsageError) -> [JSONValue] {
        let all = WatchKinds.all.names
        var kinds: [JSONValue] = []
        for word in text.split(separator: ",").map(String.init) {
            guard all.contains(word) else {
                throw UsageError(
                    "bad value '\(word)' for --kinds: expected \(all.joined(separator: ", "))",
                    didYouMean: Spelling.nearest(to: word, among: all))
            }
            kinds.append(.string(word))
        }
        return kinds
    }
}

/// `watch` on a terminal.
private final class LiveWatch {
    private let arguments: ParsedArguments
    private let screen: WatchScreen
    private let interval: Double
    private let coordinates: CoordinateChoice?
    private var client: StatusClient?
    private var report: StatusReport?
    private var sky: SkyView?
    private var trail: [WatchScreen.Step] = []
    private var trouble: String?

    /// Looks at keys and signals so often, seconds.
    private static let patience = 0.1
    /// Asks for status and sky so often, seconds.
    private static let period = 1.0

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        let style = Style(arguments)
        screen = WatchScreen(
            status: StatusScreen(
                units: Units(arguments), zone: try Zone(arguments), style: style,
                form: try PositionForm(arguments)),
            style: style)
        interval = try WatchCommand.interval(arguments) ?? 0
        coordinates = arguments.has("crs") ? try CoordinateChoice(arguments) : nil
        // A daemon that is not there is told before the screen is taken.
        client = try connect()
    }

    func run() throws -> ExitCode {
        let terminal = LiveTerminal()
        var due = 0.0
        while true {
            let event = terminal.event()
            if case .quit = event { return .ok }
            let now = LiveWatch.now
            if now >= due { ask() }
            if case .resized = event { due = 0 }
            if now >= due {
                due = now + LiveWatch.period
                let size = terminal.size
                trail.removeAll { $0.at < now - WatchScreen.memory }
                terminal.show(
                    screen.lines(
                        report, sky, trail, trouble, columns: size.columns, rows: size.rows))
            }
            listen(until: due)
        }
    }

    private func connect() throws -> StatusClient {
        let client = try Daemon.connect(arguments)
        var params = JSONObject()
        params["kinds"] = .array([.string("fixes")])
        if interval > 0 { params["interval"] = .number(interval) }
        _ = try Daemon.asking { () throws(ClientError) in try client.call("watch", params) }
        return client
    }

    /// Asks for what is not sent by itself; goes on trying when the daemon is away.
    private func ask() {
        do {
            if client == nil { client = try connect() }
            guard let client else { return }
            report = try Daemon.asking { () throws(ClientError) in
                try client.status(timeout: 2)
            }
            if let coordinates, let fix = report?.lastFix {
                report?.lastFix = coordinates.place(fix)
            }
            let answer = try Daemon.asking { () throws(ClientError) in
                try client.call("sky", timeout: 2)
            }
            sky = try? SkyView(answer)
            trouble = nil
        } catch let failure as Failure {
            lose(failure.message)
        } catch {
            lose("\(error)")
        }
    }

    private func lose(_ why: String) {
        client = nil
        trouble = why
    }

    /// Takes the fixes that come until then, or until a key may have been pressed.
    private func listen(until due: Double) {
        let end = min(due, LiveWatch.now + LiveWatch.patience)
        repeat {
            let rest = max(0.01, end - LiveWatch.now)
            guard let client else {
                poll(nil, 0, Int32(rest * 1000))
                return
            }
            do throws(ClientError) {
                let event = try client.next(timeout: rest)
                guard event.method == "fix", let fix = Fix(members: event.params),
                    LiveWatch.isKept(event.params)
                else { continue }
                trail.append(
                    WatchScreen.Step(
                        latitude: fix.latitude, longitude: fix.longitude, at: LiveWatch.now))
                // A screen has fewer dots.
                if trail.count > 4000 { trail.removeFirst(1000) }
            } catch .timedOut {
                return
            } catch {
                lose(Daemon.failure(error).message)
                return
            }
        } while LiveWatch.now < end
    }

    private static func isKept(_ fix: JSONObject) -> Bool {
        let names = fix["flags"]?.array?.compactMap(\.string) ?? []
        return FixFlags.names.allSatisfy { $0.flag.isKept || !names.contains($0.name) }
    }

    private static var now: Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
