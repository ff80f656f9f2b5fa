/// Tells a second receiver on the line from the first, by talker and place.
///
/// A multiplexer passes on the sentences of several receivers; each measures at times of its own, so that a track of
/// all of them goes to and fro between two antennas. One receiver also changes its talker, from GP to GN and back:
/// two are only seen in places that lie to the same side of each other again and again.
struct Companions {
    private struct Place {
        var talker: UInt16 = 0
        var time: Int32 = 0
        /// 1e-8 minutes.
        var latitude: Int64 = 0
        var longitude: Int64 = 0
    }

    private var before = Place()
    private var last = Place()
    /// Where ``last`` lay beside the way from the place before it to the one behind it, metres.
    private var offset = SIMD2<Double>()
    /// How many places in a row lay as far to alternating sides.
    private var evidence = 0
    /// The talker of the first of those, 0 while nothing is known.
    private var first: UInt16 = 0
    /// The talker whose places are taken, 0 while there is one receiver.
    private var leader: UInt16 = 0
    private var heard: Int32 = 0
    /// The talker whose places were left out last, its first letter in the low byte.
    private(set) var other: UInt16 = 0

    /// Receivers measure once in less, and one that is silent for longer is given up, milliseconds.
    private static let silence: Int32 = 10_000
    /// Two antennas that are no farther apart are one place, metres.
    private static let apart = 3.0
    private static let needed = 4

    /// Whether the epoch is of another receiver than the one whose places are taken.
    @inline(__always)
    mutating func isOther(_ epoch: borrowing EpochState) -> Bool {
        let next = Place(
            talker: epoch.talker, time: epoch.timeOfDay, latitude: epoch.latitude,
            longitude: epoch.longitude)
        let isOther = leader != 0 || next.talker != last.talker ? isOther(next) : false
        before = last
        last = next
        return isOther
    }

    @inline(never)
    private mutating func isOther(_ next: Place) -> Bool {
        guard next.talker != 0, next.time >= 0 else { return false }
        if leader != 0 {
            if next.talker == leader {
                heard = next.time
                return false
            }
            if Companions.span(heard, next.time) <= Companions.silence {
                other = next.talker
                return true
            }
            (leader, evidence) = (0, 0)
        }
        let (left, right) = (
            Companions.span(before.time, last.time), Companions.span(last.time, next.time)
        )
        guard next.talker == before.talker, min(left, right) > 0,
            left + right <= Companions.silence
        else {
            evidence = 0
            return false
        }
        let now = offset(
            of: last, from: before, to: next, share: Double(left) / Double(left + right))
        let (size, change) = ((now * now).sum(), now + offset)
        // To the other side, and about as far.
        let isOpposite = (change * change).sum() < size / 4
        if size <= Companions.apart * Companions.apart {
            evidence = 0
        } else if evidence > 0, isOpposite {
            evidence += 1
        } else {
            (evidence, first) = (1, before.talker)
        }
        offset = now
        guard evidence >= Companions.needed else { return false }
        leader = first
        heard = next.talker == leader ? next.time : last.time
        if next.talker == leader { return false }
        other = next.talker
        return true
    }

    /// Milliseconds from one time of day to the next such one, over midnight too.
    private static func span(_ start: Int32, _ end: Int32) -> Int32 {
        end >= start ? end &- start : end &- start &+ 86_400_000
    }

    private func offset(
        of place: Place, from start: Place, to end: Place, share: Double
    ) -> SIMD2<Double> {
        func beside(_ path: KeyPath<Place, Int64>) -> Double {
            let way = Double(end[keyPath: path] - start[keyPath: path])
            // 1852 m in a minute.
            return (Double(place[keyPath: path] - start[keyPath: path]) - way * share) * 1852e-8
        }
        let latitude = Double(place.latitude) / Double(Coordinate.degree) * .pi / 180
        return SIMD2(beside(\.latitude), beside(\.longitude) * cosine(latitude))
    }

    /// The cosine of a latitude, to half a percent of the equator's: enough for metres beside a way.
    private func cosine(_ latitude: Double) -> Double {
        // Bhaskara I: (pi² - 4x²) / (pi² + x²).
        let square = latitude * latitude
        return max(0, (.pi * .pi - 4 * square) / (.pi * .pi + square))
    }
}
