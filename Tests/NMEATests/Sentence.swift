import Foundation
import GNSS
import NMEA

/// A sentence with its checksum and line end.
func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    return "$\(body)*\(String(format: "%02X", sum))\r\n"
}

/// What a decoder made of some text.
struct Outcome {
    var epochs: [Epoch] = []
    var counts = InputCounts()
    var sky = SkyView()

    var fixes: [Fix] {
        epochs.compactMap { epoch in
            if case .fix(let fix) = epoch { return fix }
            return nil
        }
    }

    init(_ bytes: [UInt8], _ settings: NMEADecoder.Settings = .init(), pieces: [Int] = []) {
        var decoder = NMEADecoder(settings)
        bytes.withUnsafeBytes { raw in
            var start = 0
            for end in pieces + [raw.count] {
                decoder.decode(UnsafeRawBufferPointer(rebasing: raw[start..<end])) {
                    epochs.append($0)
                }
                start = end
            }
        }
        decoder.finish { epochs.append($0) }
        counts = decoder.counts
        sky = decoder.sky
    }

    init(_ text: String, _ settings: NMEADecoder.Settings = .init()) {
        self.init(Array(text.utf8), settings)
    }
}
