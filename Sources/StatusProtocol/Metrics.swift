public import GNSS
public import JSON

extension TextBuffer {
    /// Appends a status report as OpenMetrics 1.0 text, `# EOF` included; it holds no coordinates.
    ///
    /// Only gauges and counters are used, so that readers of Prometheus' older text format, as the node exporter's
    /// textfile collector, take it too.
    public mutating func append(metrics report: StatusReport) {
        var metrics = MetricsWriter(buffer: self)
        metrics.write(report)
        self = metrics.buffer
        append("# EOF\n")
    }

    /// Appends the metrics of a daemon that does not answer.
    public mutating func appendMetricsOfNone() {
        var metrics = MetricsWriter(buffer: self)
        metrics.up(false)
        self = metrics.buffer
        append("# EOF\n")
    }
}

/// Writes metric families, each once and whole.
private struct MetricsWriter {
    var buffer: TextBuffer

    mutating func up(_ isUp: Bool) {
        flag("up", "Whether tracklogd answered.", isUp)
    }

    mutating func write(_ report: StatusReport) {
        up(true)
        family("build_info", "gauge", nil, "The version of tracklogd.")
        present("build_info", [("version", report.version)])
        gauge("uptime_seconds", unit: "seconds", "Time since tracklogd started.", report.uptime)
        flag("clock_trusted", "Whether the time of day was proven.", report.isClockTrusted)
        write(report.source)
        write(report.receiver)
        flag("paused", "Whether a person paused the recording.", report.pause != nil)
        write(report.counts)
        if let last = report.lastFix { write(last) }
        if let gap = report.track.gap {
            family("gap", "gauge", nil, "Present with the reason while no fixes are kept.")
            present("gap", [("reason", gap)])
        }
        if let age = report.track.gapAge {
            gauge("gap_age_seconds", unit: "seconds", "Time since the last kept fix.", age)
        }
        if let store = report.store { write(store) }
        write(report.clients)
    }

    private mutating func write(_ source: SourceReport) {
        family("source_state", "gauge", nil, "The source and its present state.")
        present("source_state", [("kind", source.kind), ("state", source.state)])
        gauge(
            "source_state_age_seconds", unit: "seconds", "Time in this state.", source.stateAge)
        let counts = source.counts
        counter("source_input_bytes", unit: "bytes", "Bytes read from the source.", counts.bytes)
        family("source_lines", "counter", nil, "Sentences or JSON objects by what became of them.")
        for (result, count) in [
            ("accepted", counts.accepted), ("ignored", counts.ignored),
            ("bad_checksum", counts.badChecksum), ("missing_checksum", counts.missingChecksum),
            ("malformed", counts.malformed), ("overlong", counts.overlong),
            ("error", counts.errors),
        ] {
            sample("source_lines_total", [("result", result)], count)
        }
        family("source_epochs", "counter", nil, "Epochs with and without a position.")
        sample("source_epochs_total", [("position", "yes")], counts.fixes)
        sample("source_epochs_total", [("position", "no")], counts.noFixes)
    }

    private mutating func write(_ receiver: ReceiverReport) {
        family("receiver_state", "gauge", nil, "The receiver's state and the policy in force.")
        present("receiver_state", [("state", receiver.state), ("policy", receiver.policy)])
        let isOff = receiver.state == "off" || receiver.state == "stopped"
        flag("receiver_on", "Whether the receiver is to be on.", !isOff)
        if let wake = receiver.nextWake {
            gauge(
                "receiver_wake_seconds", unit: "seconds", "Time until it is switched on.", wake)
        }
    }

    private mutating func write(_ counts: VerdictCounts) {
        counter("fixes_kept", "Fixes of the clean track since the start.", counts.kept)
        family("fixes_rejected", "counter", nil, "Fixes kept out of the clean track, by reason.")
        for (flag, name) in FixFlags.names where FixFlags.rejecting.contains(flag) {
            sample("fixes_rejected_total", [("reason", name)], counts.rejected[flag] ?? 0)
        }
    }

    private mutating func write(_ last: FixReport) {
        gauge("fix_age_seconds", unit: "seconds", "Time since the last fix was seen.", last.age)
        flag("fix_durable", "Whether the last fix is on the disk.", last.isDurable)
        guard let fix = last.fix else { return }
        gauge("fix_mode", "2 or 3 dimensions of the last fix.", Double(fix.mode.rawValue))
        if let eph = fix.errors.eph {
            gauge(
                "fix_error_meters", unit: "meters",
                "Estimated horizontal error of the last fix, 95 %.", eph)
        }
        if let hdop = fix.dop.hdop {
            gauge("fix_hdop", "Horizontal dilution of precision of the last fix.", hdop)
        }
        if let used = fix.satellitesUsed {
            gauge("satellites_used", "Satellites in the last solution.", Double(used))
        }
        if let seen = fix.satellitesSeen {
            gauge("satellites_seen", "Satellites in view.", Double(seen))
        }
    }

