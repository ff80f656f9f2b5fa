import Correction
import GNSS

/// Converts any bytes as each format between all systems; how they are cut into pieces must make no difference, and
/// lines that stay in their system stay as they are.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 2 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: bytes + 2, count: count - 2))
    let systems = CRS.allCases
    let choice = Int(bytes[0])
    var options = ConvertOptions(
        from: systems[choice % systems.count], to: systems[choice / 8 % systems.count])
    options.isLongitudeFirst = choice & 0x80 != 0
    let formats = ConvertFormat.allCases
    let kind = Int(bytes[1])
    let format = kind < formats.count ? formats[kind] : ConvertFormat.guess(input)
    let whole = convert(input, options, format, piece: input.count)
    guard whole == convert(input, options, format, piece: 1 + kind % 13) else {
        fatalError("changed by the pieces")
    }
    if let whole, options.from == options.to, format == .lines, whole.output != input {
        fatalError("changed by no conversion")
    }
    return 0
}

private struct Outcome: Equatable {
    var output: [UInt8] = []
    var counts = ConvertCounts()
}

/// What came out; `nil` for what is refused.
private func convert(
    _ input: [UInt8], _ options: ConvertOptions, _ format: ConvertFormat, piece: Int
) -> Outcome? {
    var filter = ConvertFilter(options, format: format)
    var outcome = Outcome()
    do {
        var place = 0
        while place < input.count {
            let end = min(input.count, place + piece)
            try filter.feed(Array(input[place..<end]).span, into: &outcome.output)
            place = end
        }
        try filter.finish(into: &outcome.output)
    } catch {
        return nil
    }
    outcome.counts = filter.counts
    return outcome
}
