import Foundation
import GNSS
import StatusProtocol
import Testing

@Suite struct MetricsTests {
    private func text(_ change: (inout StatusReport) -> Void = { _ in }) -> String {
        var report = StatusReport()
        report.version = "0.1.0 \"x\\y\"\nz"
        report.source.kind = "gpsd"
        report.source.state = "streaming"
        report.receiver.state = "tracking"
        report.receiver.nextWake = 1.5
        var last = FixReport()
        last.fix = Fix(time: nil, latitude: 51.123456, longitude: -0.654321, mode: .threeD)
        last.fix?.errors.eph = 4.25
        last.fix?.dop.hdop = 0.9
        last.fix?.satellitesUsed = 9
        last.fix?.satellitesSeen = 12
        report.lastFix = last
        report.track.gap = "no_sky"
        report.track.gapAge = 12
        report.counts.kept = 7
        report.counts.count(.outlier)
        var store = StoreReport()
        store.state = "ok"
        store.lastCommitAge = 3
        report.store = store
        change(&report)
        return MetricsReport(report).text
    }

    @Test func `the text keeps to the grammar of OpenMetrics`() {
        #expect(OpenMetrics.problems(in: text()) == [])
        #expect(OpenMetrics.problems(in: text { $0 = StatusReport() }) == [])
        #expect(
            OpenMetrics.problems(
                in: text {
                    $0.uptime = .infinity
                    $0.source.counts.bytes = .max
                    $0.store?.bytes = .max
                }) == [])
    }

    @Test func `the checker of the grammar finds faults`() {
        let sound = text()
        for (from, to) in [
            ("# EOF\n", ""), ("# EOF\n", "# EOF"), ("# EOF\n", "\n# EOF\n"),
            ("_total ", " "),
            ("# UNIT tracklog_uptime_seconds seconds\n", "# UNIT tracklog_uptime_seconds s\n"),
            ("# TYPE tracklog_paused gauge\n", ""), ("tracklog_paused 0", "tracklog_paused zero"),
            ("tracklog_paused 0\n", "tracklog_paused 0\ntracklog_paused 0\n"),
            ("reason=\"outlier\"", "reason=outlier"), ("tracklog_fix_mode", "tracklog-fix-mode"),
        ] {
            #expect(sound.contains(from), "\(from)")
            #expect(
                OpenMetrics.problems(in: sound.replacingOccurrences(of: from, with: to)) != [],
                "\(from)")
        }
    }

    @Test func `no coordinate is among the metrics`() {
        let text = text()
        for word in ["51.1", "0.65", "_lat", "_lon"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains("tracklog_fixes_kept_total 7\n"))
        #expect(text.contains("tracklog_fixes_rejected_total{reason=\"outlier\"} 1\n"))
        #expect(text.contains("tracklog_build_info{version=\"0.1.0 \\\"x\\\\y\\\"\\nz\"} 1\n"))
    }

    @Test(arguments: ["openmetrics.parser", "parser"])
    func `Prometheus' own client library reads it`(parser: String) throws {
        let file = NSTemporaryDirectory() + "tracklog-\(UUID()).prom"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try text().write(toFile: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            """
            import sys
            try:
                from prometheus_client.\(parser) import text_string_to_metric_families as read
            except ImportError:
                sys.exit(75)
            families = list(read(open(sys.argv[1]).read()))
            assert len(families) > 25, families
            assert all(f.documentation and f.name.startswith("tracklog_") for f in families
                       if f.type != "unknown"), families
            """, file,
        ]
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus == 75 {
            print("skipped: no python3-prometheus-client")
            return
        }
        #expect(process.terminationStatus == 0)
    }
}

/// Checks text against the OpenMetrics 1.0 specification (section "ABNF" and "Text format").
enum OpenMetrics {
    static func problems(in text: String) -> [String] {
        var problems: [String] = []
        guard text.hasSuffix("\n# EOF\n") else { return ["no # EOF line at the end"] }
        var family = ""
        var types: [String: String] = [:]
        var metadata: [String: Set<String>] = [:]
        var hasSamples: Set<String> = []
        var series: Set<String> = []
        for line in text.dropLast("# EOF\n".count).dropLast().split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("# ") {
                guard
                    let found = line.wholeMatch(of: #/# (TYPE|UNIT|HELP) ([a-zA-Z_:][\w:]*) (.+)/#)
                else {
                    problems.append("not a description: \(line)")
                    continue
                }
                let (word, name, rest) = (String(found.1), String(found.2), String(found.3))
                if name != family {
                    if types[name] != nil { problems.append("\(name) is not in one piece") }
                    family = name
                }
                if !metadata[name, default: []].insert(word).inserted || hasSamples.contains(name) {
                    problems.append("\(word) of \(name) out of place")
                }
                if word == "TYPE" { types[name] = rest }
                if word == "UNIT", !name.hasSuffix("_\(rest)") {
                    problems.append("\(name) does not end in its unit \(rest)")
                }
                continue
            }
            let label = #"[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*""#
            let pattern =
                "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{\(label)(?:,\(label))*\\})? ([+-]?[0-9]+(?:\\.[0-9]+)?|NaN)"
            guard let regex = try? Regex(pattern), let found = try? regex.wholeMatch(in: line),
                let name = found[1].substring
            else {
                problems.append("not a sample: \(line)")
                continue
            }
            let suffix = types[family] == "counter" ? "_total" : ""
            if name != family + suffix { problems.append("\(name) is not of \(family)") }
            if !["gauge", "counter"].contains(types[family]) {
                problems.append("\(family) has the type \(types[family] ?? "none")")
            }
            hasSamples.insert(family)
            if !series.insert("\(name)\(found[2].substring ?? "")").inserted {
                problems.append("twice: \(line)")
            }
        }
        for (name, words) in metadata where !words.contains("HELP") || !hasSamples.contains(name) {
            problems.append("\(name) lacks help or samples")
        }
        return problems
    }
}