    private mutating func write(_ store: StoreReport) {
        flag("store_ok", "Whether the database takes what is recorded.", store.state == "ok")
        gauge(
            "store_size_bytes", unit: "bytes", "Size of the database with its journal.", store.bytes
        )
        gauge("store_fixes", "Fixes in the database.", store.fixes)
        gauge(
            "store_durable_sequence", "Last sequence certain to be on the disk.",
            store.durableSequence)
        gauge("store_waiting_fixes", "Fixes waiting for the next commit.", store.queue)
        counter("store_dropped_fixes", "Fixes given up because the queue was full.", store.dropped)
        if let age = store.lastCommitAge {
            gauge("store_commit_age_seconds", unit: "seconds", "Time since the last commit.", age)
        }
    }

    private mutating func write(_ clients: ClientsReport) {
        gauge("clients_connected", "Clients of the socket now.", clients.connected)
        counter("clients_accepted", "Clients accepted since the start.", clients.accepted)
        counter("clients_refused", "Clients turned away because of too many.", clients.refused)
        counter("clients_dropped", "Clients cut because they did not read.", clients.dropped)
    }

    // MARK: Families

    private mutating func gauge(
        _ name: StaticString, unit: StaticString? = nil, _ help: StaticString, _ value: Double
    ) {
        family(name, "gauge", unit, help)
        sample(name, [], value)
    }

    private mutating func gauge(
        _ name: StaticString, unit: StaticString? = nil, _ help: StaticString, _ value: Int64
    ) {
        family(name, "gauge", unit, help)
        sample(name, [], value)
    }

    private mutating func flag(_ name: StaticString, _ help: StaticString, _ value: Bool) {
        gauge(name, help, Int64(value ? 1 : 0))
    }

    private mutating func present(_ name: StaticString, _ labels: [(StaticString, String)]) {
        sample(name, labels, Int64(1))
    }

    /// A counter without labels; its sample has `_total` after the name of the family.
    private mutating func counter(
        _ name: StaticString, unit: StaticString? = nil, _ help: StaticString, _ value: Int64
    ) {
        family(name, "counter", unit, help)
        begin(name)
        buffer.append("_total ")
        buffer.append(value)
        buffer.append("\n")
    }

    private mutating func family(
        _ name: StaticString, _ type: StaticString, _ unit: StaticString?, _ help: StaticString
    ) {
        buffer.append("# TYPE ")
        begin(name)
        buffer.append(" ")
        buffer.append(type)
        if let unit {
            buffer.append("\n# UNIT ")
            begin(name)
            buffer.append(" ")
            buffer.append(unit)
        }
        buffer.append("\n# HELP ")
        begin(name)
        buffer.append(" ")
        buffer.append(help)
        buffer.append("\n")
    }

    private mutating func sample(
        _ name: StaticString, _ labels: [(StaticString, String)], _ value: Int64
    ) {
        sample(name, labels)
        buffer.append(value)
        buffer.append("\n")
    }

    private mutating func sample(
        _ name: StaticString, _ labels: [(StaticString, String)], _ value: Double
    ) {
        sample(name, labels)
        if value.isFinite, abs(value) < 1e15 {
            buffer.append(value, decimals: 3, trimming: true)
        } else {
            buffer.append("NaN")
        }
        buffer.append("\n")
    }

    private mutating func sample(_ name: StaticString, _ labels: [(StaticString, String)]) {
        begin(name)
        for (index, (label, value)) in labels.enumerated() {
            buffer.append(index == 0 ? "{" : ",")
            buffer.append(label)
            buffer.append("=\"")
            for byte in value.utf8 {
                // OpenMetrics 1.0, escaped-string.
                switch byte {
                case UInt8(ascii: "\\"), UInt8(ascii: "\""):
                    buffer.append(byte: UInt8(ascii: "\\"))
                    buffer.append(byte: byte)
                case UInt8(ascii: "\n"): buffer.append("\\n")
                default: buffer.append(byte: byte)
                }
            }
            buffer.append("\"")
        }
        if !labels.isEmpty { buffer.append("}") }
        buffer.append(" ")
    }

    private mutating func begin(_ name: StaticString) {
        buffer.append("tracklog_")
        buffer.append(name)
    }
}

/// The result of `metrics`.
public struct MetricsReport: Equatable, Sendable {
    /// The type of the text, as an HTTP server would name it.
    public var contentType =
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    /// The metrics.
    public var text = ""

    /// No text.
    public init() {}

    /// The metrics of a status report.
    public init(_ report: StatusReport) {
        var buffer = TextBuffer()
        buffer.append(metrics: report)
        text = buffer.string
    }

    /// Reads the result of `metrics`.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(MetricsReport.self, from: value, at: "metrics")
    }
}

extension MetricsReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("content_type", &contentType, "The type of the text, for an HTTP server.")
        visitor.text("text", &text, "OpenMetrics, without coordinates.")
    }
}

extension TextBuffer {
    /// Appends the result of `metrics`.
    public mutating func append(_ report: MetricsReport) {
        FieldWriter.append(report, to: &self)
    }
}

extension Method {
    /// Figures for monitoring.
    public static let metrics = Method(
        "metrics", "Gives what is counted and measured as OpenMetrics text, without coordinates.",
        resultSchema: { FieldSchema.append(MetricsReport(), to: &$0) })
}
