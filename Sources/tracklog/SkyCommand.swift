import Configuration
import GNSS
import JSON
import StatusProtocol

/// Shows the satellites that the daemon's receiver sees.
enum SkyCommand: ToolCommand {
    static let name = "sky"
    static let command = Command(
        name, "shows the satellites in view",
        options: [Option("json", short: "j", "print the daemon's answer as one JSON object")],
        examples: [("tracklog sky", "Which satellites are heard, and how well.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let client = try Daemon.connect(arguments)
        let answer = try Daemon.asking { () throws(ClientError) in try client.call("sky") }
        if arguments.has("json") {
            answer.append(to: &output.text.bytes)
            output.print("\n")
            return .ok
        }
        let sky: SkyView
        do throws(DecodeError) {
            sky = try SkyView(answer)
        } catch {
            throw Failure("the answer is not tracklogd's: \(error)", .dataError)
        }
        guard !sky.satellites.isEmpty else {
            Tool.complain("no satellite is in view, or the receiver does not say")
            return .ok
        }
        show(sky, Style(arguments), output)
        return .ok
    }

    private static func show(_ sky: SkyView, _ style: Style, _ output: Output) {
        output.print(style.bold("SYSTEM     NUMBER  ELEVATION  AZIMUTH  SIGNAL  USED") + "\n")
        let order = sky.satellites.sorted { ($0.signal ?? -1, $1.prn) > ($1.signal ?? -1, $0.prn) }
        for satellite in order {
            var line = (satellite.constellation?.name ?? "unknown").padded(9)
            line += "\(satellite.prn)".indented(8)
            line += (satellite.elevation.map { "\(decimal($0, 0))°" } ?? "-").indented(11)
            line += (satellite.azimuth.map { "\(decimal($0, 0))°" } ?? "-").indented(9)
            line += (satellite.signal.map { decimal($0, 0) } ?? "-").indented(8)
            line += satellite.used ? "  yes   " : "  no    "
            // 50 dB-Hz is as good as it gets under open sky.
            let length = Int(min(max(satellite.signal ?? 0, 0), 60) / 3)
            let bar = String(repeating: "▇", count: length)
            output.print(line + (satellite.used ? style.good(bar) : style.dim(bar)) + "\n")
        }
        let used = sky.satellites.count { $0.used }
        let dop = sky.dop.hdop.map { ", HDOP \(decimal($0, 2))" } ?? ""
        output.print("\(used) of \(sky.satellites.count) used\(dop)\n")
    }
}

/// Makes what the daemon holds back safe at once.
enum FlushCommand: ToolCommand {
    static let name = "flush"
    static let command = Command(
        name, "makes the daemon commit what waits, before pulling the plug",
        options: [Daemon.jsonOption],
        examples: [("tracklog flush", "Says which fix is safe on the disk.")])

    static func run(_ arguments: ParsedArguments, _ output: Output) throws -> ExitCode {
        let client = try Daemon.connect(arguments)
        let answer = try Daemon.asking { () throws(ClientError) in
            try client.call("flush", timeout: 60)
        }
        if arguments.has("json") {
            answer.append(to: &output.text.bytes)
            output.print("\n")
            return .ok
        }
        guard let sequence = answer["durable_sequence"]?.integer else {
            throw Failure("the answer is not tracklogd's: no durable_sequence", .dataError)
        }
        output.print("everything up to fix \(sequence) is on the disk\n")
        return .ok
    }
}
