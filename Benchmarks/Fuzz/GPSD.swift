import GNSS
import Receiver

/// Reads any bytes as what a gpsd sends: epochs in range, the same however the stream is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    let whole = decode(input, cutAt: count)
    let cut = decode(input, cutAt: count / 2)
    guard whole == cut else { fatalError("cutting the stream has changed what it says") }
    for case .fix(let fix) in whole {
        guard abs(fix.latitude) <= 90, abs(fix.longitude) <= 180,
            fix.altitudeMSL?.isFinite ?? true, fix.altitudeHAE?.isFinite ?? true,
            fix.speed.map({ $0 >= 0 && $0.isFinite }) ?? true,
            fix.course.map({ $0 >= 0 && $0 < 360 }) ?? true,
            fix.errors.eph.map({ $0 > 0 && $0.isFinite }) ?? true
        else { fatalError("a value out of range") }
    }
    return 0
}

private func decode(_ input: UnsafeRawBufferPointer, cutAt place: Int) -> [Epoch] {
    guard let decoder = try? GPSDDecoder() else { fatalError("libgps does not fit") }
    var epochs: [Epoch] = []
    for piece in [input[..<place], input[place...]] {
        decoder.decode(UnsafeRawBufferPointer(rebasing: piece)) { epochs.append($0) }
    }
    decoder.finish { epochs.append($0) }
    guard decoder.sky.satellites.count <= SkyView.limit else { fatalError("too many satellites") }
    return epochs
}
