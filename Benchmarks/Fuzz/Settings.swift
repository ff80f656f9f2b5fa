import Configuration

/// Reads any bytes as a settings file: settings or problems with a place, never a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    do {
        _ = try SettingsLoader.read(input, path: "fuzz.conf").settings
    } catch {
        guard !error.problems.isEmpty, !error.description.isEmpty else {
            fatalError("refused without a reason")
        }
    }
    return 0
}
