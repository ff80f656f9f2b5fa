import Foundation
import GNSS
import NMEA

/// Everything a log holds.
struct Decoded {
    var epochs: [Epoch] = []
    var counts = InputCounts()
    var sky = SkyView()

    var fixes: [Fix] {
        epochs.compactMap { epoch in
            if case .fix(let fix) = epoch { return fix }
            return nil
        }
    }

    /// Decodes a log cut into pieces of `pieces` bytes, `nil` for all at once.
    init(_ log: Data, _ settings: NMEADecoder.Settings = .init(), pieces: Int? = nil) {
        var decoder = NMEADecoder(settings)
        let size = pieces ?? max(log.count, 1)
        log.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = min(start + size, bytes.count)
                decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
                    epochs.append($0)
                }
                start = end
            }
        }
        decoder.finish { epochs.append($0) }
        counts = decoder.counts
        sky = decoder.sky
    }

    /// Decodes a log as a person replays it: the start day is looked for first.
    init(replaying log: Data) {
        var settings = NMEADecoder.Settings()
        var finder = StartDayFinder(settings)
        if !log.withUnsafeBytes({ finder.scan($0) }) { finder.finish() }
        settings.startDay = finder.startDay
        self.init(log, settings)
    }
}
