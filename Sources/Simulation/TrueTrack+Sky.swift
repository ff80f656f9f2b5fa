extension TrueTrack {
    /// A place whose sky opens for moments, most of them too short for a start, and for hours now and then.
    public static func underHostileSky(days: Int, seed: UInt64) -> TrueTrack {
        let count = max(1, days) * 86_400
        var random = SplitMix(seed &* 31 &+ 7)
        var hasSky: [Bool] = []
        hasSky.reserveCapacity(count)
        while hasSky.count < count {
            let closed =
                random.uniform() < 0.1 ? random.uniform(1800, 14_400) : random.uniform(5, 300)
            let open = random.uniform() < 0.02 ? random.uniform(1800, 7200) : random.uniform(1, 30)
            for (length, isOpen) in [(closed, false), (open, true)] {
                hasSky += repeatElement(isOpen, count: min(Int(length), count - hasSky.count))
            }
        }
        return atRest("hostile#\(seed)", hasSky, seed)
    }

    /// A place that always sees the whole sky.
    public static func underOpenSky(days: Int, seed: UInt64) -> TrueTrack {
        atRest("open#\(seed)", [Bool](repeating: true, count: max(1, days) * 86_400), seed)
    }

    private static func atRest(_ name: String, _ hasSky: [Bool], _ seed: UInt64) -> TrueTrack {
        let count = hasSky.count
        let rest = [Double](repeating: 0, count: count)
        let still = [Bool](repeating: false, count: count)
        return TrueTrack(
            name: name, x: rest, y: rest, hasSky: hasSky, isMoving: still,
            vibrates: still, seed: seed)
    }
}
