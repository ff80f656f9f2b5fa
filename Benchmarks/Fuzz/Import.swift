import GNSS
import Import

/// Reads any bytes as each import format; how they are cut into pieces must make no difference.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
    let formats = ImportFormat.allCases
    // The first byte chooses; most inputs are read as what they look like.
    let choice = Int(bytes[0])
    let format =
        choice < formats.count
        ? formats[choice] : ImportFormat.guess(input) ?? formats[choice % formats.count]
    let whole = read(input, format, piece: input.count)
    guard whole.points == read(input, format, piece: 1 + choice % 13).points else {
        fatalError("changed by the pieces")
    }
    for point in whole.points {
        guard point.fix.latitude.magnitude <= 90, point.fix.longitude.magnitude <= 180 else {
            fatalError("off the earth")
        }
    }
    return 0
}

private func read(
    _ input: [UInt8], _ format: ImportFormat, piece: Int
) -> (points: [ImportedPoint], failed: Bool) {
    var importer = TrackImporter(format)
    var points: [ImportedPoint] = []
    do {
        var place = 0
        while place < input.count {
            let end = min(input.count, place + piece)
            try importer.feed(Array(input[place..<end])) { points.append($0) }
            place = end
        }
        try importer.finish { points.append($0) }
        return (points, false)
    } catch {
        // What came before the fault may or may not have been handed over.
        return ([], true)
    }
}
