import GNSS
import JSON
import StatusProtocol

/// Reads any bytes as a line of the status socket: a request, a reply that is JSON, never a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    var text = TextBuffer()
    do {
        guard let request = try Request.parse(input) else { return 0 }
        text.append(request: request)
    } catch {
        text.appendError(to: error.id, error.error)
    }
    guard text.bytes.last == 10, (try? JSONValue.parse(text.bytes.dropLast())) != nil else {
        fatalError("what we would send is not one line of JSON")
    }
    return 0
}
