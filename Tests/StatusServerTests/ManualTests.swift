import Foundation
import GNSS
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Testing

/// The manual page tracklog_protocol(5) against what the daemon says of itself.
@Suite struct ManualTests {
    private let manual: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        manual = try String(
            contentsOf: root.appendingPathComponent("Documentation/tracklog_protocol.5"),
            encoding: .utf8)
    }

    private func section(_ name: String) throws -> Substring {
        let start = try #require(manual.range(of: "\n.Ss \(name)\n"), "no section \(name)")
        let rest = manual[start.upperBound...]
        return rest[..<(rest.range(of: "\n.S")?.lowerBound ?? rest.endIndex)]
    }

    /// Expects each member of a schema with its unit and its description, in this order.
    private func expect(_ schema: JSONValue, in text: inout Substring, at path: String) throws {
        for member in schema["properties"]?.object?.members ?? [] {
            let unit = member.value["unit"]?.string.map { " Pq \($0)" } ?? ""
            let words = member.value["description"]?.string.map { "\n" + $0 } ?? ""
            let entry = ".It Va \(member.name)\(unit)\(words)\n"
            let place = try #require(text.range(of: entry), "\(path).\(member.name): \(entry)")
            text = text[place.upperBound...]
            let inner = member.value["items"] ?? member.value
            try expect(inner, in: &text, at: "\(path).\(member.name)")
        }
    }

    @Test func `the manual tells every method and notification as methods does`() throws {
        let rig = try Rig()
        for method in Method.all where !["watch", "methods"].contains(method.name) {
            rig.server.register(method) { _, _, result in result.append("{}") }
        }
        let client = try rig.connect()
        client.send("methods\n")
        try rig.turn { client.lines.count == 1 }
        let told = try #require(try client.values().first?["result"])
        let methods = told["methods"]?.array ?? []
        #expect(methods.count == Method.all.count)
        for method in methods {
            let name = try #require(method["name"]?.string)
            var text = try section(name)[...]
            #expect(text.hasPrefix(method["summary"]?.string ?? "?"))
            #expect(text.contains("right of a controller") == (method["role"] != .string("reader")))
            try expect(#require(method["params"]), in: &text, at: name)
            try expect(#require(method["result"]), in: &text, at: name)
        }
        for notice in told["notifications"]?.array ?? [] {
            let name = try #require(notice["name"]?.string)
            // A method of the same name comes first.
            let notifications = try #require(manual.range(of: "\n.Sh NOTIFICATIONS\n"))
            let rest = manual[notifications.upperBound...]
            let start = try #require(rest.range(of: "\n.Ss \(name)\n"))
            var text = rest[start.upperBound...]
            #expect(text.hasPrefix(notice["summary"]?.string ?? "?"))
            // These two repeat the answer of a method.
            if name != "fix", name != "state" {
                try expect(#require(notice["params"]), in: &text, at: name)
            }
        }
    }

    @Test func `the manual's Python program shows fixes`() throws {
        let start = try #require(manual.range(of: ".Bd -literal -offset indent\n"))
        let rest = manual[start.upperBound...]
        let end = try #require(rest.range(of: "\n.Ed"))
        let rig = try Rig()
        let program = rest[..<end.lowerBound].replacingOccurrences(of: "\\e", with: "\\")
            .replacingOccurrences(of: "/run/tracklog/tracklogd.sock", with: rig.path)
        let file = rig.folder + "/watch.py"
        try program.write(toFile: file, atomically: true, encoding: .utf8)
        rig.server.greeting = { [unowned rig] _, buffer in
            var report = FixReport()
            report.fix = Fix(time: nil, latitude: 51.5, longitude: -0.25, mode: .threeD)
            buffer.appendNotification("fix") { $0.append(report) }
            // The program reads until the daemon stops.
            _ = rig.loop.schedule(rig.loop.now + .milliseconds(1), slack: .milliseconds(1)) {
                rig.server.stop()
            }
        }
        let output = try rig.run("command -v python3 >&2 || echo none; python3 \(file)")
        guard output != "none\n" else {
            print("skipped: no python3")
            return
        }
        #expect(output == "51.5 -0.25\n")
    }
}
