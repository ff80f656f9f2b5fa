import GNSS
import Simulation

/// Recorded tracks, each padded with rest to a day: `# kind name` and then `seconds,latitude,longitude` a line.
struct RealTracks {
    private(set) var kinds: [String] = []
    private(set) var tracks: [TrueTrack] = []

    /// Reads standard input; each track once for a seed.
    init(seeds: [UInt64]) {
        var places: [TrueTrack.Place] = []
        var title: [Substring] = []
        func finish(_ tracks: inout RealTracks) {
            guard title.count == 2 else { return }
            for seed in seeds {
                let made = TrueTrack(
                    name: String(title[1]), places: places, seed: seed, fillsDay: true)
                guard let made else { continue }
                tracks.kinds.append(String(title[0]))
                tracks.tracks.append(made)
            }
        }
        while let line = readLine() {
            if line.hasPrefix("# ") {
                finish(&self)
                places = []
                title = line.dropFirst(2).split(separator: " ")
            } else {
                let values = line.split(separator: ",", omittingEmptySubsequences: false)
                    .prefix(3).compactMap { Double($0) }
                guard values.count == 3 else { continue }
                let time = UTCTime(milliseconds: Int64(values[0] * 1000))
                places.append(.init(time: time, latitude: values[1], longitude: values[2]))
            }
        }
        finish(&self)
    }
}

extension Rows {
    /// One setting for tracks that somebody recorded.
    func real(_ real: RealTracks) {
        let own = cheapest(stride(from: 16.0, through: 50, by: 2).map { $0 }, within: 50) {
            adaptive(real.tracks, $0)
        }
        let gated = peer(real.tracks, isGated: true, within: 50)
        let plain = peer(real.tracks, isGated: false, within: 50)
        guard let own else {
            return row("recorded tracks, p95 ≤ 50 m", "", "", "not reached", false)
        }
        let what =
            "\(real.tracks.count / seeds.count) recorded tracks, ErrorBound=\(show(own.value, 0))"
        row(
            "\(what), p95 ≤ 50 m: plain interval ÷ it", "≥ 15", "",
            plain.map {
                "\(show($0.on / own.sum.on, 1)) (\(show($0.on, 1)) ÷ \(show(own.sum.on)) %)"
            }
                ?? "not reached by any interval", plain.map { $0.on / own.sum.on >= 15 } ?? true)
        guard let gated else {
            return row("the same, motion-gated ÷ it", "", "", "not reached by any interval", true)
        }
        var worst = (kind: "", ratio: Double.infinity)
        for kind in Set(real.kinds).sorted() {
            let mine = real.kinds.indices.filter { real.kinds[$0] == kind }
            let ratio =
                mine.reduce(0) { $0 + gated.each[$1] } / mine.reduce(0) { $0 + own.sum.each[$1] }
            if ratio < worst.ratio { worst = (kind, ratio) }
        }
        row(
            "the same, motion-gated interval, bridged ÷ it, in the mean", "≥ 1", "≥ 1.5",
            "\(show(gated.on / own.sum.on)) (\(show(gated.on)) %)", gated.on >= own.sum.on)
        row(
            "the same on the worst kind (\(worst.kind))", "≥ 1", "≥ 1.5", show(worst.ratio),
            worst.ratio >= 1)
    }
}
