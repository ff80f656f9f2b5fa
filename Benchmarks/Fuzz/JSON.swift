import JSON

/// Reads any bytes as JSON; what is accepted must come back the same from its own text.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let value = try? JSONValue.parse(input) else { return 0 }
    var text: [UInt8] = []
    value.append(to: &text)
    guard (try? JSONValue.parse(text)) == value else { fatalError("changed by writing") }
    return 0
}
