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
        for method in [Method.watch, .status] { try? method.check(request.params) }
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
