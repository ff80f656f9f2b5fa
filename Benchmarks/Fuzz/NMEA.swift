import GNSS
import NMEA

/// Decodes any bytes, whole and in pieces of a size the input chooses: the same epochs and counts,
/// all in range.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let first = input.first else { return 0 }
    var settings = NMEADecoder.Settings()
    if first & 0x80 != 0 { settings.floor = UTCTime(year: 2026, month: 1, day: 1) }
    if first & 0x40 != 0 { settings.missingChecksum = .admit }
    if first & 0x20 != 0 { settings.startDay = 20_000 }
    let whole = decode(input, settings, pieces: count)
    let pieces = decode(input, settings, pieces: Int(first & 0x1F) + 1)
    guard whole.epochs == pieces.epochs, whole.counts == pieces.counts, whole.sky == pieces.sky
    else { fatalError("depends on where the input was cut") }
    for case .fix(let fix) in whole.epochs {
        let numbers = [
            fix.altitudeMSL, fix.altitudeHAE, fix.geoidSeparation, fix.climb, fix.dop.hdop,
            fix.dop.vdop, fix.dop.pdop, fix.dop.tdop, fix.errors.eph, fix.errors.epv,
        ]
        guard abs(fix.latitude) <= 90, abs(fix.longitude) <= 180, fix.speed ?? 0 >= 0,
            (0..<360).contains(fix.course ?? 0), (0..<360).contains(fix.heading ?? 0),
            numbers.allSatisfy({ $0?.isFinite ?? true }), fix.dop.hdop != 0,
            fix.errors.eph != 0
        else { fatalError("out of range: \(fix)") }
    }
    let counts = whole.counts
    let outcomes =
        counts.accepted + counts.ignored + counts.badChecksum + counts.missingChecksum
        + counts.malformed + counts.overlong
    guard counts.lines == outcomes, counts.fixes + counts.noFixes == whole.epochs.count else {
        fatalError("\(counts) do not add up")
    }
    return 0
}

private func decode(
    _ input: UnsafeRawBufferPointer, _ settings: NMEADecoder.Settings, pieces: Int
) -> (epochs: [Epoch], counts: InputCounts, sky: SkyView) {
    var decoder = NMEADecoder(settings)
    var epochs: [Epoch] = []
    var start = 0
    while start < input.count {
        let end = min(start + pieces, input.count)
        decoder.decode(UnsafeRawBufferPointer(rebasing: input[start..<end])) { epochs.append($0) }
        start = end
    }
    decoder.finish { epochs.append($0) }
    return (epochs, decoder.counts, decoder.sky)
}
