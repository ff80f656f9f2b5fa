import GNSS

/// The latest epochs of one receiver by time and place: a stretch of a log that is there twice is known by it.
///
/// Times in it only rise, so that one is found by halving.
struct PastEpochs {
    private struct Epoch {
        var time: Int64
        var latitude: Int32
        var longitude: Int32
    }

    /// A ring: the oldest is overwritten when it is full.
    private var epochs: [Epoch] = []
    private var oldest = 0
    private var latest = Int64.min

    /// Takes a believed fix in; one before the latest is not, and a leap second's time is also the next one's.
    mutating func add(_ fix: Fix, atMost count: Int) {
        guard count > 0, let time = fix.time?.milliseconds, time > latest,
            !fix.notes.contains(.leapSecond)
        else { return }
        latest = time
        let epoch = Epoch(
            time: time, latitude: PastEpochs.units(fix.latitude),
            longitude: PastEpochs.units(fix.longitude))
        if epochs.count < count {
            epochs.append(epoch)
        } else {
            epochs[oldest] = epoch
            oldest = oldest + 1 == count ? 0 : oldest + 1
        }
    }

    /// Whether a fix that runs back in time was there before.
    func has(_ fix: Fix) -> Bool {
        guard let time = fix.time?.milliseconds, time < latest, !fix.notes.contains(.leapSecond)
        else { return false }
        var low = 0
        var high = epochs.count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time < time { low = middle + 1 } else { high = middle }
        }
        guard low < epochs.count, self[low].time == time else { return false }
        return self[low].latitude == PastEpochs.units(fix.latitude)
            && self[low].longitude == PastEpochs.units(fix.longitude)
    }

    /// Forgets everything: the receiver's time has stepped.
    mutating func clear() {
        epochs.removeAll()
        oldest = 0
        latest = .min
    }

    private subscript(index: Int) -> Epoch {
        let place = oldest + index
        return epochs[place < epochs.count ? place : place - epochs.count]
    }

    /// 1e-7 degrees, as the database has them.
    private static func units(_ degrees: Double) -> Int32 {
        Int32(clamping: Int64((max(-180, min(180, degrees)) * 1e7).rounded()))
    }
}
