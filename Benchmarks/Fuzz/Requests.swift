import GNSS
import JSON
import StatusProtocol

/// Reads any bytes as a line of the status socket, as the daemon does and as the tool does: what would be sent
/// back is one line of JSON, and a report that can be read can be written.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let value = try? JSONValue.parse(input) { readAsTool(value) }
    var text = TextBuffer()
    do {
        guard let request = try Request.parse(input) else { return 0 }
        text.append(request: request)
        // Each method reads any parameters, and says in one line what is wrong with them.
        for method in Method.all {
            do {
                try method.check(request.params)
            } catch {
                var refusal = TextBuffer()
                refusal.appendError(to: request.id ?? .null, error)
                expectJSON(refusal.bytes.dropLast())
            }
        }
    } catch {
        text.appendError(to: error.id, error.error)
    }
    guard text.bytes.last == 10 else { fatalError("what we would send is not one line") }
    expectJSON(text.bytes.dropLast())
    return 0
}

private func readAsTool(_ value: JSONValue) {
    var text = TextBuffer()
    if let report = try? StatusReport(value) {
        text.append(report)
        expectJSON(text.bytes[...])
        _ = (report.source.inputQuality, report.counts.totalRejected)
    }
    text = TextBuffer()
    if let report = try? ConfigReport(value) { text.append(report) }
    if let report = try? LocateReport(value) { text.append(report) }
    if let report = try? WhyReport(value) { text.append(report) }
    text = TextBuffer()
    if let report = try? StatusReport(value) {
        // Whatever a daemon says of itself, the metrics stay lines of text.
        text.append(metrics: report)
        guard text.bytes.suffix(6).elementsEqual("# EOF\n".utf8) else {
            fatalError("metrics without an end")
        }
    }
    text = TextBuffer()
    if let sky = try? SkyView(value) {
        text.append(sky)
        expectJSON(text.bytes[...])
    }
    text = TextBuffer()
    if let fix = value.object.flatMap({ Fix(members: $0) }) {
        text.append("{")
        text.appendMembers(of: fix)
        text.append("}")
        expectJSON(text.bytes[...])
    }
}

private func expectJSON(_ bytes: ArraySlice<UInt8>) {
    guard (try? JSONValue.parse(bytes)) != nil else {
        fatalError("what was written is not JSON: \(String(decoding: bytes, as: UTF8.self))")
    }
}
