import GNSS
import JSON

/// Writes the JSON Schema of a report: types, units and what each member is.
struct FieldSchema: FieldVisitor {
    private var buffer = TextBuffer()
    private var required: [String] = []
    private var isFirst = true

    static func append(_ report: some Report, summary: String? = nil, to buffer: inout TextBuffer) {
        var report = report
        var schema = FieldSchema()
        report.visit(&schema)
        buffer.append("{\"type\":\"object\"")
        if let summary {
            buffer.append(",\"description\":")
            buffer.append(json: summary)
        }
        buffer.append(",\"properties\":{")
        buffer.bytes += schema.buffer.bytes
        buffer.append("},\"required\":")
        JSONValue.array(schema.required.map { .string($0) }).append(to: &buffer.bytes)
        buffer.append("}")
    }

    private mutating func member(
        _ name: String, _ type: StaticString, _ unit: String?, _ summary: String, optional: Bool
    ) {
        begin(name, optional: optional)
        buffer.append("{\"type\":\"")
        buffer.append(type)
        buffer.append("\"")
        if let unit {
            buffer.append(",\"unit\":")
            buffer.append(json: unit)
        }
        buffer.append(",\"description\":")
        buffer.append(json: summary)
        buffer.append("}")
    }

    private mutating func begin(_ name: String, optional: Bool) {
        if !isFirst { buffer.append(",") }
        isFirst = false
        if !optional { required.append(name) }
        buffer.append(json: name)
        buffer.append(":")
    }

    mutating func text(_ name: String, _ value: inout String, _ summary: String) {
        member(name, "string", nil, summary, optional: false)
    }

    mutating func text(_ name: String, _ value: inout String?, _ summary: String) {
        member(name, "string", nil, summary, optional: true)
    }

    mutating func texts(_ name: String, _ value: inout [String], _ summary: String) {
        begin(name, optional: false)
        buffer.append("{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":")
        buffer.append(json: summary)
        buffer.append("}")
    }

    mutating func time(_ name: String, _ value: inout UTCTime?, _ summary: String) {
        member(name, "string", "RFC 3339", summary, optional: true)
    }

    mutating func flag(_ name: String, _ value: inout Bool, _ summary: String) {
        member(name, "boolean", nil, summary, optional: false)
    }

    mutating func flag(_ name: String, _ value: inout Bool?, _ summary: String) {
        member(name, "boolean", nil, summary, optional: true)
    }

    mutating func integer<I: FixedWidthInteger>(
        _ name: String, _ value: inout I, _ unit: String?, _ summary: String
    ) {
        member(name, "integer", unit, summary, optional: false)
    }

    mutating func integer<I: FixedWidthInteger>(
        _ name: String, _ value: inout I?, _ unit: String?, _ summary: String
    ) {
        member(name, "integer", unit, summary, optional: true)
    }

    mutating func number(
        _ name: String, _ value: inout Double, _ unit: String?, _ summary: String
    ) {
        member(name, "number", unit, summary, optional: false)
    }

    mutating func number(
        _ name: String, _ value: inout Double?, _ unit: String?, _ summary: String
    ) {
        member(name, "number", unit, summary, optional: true)
    }

    mutating func report<R: Report>(_ name: String, _ value: inout R, _ summary: String) {
        begin(name, optional: false)
        FieldSchema.append(value, summary: summary, to: &buffer)
    }

    mutating func report<R: Report>(_ name: String, _ value: inout R?, _ summary: String) {
        begin(name, optional: true)
        FieldSchema.append(value ?? R(), summary: summary, to: &buffer)
    }

    mutating func list<R: Report>(_ name: String, _ value: inout [R], _ summary: String) {
        begin(name, optional: false)
        buffer.append("{\"type\":\"array\",\"items\":")
        FieldSchema.append(R(), to: &buffer)
        buffer.append(",\"description\":")
        buffer.append(json: summary)
        buffer.append("}")
    }

    mutating func fix(_ value: inout Fix?) {
        for field in FixField.all {
            member(field.name, field.type, field.unit, field.summary, optional: true)
        }
    }

    mutating func flags(_ value: inout FixFlags) {
        begin("flags", optional: true)
        buffer.append("{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":")
        JSONValue.array(FixFlags.names.map { .string($0.name) }).append(to: &buffer.bytes)
        buffer.append("},\"description\":\"Verdict and notes; absent when there are none.\"}")
    }
}
