import GNSS
import JSON

/// Appends a report as one JSON object; absent members are left out.
struct FieldWriter: FieldVisitor {
    var buffer: TextBuffer
    private var isFirst = true

    static func append(_ report: some Report, to buffer: inout TextBuffer) {
        var report = report
        var writer = FieldWriter(buffer: TextBuffer())
        // The bytes move back and forth: nothing is copied.
        swap(&writer.buffer, &buffer)
        writer.write(&report)
        swap(&writer.buffer, &buffer)
    }

    private init(buffer: TextBuffer) {
        self.buffer = buffer
    }

    private mutating func write(_ report: inout some Report) {
        buffer.append("{")
        isFirst = true
        report.visit(&self)
        buffer.append("}")
        isFirst = false
    }

    private mutating func begin(_ name: String) {
        if !isFirst { buffer.append(",") }
        isFirst = false
        buffer.append(json: name)
        buffer.append(":")
    }

    mutating func text(_ name: String, _ value: inout String, _ summary: String) {
        begin(name)
        buffer.append(json: value)
    }

    mutating func text(_ name: String, _ value: inout String?, _ summary: String) {
        if var value { text(name, &value, summary) }
    }

    mutating func texts(_ name: String, _ value: inout [String], _ summary: String) {
        begin(name)
        JSONValue.array(value.map { .string($0) }).append(to: &buffer.bytes)
    }

    mutating func time(_ name: String, _ value: inout UTCTime?, _ summary: String) {
        guard let value else { return }
        begin(name)
        buffer.append("\"")
        buffer.append(value)
        buffer.append("\"")
    }

    mutating func flag(_ name: String, _ value: inout Bool, _ summary: String) {
        begin(name)
        buffer.append(text: value ? "true" : "false")
    }

    mutating func flag(_ name: String, _ value: inout Bool?, _ summary: String) {
        if var value { flag(name, &value, summary) }
    }

    mutating func integer<I: FixedWidthInteger>(
        _ name: String, _ value: inout I, _ unit: String?, _ summary: String
    ) {
        begin(name)
        buffer.append(value)
    }

    mutating func integer<I: FixedWidthInteger>(
        _ name: String, _ value: inout I?, _ unit: String?, _ summary: String
    ) {
        if var value { integer(name, &value, unit, summary) }
    }

    mutating func number(
        _ name: String, _ value: inout Double, _ unit: String?, _ summary: String
    ) {
        begin(name)
        // A thousandth of a degree is a hundred metres.
        buffer.append(value, decimals: unit == "deg" ? 9 : 3, trimming: true)
    }

    mutating func number(
        _ name: String, _ value: inout Double?, _ unit: String?, _ summary: String
    ) {
        if var value { number(name, &value, unit, summary) }
    }

    mutating func report<R: Report>(_ name: String, _ value: inout R, _ summary: String) {
        begin(name)
        write(&value)
    }

    mutating func report<R: Report>(_ name: String, _ value: inout R?, _ summary: String) {
        if var value { report(name, &value, summary) }
    }

    mutating func list<R: Report>(_ name: String, _ value: inout [R], _ summary: String) {
        begin(name)
        buffer.append("[")
        for index in value.indices {
            if index > 0 { buffer.append(",") }
            write(&value[index])
        }
        buffer.append("]")
    }

    mutating func fix(_ value: inout Fix?) {
        guard let value else { return }
        if !isFirst { buffer.append(",") }
        isFirst = false
        buffer.appendMembers(of: value)
    }

    mutating func flags(_ value: inout FixFlags) {
        guard !value.isEmpty else { return }
        begin("flags")
        JSONValue.array(value.names.map { .string($0) }).append(to: &buffer.bytes)
    }
}
